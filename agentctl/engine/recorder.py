"""The one way into the journal: what is put on record is also told to whoever listens, once it is durable.

What begins is told at once. Everything else is held back until its record is on the disk, and whatever comes
after it with it, so that all is told in order and nothing that a power cut could take.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable

from agentctl.journal.journal import Journal
from agentctl.journal.records import Record
from agentctl.jsontypes import JsonObject

Listener = Callable[[JsonObject], None]
"""Told every record as `Record.as_json()`, and what happens between records (streamed text, retries)."""


class Recorder:
    def __init__(self, journal: Journal, listen: Listener | None = None) -> None:
        self.journal = journal
        self.listened = listen is not None
        self._listen = listen
        self._held: deque[tuple[int, JsonObject]] = deque()
        """(the `seq` that must be durable before it is told, the event), in order."""
        if listen is not None:
            journal.watch(self._tell)

    def record(self, ev: str, step: str = "", data: JsonObject | None = None) -> Awaitable[Record]:
        """In line at once; await it where nothing may go on before it is synced."""
        appended = self.journal.append(ev, step, data)
        if self._listen is not None:
            record = self.journal.records[-1]
            self._hold(0 if ev.endswith(".started") else record.seq, record.as_json())
        return appended

    def emit(self, event: JsonObject) -> None:
        if self._listen is not None:
            self._hold(0, event)

    async def told(self) -> None:
        """Returns when everything recorded so far is durable and was told."""
        await self.journal.flush()
        if self._listen is not None:
            self._tell()

    def _hold(self, seq: int, event: JsonObject) -> None:
        self._held.append((seq, event))
        self._tell()

    def _tell(self) -> None:
        assert self._listen is not None
        durable = self.journal.durable
        while self._held and self._held[0][0] <= durable:
            self._listen(self._held.popleft()[1])
