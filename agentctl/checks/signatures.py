"""Functions that are no tools take what they will be given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from agentctl.checks.checked import Checked
from agentctl.checks.telling import tell_problems
from agentctl.diagnostics import Report
from agentctl.spec.functions import named_functions
from agentctl.spec.settings import FunctionRef
from agentctl.spec.team import Team

if TYPE_CHECKING:
    from agentctl.tools.signatures import Usage


def signatures(checked: Checked, report: Report) -> None:
    if checked.toolboxes is None or not checked.toolboxes.functions:
        return
    from agentctl.checks.usages import USAGES

    named = ((ref, USAGES[place]) for place, ref in named_functions(checked.team))
    check_usages(named, checked.toolboxes.functions, report, checked.team)


def check_usages(
    named: Iterable[tuple[FunctionRef, Usage]],
    functions: Mapping[FunctionRef, Callable[..., object]],
    report: Report,
    team: Team,
) -> None:
    """What could not be imported is in none of `functions`, and told of already."""
    from agentctl.tools.problems import ToolProblem
    from agentctl.tools.signatures import usage_faults

    problems = [
        ToolProblem(
            code=fault.code, message=fault.message, hint=fault.hint, span=ref.span, pointer=ref.pointer
        )
        for ref, usage in named
        if ref in functions
        for fault in usage_faults(functions[ref], ref.target, usage)
    ]
    tell_problems(problems, report, team)
