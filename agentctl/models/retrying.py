"""A model that is asked again when it may answer after all, and the models to ask when it does not.

Retries: rate limits, timeouts, dropped connections, failing servers, answers that are no answers. What
cannot be mended by waiting (a key, a refused request, an empty account) is raised at once.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from agentctl.errors import ModelError, ModelErrorKind
from agentctl.jsontypes import JsonObject
from agentctl.models.messages import ModelRequest, Reply
from agentctl.models.model import Model, Notify

RETRIES: Final = 4
"""Further attempts where the file states no `retries`: after about 1, 2, 4 and 8 s, or as asked."""
LONGEST_WAITS: Final = 600.0
"""Seconds that all pauses of one call may take together; a server that asks for more is not waited for."""

_FIRST_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 30.0
_PASSING: Final[frozenset[ModelErrorKind]] = frozenset(
    {"rate_limit", "timeout", "connection", "server", "bad_response"}
)
_OTHERS_MAY: Final[frozenset[ModelErrorKind]] = _PASSING | {
    "quota", "not_found", "context_overflow", "refused", "unreadable",
}  # fmt: skip


class Retrying:
    """`pause` sleeps and `draw` gives a number in [0, 1): replaced where time and chance must not play."""

    def __init__(
        self,
        inner: Model,
        *,
        retries: int | None = None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self._inner = inner
        self._retries = RETRIES if retries is None else retries
        self._pause = pause
        self._draw = draw

    @property
    def id(self) -> str:
        return self._inner.id

    async def reply(self, request: ModelRequest, notify: Notify) -> Reply:
        waited, unpriced = 0.0, 0
        attempt = 1
        while True:
            heard = _Listener(notify)
            try:
                return _with_unpriced(await self._inner.reply(request, heard), unpriced)
            except ModelError as error:
                error.unpriced = unpriced = error.unpriced + unpriced
                wait = self._wait(error, attempt)
                if error.kind not in _PASSING or attempt > self._retries:
                    raise _counted(error, attempt) from error.__cause__
                if waited + wait > LONGEST_WAITS:
                    raise _too_long(_counted(error, attempt), wait) from error.__cause__
                heard.void()
                notify({"ev": "model.retrying", "attempt": attempt, "wait_s": wait, "error": error.as_json()})
            await self._pause(wait)
            waited += wait
            attempt += 1

    async def close(self) -> None:
        await self._inner.close()

    @property
    def inner(self) -> Model:
        return self._inner

    def unhurried_by(self, pause: Callable[[float], Awaitable[None]]) -> Retrying:
        """The same with another way to wait, and without chance."""
        return Retrying(self._inner, retries=self._retries, pause=pause, draw=lambda: 0.0)

    def _wait(self, error: ModelError, attempt: int) -> float:
        """What the server asks for, to the letter; else a doubling pause, less up to half by chance."""
        if error.retry_after is not None:
            return error.retry_after
        longest = min(_FIRST_PAUSE * 2.0 ** (attempt - 1), _LONGEST_PAUSE)
        return round(longest * (1 - self._draw() / 2), 3)


class Fallbacks:
    """Asks each model in turn while the one before fails in a way that another model may not.

    A key that is not accepted and a refused request end the call: they are for the author of the file to
    mend, not to be hidden behind another model. So does a conversation that is too
    long, while it can be made shorter.
    """

    def __init__(self, first: Model, others: tuple[Model, ...]) -> None:
        self._first = first
        self._others = others

    @property
    def id(self) -> str:
        return self._first.id

    async def reply(self, request: ModelRequest, notify: Notify) -> Reply:
        failed: list[ModelError] = []
        unpriced = 0
        for model in (self._first, *self._others):
            heard = _Listener(notify)
            if failed:
                notify({"ev": "model.fallback", "model": model.id, "error": failed[-1].as_json()})
            try:
                return _with_unpriced(await model.reply(request, heard), unpriced)
            except ModelError as error:
                heard.void()
                unpriced += error.unpriced
                if error.kind == "context_overflow" and request.shrinks:
                    raise
                failed.append(error)
                if error.kind not in _OTHERS_MAY:
                    break
        raise _all_failed(failed) from failed[0].__cause__

    async def close(self) -> None:
        for model in (self._first, *self._others):
            await model.close()


class _Listener:
    """Passes events on and remembers whether text went out that a failure makes void."""

    def __init__(self, notify: Notify) -> None:
        self._notify = notify
        self._spoke = False

    def __call__(self, event: JsonObject) -> None:
        if event.get("ev") == "model.text":
            self._spoke = True
        elif event.get("ev") == "model.restarted":
            self._spoke = False
        self._notify(event)

    def void(self) -> None:
        if self._spoke:
            self._notify({"ev": "model.restarted"})


def _counted(error: ModelError, attempts: int) -> ModelError:
    return error if attempts == 1 else error.worded(f"{error.message} (after {attempts} attempts)")


def _all_failed(failed: list[ModelError]) -> ModelError:
    """The first model's failure, with what became of its fallbacks."""
    first, *others = failed
    if not others:
        return first
    found = first.worded("; then ".join([first.message, *(other.message for other in others)]))
    found.unpriced = sum(each.unpriced for each in failed)
    return found


def _too_long(error: ModelError, wait: float) -> ModelError:
    asked = f"; the next try would have to wait {wait:g} s, and a call waits {LONGEST_WAITS:g} s at most"
    return error.worded(error.message + asked, "go on later: what is finished is kept")


def _with_unpriced(reply: Reply, attempts: int) -> Reply:
    return replace(reply, unpriced=reply.unpriced + attempts) if attempts else reply
