"""What shows a run while it goes on, whatever it is shown on."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from agentctl.jsontypes import JsonObject


class Display(Protocol):
    def event(self, event: JsonObject) -> None:
        """Told everything in order, on the thread that runs the team. Never raises."""
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

    def paused(self) -> AbstractContextManager[None]:
        return nullcontext()

    def close(self) -> None:
        """Nothing was drawn."""
