"""Runs one foreign function to its end: sync ones in a daemon thread, async ones on a loop beside this one.

Whatever awaitable comes back is awaited. How it ended is a value, so that nothing foreign code raises can
stop the event loop. It knows nothing of tools, arguments or texts.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import AsyncIterator, Awaitable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final, TypeAlias

from agentctl.errors import ToolError
from agentctl.jsontypes import Json, to_json
from agentctl.tools.capture import Route, routed
from agentctl.tools.function_loop import elsewhere

GRACE: Final = 0.5
"""Seconds that a cancelled async function gets to clean up before it is left to itself."""


MOST_ITEMS: Final = 100_000
"""That a function may give one by one: those of an iterator without an end would fill the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    value: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    error: BaseException


@dataclass(frozen=True, slots=True, kw_only=True)
class Overdue:
    """It did not end in time, and may still be running."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unfinished:
    """A function called in a thread gave something that only a loop can finish."""

    value: object

    def discard(self) -> None:
        if inspect.iscoroutine(self.value):
            self.value.close()


Ending: TypeAlias = Returned | Raised | Overdue


async def run_function(work: partial[object], route: Route, timeout: float | None = None) -> Ending:  # noqa: ASYNC109  the function goes on after it, which asyncio.timeout cannot do
    """Calls `work()`; what it prints goes to `route`; `timeout` is in seconds.

    Raises cancellation only. What is no longer waited for goes on by itself and keeps no process from ending.
    """
    task = asyncio.create_task(_on_loop(work, route) if _is_async(work.func) else _in_thread(work, route))
    overdue = False
    try:
        await asyncio.wait({task}, timeout=timeout)
        overdue = not task.done()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=GRACE)
    if overdue:
        return Overdue()
    # nobody here cancelled it: the function raised CancelledError by itself
    return Raised(error=asyncio.CancelledError()) if task.cancelled() else task.result()


def _is_async(function: object) -> bool:
    while isinstance(function, partial):
        function = function.func
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(type(function), "__call__", None)  # noqa: B004  the method is wanted, not whether there is one
    )


async def _on_loop(work: partial[object], route: Route) -> Ending:
    try:
        return await elsewhere(partial(_finished, work, route))
    except RuntimeError as error:  # the system has no thread left to give
        return Raised(error=error)


async def _in_thread(work: partial[object], route: Route) -> Ending:
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[Ending | _Unfinished] = loop.create_future()
    context = contextvars.copy_context()

    def deliver(ending: Ending | _Unfinished) -> None:
        if not ended.done():
            ended.set_result(ending)
        elif isinstance(ending, _Unfinished):
            ending.discard()

    def body() -> None:
        ending = context.run(_called, work, route)
        try:
            loop.call_soon_threadsafe(deliver, ending)
        except RuntimeError:  # the loop has ended, and with it whoever waited
            if isinstance(ending, _Unfinished):
                ending.discard()

    try:
        threading.Thread(target=body, name="agentctl-function", daemon=True).start()
    except RuntimeError as error:  # as above
        return Raised(error=error)
    ending = await ended
    if not isinstance(ending, _Unfinished):
        return ending
    return await _on_loop(partial(_same, ending.value), route)


def _called(work: partial[object], route: Route) -> Ending | _Unfinished:
    with routed(route):
        try:
            value = work()
            if inspect.isawaitable(value) or isinstance(value, AsyncIterator):
                return _Unfinished(value=value)
            return Returned(value=_json(value))
        except BaseException as error:  # also SystemExit, which here would end only this thread
            return Raised(error=error)


async def _finished(work: partial[object], route: Route) -> Ending:
    with routed(route):
        try:
            value = work()
            while inspect.isawaitable(value):
                value = await _awaited(value)
            if isinstance(value, AsyncIterator):
                value = await _collected(value)
            return Returned(value=_json(value))
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # SystemExit would go straight through the event loop
            return Raised(error=error)


async def _collected(values: AsyncIterator[object]) -> list[object]:
    items: list[object] = []
    async for item in values:
        items.append(item)
        if len(items) > MOST_ITEMS:
            raise _endless()
    return items


def _endless() -> ToolError:
    return ToolError(f"it gave more than {MOST_ITEMS:,} items one by one; none of them was kept")


async def _awaited(value: Awaitable[object]) -> object:
    return await value


def _same(value: object) -> object:
    return value


def _json(value: object) -> Json:
    """Lazy results are read here, where what they raise still counts as raised by the function.

    One without an end is its mistake, too: nothing of it is told as if it were all.
    """
    if not isinstance(value, Iterator):
        return to_json(value)
    items = list(islice(value, MOST_ITEMS + 1))
    if len(items) > MOST_ITEMS:
        raise _endless()
    return to_json(items)
