"""What shows a run while it goes on, whatever it is shown on."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from agentctl.jsontypes import JsonObject


class Display(Protocol):
    def event(self, event: JsonObject) -> None:
        """Told everything in order, on the thread that runs the team. Never raises."""
        ...

    def recall(self, events: Iterable[JsonObject]) -> None:
        """What was recorded before, so that what follows can be told; it is not told again itself."""
        ...

    def paused(self) -> AbstractContextManager[None]:
        """While a person is asked, nothing is drawn."""
        ...

    def close(self) -> None:
        """Leaves the terminal as it was; nothing is shown after it."""
        ...


class SilentDisplay:
    """Shows nothing: for `--quiet` and `--json`."""

    def event(self, event: JsonObject) -> None:
        """Nothing is shown."""

    def recall(self, events: Iterable[JsonObject]) -> None:
        """Nothing has to be known."""

    def paused(self) -> AbstractContextManager[None]:
        return nullcontext()

    def close(self) -> None:
        """Nothing was drawn."""
