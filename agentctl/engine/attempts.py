"""Which attempt of a delegation is due, from what is on record.

A failure that a parent absorbed is an outcome. Any other is not: within `retry` the next attempt
starts; once those are used up, a resume goes on inside the last one, or starts another where the
agent failed by a rule and would only fail by it again. An absorbed failure from before a revision stands
where the very same is asked, which only its own steps tell; any other one from before it is gone on with.
A delegation that a person wants tried again starts its next attempt, and its
count of `retry` anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agentctl.engine.paths import attempt_path
from agentctl.engine.revisions import Revisions
from agentctl.errors import (
    AgentctlError,
    ExecutionFailed,
    FatalToolError,
    JournalError,
    LimitReached,
    ModelError,
    ResumeMismatch,
)
from agentctl.journal.records import Record
from agentctl.jsontypes import JsonObject, as_object, as_text

Last = Callable[[str], Record | None]
"""The newest `execution.…` record of a path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """`attempt` is to be run (or gone on with); `counted` says how many of `retry` are used before it.

    `absorbed` is set instead where the outcome is already a failure that the parent was told. Where it may be
    one, `stands` is its `seq`: a step that failed before that, and is asked the same, is not done again.
    """

    attempt: int
    counted: int
    absorbed: AbsorbedFailure | None = None
    stands: int = 0


class AbsorbedFailure(AgentctlError):
    """A recorded failure that is an outcome; raised again for the parent that absorbed it."""

    def __init__(self, recorded: Record) -> None:
        self._recorded = error = as_object(recorded.data.get("error"))
        super().__init__(as_text(error.get("message")), hint=as_text(error.get("hint")) or None)
        self.execution = as_text(error.get("execution"))

    def as_json(self) -> JsonObject:
        return {**self._recorded, **({"execution": self.execution} if self.execution else {})}


def due_attempt(base: str, allowed: int, last: Last, revisions: Revisions) -> Due:
    attempt, counted = _first_wanted(base, last, revisions.retried(base)), 1
    while True:
        newest = last(attempt_path(base, attempt))
        if newest is None or newest.ev != "execution.failed":
            return Due(attempt=attempt, counted=counted)
        if newest.data.get("absorbed") is True:
            if revisions.precede(newest):
                return Due(attempt=attempt, counted=counted, absorbed=AbsorbedFailure(newest))
            return Due(attempt=attempt, counted=counted, stands=newest.seq)
        followed = last(attempt_path(base, attempt + 1)) is not None
        retried = counted < allowed and newest.data.get("final") is not True
        if not followed and not retried and newest.data.get("cause") != "rule":
            return Due(attempt=attempt, counted=counted)
        attempt += 1
        counted = min(counted + 1, allowed)


def _first_wanted(base: str, last: Last, wish: int) -> int:
    """The first attempt that has no record from before the wish to try again."""
    attempt = 1
    while (newest := last(attempt_path(base, attempt))) is not None and newest.seq < wish:
        attempt += 1
    return attempt


def is_unforeseen(error: Exception) -> bool:
    """Whether a script or a recording has no answer: no failure of the team, which must not go on with it."""
    if isinstance(error, ModelError):
        return error.kind == "script"
    return isinstance(error, ExecutionFailed) and error.rule == "not-recorded"


def worth_retrying(error: AgentctlError) -> bool:
    """Any failure but limits, refused keys, exhausted quota, what ends the run, and what is settled."""
    if is_unforeseen(error) or isinstance(error, AbsorbedFailure):
        return False
    if isinstance(error, ModelError):
        return error.kind not in ("auth", "permission", "quota")
    return not isinstance(error, LimitReached | FatalToolError | JournalError | ResumeMismatch)
