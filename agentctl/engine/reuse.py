"""Finished effects of one delegation: tried again, or gone over after a revision, it gets their results
and not a second effect."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from agentctl.engine.gone import Gone
from agentctl.engine.paths import any_attempt
from agentctl.engine.revisions import Revisions
from agentctl.journal.records import Record
from agentctl.jsontypes import as_text

_ENDS = ("tool.completed", "tool.failed", "tool.skipped")


class Reuse:
    """Finished tool calls by (execution without attempts, what was asked), each given out once an attempt.

    Those of executions that are `gone` from the team are given out once, to whoever asks the same.
    """

    def __init__(self, records: Iterable[Record], revisions: Revisions, gone: Gone) -> None:
        self._revisions = revisions
        self._gone = gone
        self._left: dict[str, list[Record]] = defaultdict(list)
        self._under_way: dict[str, Record] = {}
        self._inherited: set[str] = set()
        self._finished: dict[tuple[str, str], list[Record]] = defaultdict(list)
        self._taken: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._kept: set[str] = set()
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        """Refused calls had no effect; a reused one marks its source as given out."""
        if record.ev in _ENDS:
            self._under_way.pop(record.step, None)
        elif record.ev == "tool.started" and _execution(record.step) in self._gone:
            self._under_way[record.step] = record
        if record.ev != "tool.completed" or "refused" in record.data:
            return
        execution, asked = _execution(record.step), as_text(record.data.get("in"))
        if "reused" in record.data:
            source = as_text(record.data.get("reused"))
            self._taken[(execution, asked)].add(source)
            self._inherited.add(source)
            return
        self._finished[(any_attempt(execution), asked)].append(record)
        if execution in self._gone:
            self._left[asked].append(record)

    def keep(self, record: Record) -> None:
        """This call stands where it was made, so that no other place gets its result."""
        if record.ev == "tool.completed":
            self._kept.add(record.step)

    def is_spent(self, record: Record) -> bool:
        """Whether another place of the same execution got its result, as can be after a revision."""
        if record.ev != "tool.completed":
            return False
        key = (_execution(record.step), as_text(record.data.get("in")))
        return record.step in self._taken.get(key, ())

    def take(self, path: str, asked: str) -> Record | None:
        """A finished call of this delegation asked the same, in another attempt or before a revision; or one
        of an agent that the team had before it was edited."""
        execution, since = _execution(path), self._revisions.redone(path)
        taken = self._taken[(execution, asked)]
        for record in self._finished.get((any_attempt(execution), asked), ()):
            if record.step not in taken | self._kept and self._is_earlier(record, execution):
                taken.add(record.step)
                return record
        for record in self._left.get(asked, ()):
            wanted = max(since, self._revisions.redone(record.step))
            if record.step not in self._inherited and record.seq > wanted:
                self._inherited.add(record.step)
                return record
        return None

    def uncertain(self, path: str, asked: str) -> Record | None:
        """The start of such a call that was under way when the process died, where its agent is gone."""
        since = self._revisions.redone(path)
        starts = (one for one in self._under_way.values() if one.data.get("in") == asked)
        return next((one for one in starts if one.seq > since), None)

    def _is_earlier(self, record: Record, execution: str) -> bool:
        if record.seq < self._revisions.redone(record.step):
            return False
        return _execution(record.step) != execution or not self._revisions.precede(record)


def _execution(step: str) -> str:
    """The execution of a tool step, whose path ends with `turn-<k>/call-<i>.<tool>`."""
    return step.rsplit("/", 2)[0]
