"""How tests went, as data: a case, what it was found to miss, and the run that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agentctl.errors import RunInterrupted
from agentctl.jsontypes import Json
from agentctl.spec.cases import Case
from agentctl.spec.team import Team

Verdict: TypeAlias = Literal["passed", "failed", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An expectation that did not hold: `what` is its key, `note` says more, such as a decision's reason."""

    what: str
    expected: Json
    actual: Json
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A case to run: `file` is where it is written, as it should be shown; `team` has the test's models."""

    case: Case
    team: Team
    file: str

    @property
    def name(self) -> str:
        return f"{self.file}::{self.case.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """`error` is the verdict where the case could not be run, which `message` then says.

    `decided` are the decisions of a run that failed, each with its reason, where no failure tells them.
    `command` shows the run, where it was kept. Seconds, tokens, calls and USD are those of the run.
    """

    item: Item
    failures: tuple[Failure, ...] = ()
    message: str = ""
    hint: str = ""
    decided: str = ""
    command: str = ""
    answer: str = ""
    seconds: float = 0.0
    model_calls: int = 0
    tool_calls: int = 0
    tokens: int = 0
    cost_usd: float | None = 0.0

    @property
    def verdict(self) -> Verdict:
        if self.message:
            return "error"
        return "failed" if self.failures else "passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """All results in the order of the files; `deselected` counts cases that were not chosen, `unfinished`
    those of which there is no result because the tests were interrupted.
    """

    results: Sequence[Result]
    deselected: int = 0
    unfinished: int = 0
    interrupted: bool = False
    seconds: float = 0.0

    def count(self, verdict: Verdict) -> int:
        return sum(result.verdict == verdict for result in self.results)

    @property
    def exit_code(self) -> int:
        """0, 1 where one failed, 2 where one could not be run, 130 where they were interrupted."""
        if self.interrupted:
            return RunInterrupted.exit_code
        if self.count("error"):
            return 2
        return 1 if self.count("failed") else 0
