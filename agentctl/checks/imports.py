"""Functions that cannot be imported, or that no model could call."""

from __future__ import annotations

from agentctl.checks.checked import Checked
from agentctl.checks.telling import tell_problems
from agentctl.diagnostics import Report


def imports(checked: Checked, report: Report) -> None:
    tell_problems(checked.toolboxes.problems if checked.toolboxes else (), report, checked.team)
