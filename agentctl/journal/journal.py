"""What the engine asks of a journal, whether it is a file or memory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from agentctl.journal.records import Record
from agentctl.jsontypes import Json, JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """An answer or a wish left by another process: `kind` is `answer` (to the question of `step`) or
    `cancel`; `name` is that of its file."""

    kind: str
    step: str
    value: Json
    name: str


class Journal(Protocol):
    @property
    def records(self) -> Sequence[Record]:
        """Everything recorded so far, in order, what was read at the start included."""
        ...

    def last(self, step: str, things: Sequence[str], asked: str | None = None) -> Record | None:
        """The newest record of that step whose `ev` is one of `things`; a look-up, not a search.

        With `asked`, the newest one that was recorded for that input (`in`).
        """
        ...

    def append(self, ev: str, step: str = "", data: JsonObject | None = None) -> Awaitable[Record]:
        """Puts a record in line at once, in order; awaiting the result waits until it is synced.

        Not awaiting is allowed: the record then rides along with the next batch. Raises
        `JournalError` once any write or sync has failed.
        """
        ...

    @property
    def durable(self) -> int:
        """The `seq` up to which everything is synced."""
        ...

    def watch(self, changed: Callable[[], None]) -> None:
        """From now on calls `changed`, on the event loop that runs now, whenever `durable` has grown."""
        ...

    async def flush(self) -> None:
        """Returns when everything appended so far is synced."""
        ...

    def spill(self, name: str, text: str) -> str:
        """Keeps a long text beside the run, fsynced, and gives its path to show."""
        ...

    def spilled(self, name: str) -> str | None:
        """The long text that was kept by that name, or None."""
        ...

    def keep(self, name: str, data: bytes) -> str:
        """Keeps what is no text beside the run, fsynced, and gives its path to show."""
        ...

    def signals(self) -> Sequence[Signal]:
        """What other processes left that is not yet in the journal, oldest first."""
        ...

    def alone(self) -> AbstractContextManager[None]:
        """No other process leaves anything meanwhile."""
        ...

    def forget(self, signal: Signal) -> None:
        """Removes a signal that is now on record."""
        ...

    async def close(self) -> None: ...
