"""What `append` gives: the record at once, and when awaited, that it is on the disk."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from typing import Any, TypeAlias

from agentctl.journal.records import Record

Synced: TypeAlias = Callable[[int], Coroutine[Any, Any, None]]
"""Returns when the record of that `seq` is synced; raises `JournalError`."""


class Ticket:
    """Nobody needs to await it: only awaiting makes the writer hurry, and only it can raise."""

    __slots__ = ("_synced", "record")

    def __init__(self, record: Record, synced: Synced) -> None:
        self.record = record
        self._synced = synced

    def __await__(self) -> Generator[Any, None, Record]:
        yield from self._synced(self.record.seq).__await__()
        return self.record
