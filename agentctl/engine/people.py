"""Questions to people: asked at a terminal, else left open on record until an answer arrives.

An answer from another process or from a resume is a signal; the first one to a question counts.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from agentctl.engine.limits import Meter
from agentctl.engine.pause import Paused
from agentctl.jsontypes import Json, JsonObject

if TYPE_CHECKING:
    from agentctl.engine.run import Run

Ask = Callable[[JsonObject], Awaitable[Json]]
"""Puts a question to the person at the terminal; None means there was no answer."""


class People:
    """`open` holds every question that waits, by step."""

    def __init__(self, run: Run, ask: Ask | None) -> None:
        self._run = run
        self._ask = ask
        self.open: dict[str, JsonObject] = {}

    async def answer(self, path: str, request: JsonObject, meter: Meter, since: int = 0) -> Json:
        """The answer to a question that has none on record; raises Paused where nobody can give it.

        `since`: only answers recorded later than that count.
        """
        given = self._run.signal_for(path, since)
        if given is None and self._ask is not None:
            began = time.monotonic()
            with meter.waiting():
                given = await self._ask({**request, "step": path})
            if given is not None:
                waited = round((time.monotonic() - began) * 1000, 3)
                await self._completed(path, given, waited)
                return given
        if given is not None:
            await self._completed(path, given, 0)
            return given
        self.open[path] = request
        if self._run.journal.last(path, ("wait.started",)) is None:
            self._run.record("wait.started", path, {"request": request})
        raise Paused

    async def _completed(self, path: str, answer: Json, ms: float) -> None:
        self.open.pop(path, None)
        await self._run.record("wait.completed", path, {"answer": answer, "ms": ms})

    def waiting_for(self, command: Callable[[str, Mapping[str, Json], int], str]) -> list[Json]:
        """Every open question as results list it, with the command that answers it."""
        return [
            {
                "step": step,
                "kind": request.get("kind"),
                "question": request.get("question"),
                "choices": request.get("choices"),
                "command": command(step, request, len(self.open)),
            }
            for step, request in self.open.items()
        ]
