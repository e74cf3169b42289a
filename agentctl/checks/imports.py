"""Functions that cannot be imported, or that no model could call."""

from __future__ import annotations

from agentctl.checks.checked import Checked
from agentctl.diagnostics import Report


def imports(checked: Checked, report: Report) -> None:
    """What the reading of the team has told at the same place is not told again."""
    told = {(found.code, found.span) for found in report.found}
    for problem in checked.toolboxes.problems if checked.toolboxes else ():
        if (problem.code, problem.span) not in told:
            report.error(
                problem.code,
                problem.message,
                problem.span,
                hint=problem.hint,
                pointer=problem.pointer,
                related=problem.related,
            )
