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

    async def answer(
        self, path: str, request: JsonObject, meter: Meter, *, asked: str = "", since: int = 0
    ) -> Json:
        """The answer, on record or given now; raises Paused where nobody can give it.

        The question is known to people as `asked`, by default its own path. Only answers recorded after
        `since` count.
        """
        done = self._run.journal.last(path, ("wait.completed",))
        if done is not None:
            return done.data.get("answer")
        asked = asked or path
        given = self._run.signal_for(asked, since)
        if given is None and self._ask is not None:
            began = time.monotonic()
            with meter.waiting():
                given = await self._ask({**request, "step": asked})
            if given is not None:
                waited = round((time.monotonic() - began) * 1000, 3)
                return await self._answered(path, given, waited)
        if given is not None:
            return await self._answered(path, given, 0)
        self.open[asked] = request
        if self._run.journal.last(path, ("wait.started",)) is None:
            self._run.record("wait.started", path, {"request": request})
        raise Paused

    async def _answered(self, path: str, answer: Json, ms: float) -> Json:
        await self._run.record("wait.completed", path, {"answer": answer, "ms": ms})
        return answer

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
