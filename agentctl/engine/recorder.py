"""The one way into the journal: what is put on record is also told to whoever listens."""

from __future__ import annotations

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

    def record(self, ev: str, step: str = "", data: JsonObject | None = None) -> Awaitable[Record]:
        """In line at once; await it where nothing may go on before it is synced."""
        appended = self.journal.append(ev, step, data)
        if self._listen is not None:
            self._listen(self.journal.records[-1].as_json())
        return appended

    def emit(self, event: JsonObject) -> None:
        if self._listen is not None:
            self._listen(event)
