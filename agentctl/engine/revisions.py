"""What people changed about a run after the fact: from a revision on, what is on record may no longer hold.

Three kinds: an edited team, one step to be done again, one delegation to be tried again. Nothing is
guessed: a record still holds where its step is asked the very same, and nobody asked for that step anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agentctl.engine.paths import base_path
from agentctl.journal.journal import Journal
from agentctl.journal.records import Record
from agentctl.jsontypes import as_text

REVISION = "revision.recorded"


class Revisions:
    """`newest` is the `seq` of the last revision, 0 without one."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.newest = 0
        self._steps: dict[str, int] = {}
        self._delegations: dict[str, int] = {}
        for record in records:
            if record.ev == REVISION:
                self._take(record)

    def _take(self, record: Record) -> None:
        self.newest = record.seq
        match record.data.get("kind"):
            case "rerun":
                self._steps[record.step] = record.seq
            case "retry":
                self._delegations[base_path(record.step)] = record.seq

    def precede(self, record: Record) -> bool:
        """Whether nothing was revised since, so that what is asked now must be what was asked then."""
        return record.seq > self.newest

    def redone(self, step: str) -> int:
        """The `seq` of the wish to have this step done again; what was recorded before it is over."""
        return self._steps.get(step, 0)

    def retried(self, base: str) -> int:
        """The `seq` of the wish to have this delegation tried again, whatever its earlier attempts gave."""
        return self._delegations.get(base, 0)


def holding(
    journal: Journal, revisions: Revisions, step: str, things: Sequence[str], asked: str
) -> Record | None:
    """The record that answers what is asked of the step now.

    After a revision that is the newest one for the same input, also where another input came between;
    without one it is the newest at all, and the caller compares.
    """
    newest = journal.last(step, things)
    if newest is None or newest.seq < revisions.redone(step):
        return None
    if revisions.precede(newest) or as_text(newest.data.get("in")) == asked:
        return newest
    same = journal.last(step, things, asked)
    return same if same is not None and same.seq > revisions.redone(step) else None
