"""Functions that are not there or not allowed, as far as that shows where nothing may be imported."""

from __future__ import annotations

from agentctl.checks.checked import Checked
from agentctl.checks.telling import tell_problems
from agentctl.diagnostics import Report
from agentctl.spec.functions import all_functions


def absent_functions(checked: Checked, report: Report) -> None:
    team = checked.team
    named = [*(tool.function for agent in team.agents() for tool in agent.tools), *all_functions(team)]
    if checked.toolboxes is not None or not named:
        return
    from agentctl.tools.importing import Importer
    from agentctl.tools.problems import ToolProblem

    importer = Importer([team.folder])
    try:
        found = [(ref, importer.absence(ref)) for ref in named]
    finally:
        importer.close()
    problems = [
        ToolProblem(
            code=fault.code, message=fault.message, hint=fault.hint, span=ref.span, pointer=ref.pointer
        )
        for ref, fault in found
        if fault is not None
    ]
    tell_problems(problems, report, team)
