"""Questions to people: asked at a terminal, else left open on record until an answer arrives.

An answer from another process or from a resume is a signal; the first one to a question counts, also
while the question stands at the terminal.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentctl.engine.allowances import Allowances
from agentctl.engine.bell import Bell
from agentctl.engine.limits import Meter
from agentctl.engine.pause import Paused
from agentctl.journal.records import Record
from agentctl.jsontypes import Json, JsonObject, digest

if TYPE_CHECKING:
    from agentctl.engine.run import Run

Ask = Callable[[JsonObject], Awaitable[Json]]
"""Puts a question to the person at the terminal; None means there was no answer."""

_LISTED = ("kind", "question", "choices", "text", "tool", "arguments", "earlier")
_ASIDE = ("agents", "last")
"""What a question shows beside what it asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A question that waits; only answers recorded after `since` are to it."""

    request: JsonObject
    since: int


class People:
    """`open` holds every question that waits, by step; `bell` rings when an answer arrives."""

    def __init__(self, run: Run, ask: Ask | None) -> None:
        self._run = run
        self._ask = ask
        self.bell = Bell()
        self.open: dict[str, Open] = {}
        self._turn = asyncio.Lock()
        self._allowances = Allowances(run.journal)

    async def answer(
        self, path: str, request: JsonObject, meter: Meter, *, known: str = "", since: int = 0
    ) -> Json:
        """The answer, on record or given now; raises Paused where nobody can give it.

        The question is `known` to people by its own path, unless another is given. Only answers recorded
        after `since` count.
        """
        known = known or path
        asked = digest({key: value for key, value in request.items() if key not in _ASIDE})
        done = self._run.wait_kept(path, asked)
        if done is not None:
            return done.data.get("answer")
        began = time.monotonic()
        since = max(since, self._put_on_record(path, known, request, asked))
        self.open[known] = Open(request=request, since=since)
        kept: list[Awaitable[Record]] = []

        def keep(given: Json) -> Awaitable[Record]:
            waited = round((time.monotonic() - began) * 1000, 3)
            data: JsonObject = {"in": asked, "answer": given, "ms": waited}
            kept.append(self._run.record("wait.completed", path, data))
            return kept[0]

        given = self._given(known)
        if given is None and self._ask is not None:
            with meter.waiting():
                given = await self._first(self._ask, known, request, keep)
        if given is None:
            raise Paused([known])
        del self.open[known]
        if not kept:
            keep(given)
        await kept[0]
        return given

    def answered(self, steps: Iterable[str]) -> bool:
        """Whether an answer to one of these questions is there."""
        return any(self._given(step) is not None for step in steps)

    def waiting_for(self, command: Callable[[str, Mapping[str, Json], int], str]) -> list[Json]:
        """Every open question as results list it, with the command that answers it."""
        return [
            {
                "step": step,
                **{key: waits.request[key] for key in (*_LISTED, *_ASIDE) if key in waits.request},
                "command": command(step, waits.request, len(self.open)),
            }
            for step, waits in self.open.items()
        ]

    def _given(self, step: str) -> Json:
        waits = self.open.get(step)
        if waits is None:
            return None
        given = self._run.signal_for(step, waits.since)
        if given is None:
            return self._allowances.answer(waits.request)
        return given

    def _put_on_record(self, path: str, known: str, request: JsonObject, asked: str) -> int:
        """From where on answers count: a question that a revision changed is asked anew, and those to the
        old one are none."""
        started = self._run.journal.last(path, ("wait.started",))
        same = started is not None and started.data.get("in", asked) == asked
        if started is not None and same and not self._run.wait_is_over(path, started):
            return started.seq if started.data.get("anew") is True else 0
        data: dict[str, Json] = {"in": asked, "request": request}
        if known != path:
            data["asks"] = known
        if started is not None:
            data["anew"] = True
        self._run.record("wait.started", path, data)
        return 0 if started is None else self._run.journal.records[-1].seq

    async def _first(
        self, ask: Ask, known: str, request: JsonObject, keep: Callable[[Json], Awaitable[Record]]
    ) -> Json:
        """The answer of the person at the terminal or from elsewhere, whichever comes first."""
        asking = asyncio.ensure_future(self._in_turn(ask, known, request, keep))
        asking.add_done_callback(lambda _: self.bell.ring())
        try:
            while not asking.done():
                given = self._given(known)
                if given is not None:
                    return given
                await self.bell.heard()
            return asking.result()
        finally:
            asking.cancel()

    async def _in_turn(
        self, ask: Ask, known: str, request: JsonObject, keep: Callable[[Json], Awaitable[Record]]
    ) -> Json:
        """Put one after another, so that what one answer settles for the rest of the run is not asked: the
        answer stands in the record before whatever it settles."""
        async with self._turn:
            given = self._given(known)
            if given is None:
                await self._run.told()  # so that all that led here is shown above the question
                given = await ask({**request, "step": known})
                if given is not None:
                    given = await self._first_one(known, given, keep)
            return given

    async def _first_one(self, known: str, typed: Json, keep: Callable[[Json], Awaitable[Record]]) -> Json:
        """What was typed, on record, unless another process has left an answer by now: whoever left it was
        told that it counts."""
        with self._run.journal.alone():
            await self._run.hear()
            left = self._given(known)
            if left is not None:
                return left
            await keep(typed)
            return typed
