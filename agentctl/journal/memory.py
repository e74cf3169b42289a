"""A journal that writes nothing: for runs that are not meant to outlive their process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext

from agentctl.errors import JournalError
from agentctl.journal.journal import Signal
from agentctl.journal.ledger import Clock, Ledger
from agentctl.journal.line import from_line, to_line
from agentctl.journal.records import Record
from agentctl.journal.ticket import Ticket
from agentctl.jsontypes import JsonObject


class MemoryJournal:
    """The `Journal` protocol without a disk. It goes on from `records`.

    `texts` and `kept` hold what was spilled and kept, by name.
    """

    def __init__(self, clock: Clock | None = None, *, records: Iterable[Record] = ()) -> None:
        self._ledger = Ledger(records, clock)
        self._closed = False
        self.texts: dict[str, str] = {}
        self.kept: dict[str, bytes] = {}

    @property
    def records(self) -> Sequence[Record]:
        return self._ledger.records

    def last(self, step: str, things: Sequence[str], asked: str | None = None) -> Record | None:
        return self._ledger.last(step, things, asked)

    def append(self, ev: str, step: str = "", data: JsonObject | None = None) -> Ticket:
        """Through a line and back, so that a record holds the same JSON as one that was read from a file."""
        if self._closed:
            raise JournalError("the journal of this run is closed")
        record = from_line(to_line(self._ledger.draft(ev, step, data or {})))
        assert record is not None, ev
        self._ledger.add(record)
        return Ticket(record, _at_once)

    @property
    def durable(self) -> int:
        return len(self._ledger.records)

    def watch(self, changed: Callable[[], None]) -> None:
        """It grows with the records themselves, so there is nothing to be told later."""

    async def flush(self) -> None:
        """There is nothing to wait for."""

    def spill(self, name: str, text: str) -> str:
        self.texts[name] = text
        return f"memory:{name}"

    def spilled(self, name: str) -> str | None:
        return self.texts.get(name)

    def keep(self, name: str, data: bytes) -> str:
        self.kept[name] = data
        return f"memory:{name}"

    def signals(self) -> Sequence[Signal]:
        """No other process can reach this one."""
        return ()

    def alone(self) -> AbstractContextManager[None]:
        return nullcontext()

    def forget(self, signal: Signal) -> None:
        """There is none to remove."""

    async def close(self) -> None:
        self._closed = True


async def _at_once(_seq: int) -> None:
    """What is kept in memory is as durable as it will ever be."""
