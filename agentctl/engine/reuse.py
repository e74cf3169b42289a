"""Finished effects of earlier attempts: a retried specialist gets their results, not a second effect."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from agentctl.engine.paths import any_attempt
from agentctl.journal.records import Record
from agentctl.jsontypes import as_text


class Reuse:
    """Finished tool calls by (execution without attempts, what was asked), each given out once an attempt."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._finished: dict[tuple[str, str], list[Record]] = defaultdict(list)
        self._taken: dict[tuple[str, str], set[str]] = defaultdict(set)
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        """Refused calls had no effect; a reused one marks its source as given out."""
        if record.ev != "tool.completed" or "refused" in record.data:
            return
        execution, asked = _execution(record.step), as_text(record.data.get("in"))
        if "reused" in record.data:
            self._taken[(execution, asked)].add(as_text(record.data.get("reused")))
        else:
            self._finished[(any_attempt(execution), asked)].append(record)

    def take(self, path: str, asked: str) -> Record | None:
        """A finished call with these arguments from another attempt of this execution, if one is left."""
        execution = _execution(path)
        taken = self._taken[(execution, asked)]
        for record in self._finished.get((any_attempt(execution), asked), ()):
            if _execution(record.step) != execution and record.step not in taken:
                taken.add(record.step)
                return record
        return None


def _execution(step: str) -> str:
    """The execution of a tool step, whose path ends with `turn-<k>/call-<i>.<tool>`."""
    return step.rsplit("/", 2)[0]
