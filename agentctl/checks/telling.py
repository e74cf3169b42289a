"""Problems of tools and functions as diagnostics: what has one cause in a Python file is told once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from agentctl.diagnostics import Related, Report

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


def tell_problems(problems: Iterable[ToolProblem], report: Report) -> None:
    """What the reading of the team has told at the same place is not told again."""
    told = {(found.code, found.span) for found in report.found}
    causes = {(found.code, found.message) for found in report.found}
    groups: dict[tuple[str, ...], list[ToolProblem]] = {}
    for problem in problems:
        cause = (problem.code, problem.message)
        if (problem.code, problem.span) in told or (problem.code in _IN_PYTHON and cause in causes):
            continue
        own = () if problem.code in _IN_PYTHON else (problem.pointer, str(problem.span))
        groups.setdefault((*cause, *own), []).append(problem)
    for first, *others in groups.values():
        again = tuple(Related(span=other.span, message="named here too") for other in others[:_MOST])
        report.error(
            first.code,
            first.message,
            first.span,
            hint=first.hint,
            pointer=first.pointer,
            related=(*first.related, *again),
        )
