"""A `Model` over a transport that speaks chat completions: body, answer, deadline, price; one attempt a call.

What a server says it does not understand is said otherwise once, without counting as a failure.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol

from agentctl.errors import ModelError
from agentctl.jsontypes import Json, JsonObject
from agentctl.models.answers import Assembly
from agentctl.models.body import Dialect, request_body
from agentctl.models.failures import model_error
from agentctl.models.located import Reach, located
from agentctl.models.messages import ModelRequest, Reply
from agentctl.models.model import Notify
from agentctl.models.prices import cost
from agentctl.spec.settings import ModelSettings

LONGEST_SILENCE: Final = 600.0
"""Seconds in which something of a reply must come, where the file states no `timeout`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A piece of a stream (`chat.completion.chunk`), a whole `chat.completion`, or the stream's end mark."""

    kind: Literal["piece", "whole", "end"]
    value: JsonObject


class Transport(Protocol):
    """Carries one body to a server and its answer back. Raises `ModelError` and nothing else of its own."""

    model: str
    """The name the server knows the model by."""

    async def prepare(self) -> None:
        """Loads what is needed; not part of any deadline."""
        ...

    def answer(self, body: dict[str, Json]) -> AsyncGenerator[Part, None]: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class _Silence:
    """The time in which something must come, which begins anew with whatever comes."""

    clock: asyncio.Timeout
    seconds: float

    def broken(self) -> None:
        self.clock.reschedule(asyncio.get_running_loop().time() + self.seconds)


class ChatModel:
    """`reach` is what its failures are told with."""

    def __init__(
        self, settings: ModelSettings, *, dialect: Dialect, transport: Transport, reach: Reach | None = None
    ) -> None:
        self._settings = settings
        self._reach = reach or Reach()
        self._dialect = dialect
        self._transport = transport

    @property
    def id(self) -> str:
        return self._settings.id

    async def reply(self, request: ModelRequest, notify: Notify) -> Reply:
        await self._transport.prepare()
        body = self._body(request)
        unpriced = 0
        while True:
            try:
                reply = await self._attempt(body, request, notify)
                return replace(reply, unpriced=unpriced) if unpriced else reply
            except ModelError as error:
                error.unpriced = unpriced = error.unpriced + unpriced
                other = self._said_otherwise(error, request, body)
                if other is None:
                    raise located(error, self._reach) from error.__cause__
                body = other

    async def close(self) -> None:
        await self._transport.close()

    def _body(self, request: ModelRequest) -> dict[str, Json]:
        return request_body(request, self._settings, model=self._transport.model, dialect=self._dialect)

    async def _attempt(self, body: dict[str, Json], request: ModelRequest, notify: Notify) -> Reply:
        assembly = Assembly()
        try:
            await self._received(assembly, body, notify)
        except ModelError as error:
            error.unpriced = error.unpriced or int(assembly.any)  # what was written may be charged for
            raise
        reply = assembly.reply(request, self.id)
        return replace(reply, cost_usd=cost(self._settings, assembly.usage))

    async def _received(self, assembly: Assembly, body: dict[str, Json], notify: Notify) -> None:
        seconds = LONGEST_SILENCE if self._settings.timeout is None else self._settings.timeout
        try:
            async with asyncio.timeout(seconds) as silence:
                await self._gathered(assembly, body, notify, _Silence(silence, seconds))
        except TimeoutError:
            came = "nothing more of it came" if assembly.any else "nothing of it came"
            raise model_error("timeout", self.id, f"{came} for {seconds:g} s") from None
        if assembly.any and not assembly.finished:
            raise model_error("connection", self.id, "the reply broke off before its end")

    async def _gathered(
        self, assembly: Assembly, body: dict[str, Json], notify: Notify, silence: _Silence
    ) -> None:
        async with aclosing(self._transport.answer(body)) as answer:
            async for part in answer:
                silence.broken()
                if part.kind == "end":
                    assembly.finished = True
                    continue
                text = assembly.add_whole(part.value) if part.kind == "whole" else assembly.add(part.value)
                if text:
                    notify({"ev": "model.text", "text": text})
        if assembly.thinking.rest:
            notify({"ev": "model.text", "text": assembly.thinking.rest})

    def _said_otherwise(
        self, error: ModelError, request: ModelRequest, body: dict[str, Json]
    ) -> dict[str, Json] | None:
        """Another body for a request that was refused for how it was put, or None."""
        while error.kind == "bad_request":
            other = self._body(request)  # a call beside this one may have learnt it already
            if other != body:
                return other
            if not self._dialect.learn(error.message):
                break
        return None
