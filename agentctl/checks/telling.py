"""Problems of tools and functions as diagnostics: what has one cause in a Python file is told once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from agentctl.diagnostics import Related, Report, Span
from agentctl.spec.team import Team

if TYPE_CHECKING:
    from agentctl.tools.problems import FaultCode, ToolProblem

_IN_PYTHON: Final[frozenset[FaultCode]] = frozenset(
    {
        "module-syntax",
        "import-failed",
        "lambda",
        "not-callable",
        "tool-signature",
        "tool-type",
        "function-signature",
    }
)
_MOST: Final = 3


def tell_problems(problems: Iterable[ToolProblem], report: Report, team: Team) -> None:
    """What the reading of the team has told at the same place is not told again."""
    told = {(found.code, found.span) for found in report.found}
    causes = {(found.code, found.message) for found in report.found}
    groups: dict[tuple[str, str, Span | None], list[tuple[Span, ToolProblem]]] = {}
    for problem in problems:
        span = team.place(problem.span, problem.pointer, key=problem.pointer.endswith("/retry"))
        in_python = problem.code in _IN_PYTHON
        if (problem.code, span) in told or (in_python and (problem.code, problem.message) in causes):
            continue
        group = (problem.code, problem.message, None if in_python else span)
        groups.setdefault(group, []).append((span, problem))
    for (span, first), *others in groups.values():
        again = tuple(Related(span=other, message="named here too") for other, _ in others[:_MOST])
        related = (*first.related, *again)
        report.error(first.code, first.message, span, hint=first.hint, pointer=first.pointer, related=related)
