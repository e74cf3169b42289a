"""Runs coroutines of foreign functions on a loop in a thread beside the one that runs the team.

One that blocks its loop holds up neither the run nor its time limits, and the others only for a while: what
the loop does not take in time goes to a new one. All others share theirs, and with it their clients.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Final, Generic, TypeVar

TAKEN: Final = 5.0
"""Seconds that a loop may be blocked before further calls get another one."""
_END: Final = 0.5
"""Seconds that what still runs may take to clean up when the loop ends."""
_T = TypeVar("_T")


async def elsewhere(work: Callable[[], Coroutine[object, object, _T]]) -> _T:
    """What `work()` gives, which must not raise, run in a copy of this context.

    Cancellation reaches it there and is over here when it has ended there; a second one does not wait.
    Raises RuntimeError where the system has no thread left to give.
    """
    while True:
        loop = await _loop_here()
        call = _Call(work, loop)
        loop.post(call.begin)
        try:
            await asyncio.wait({call.begun}, timeout=TAKEN)
            if call.withdraw():
                _leave(asyncio.get_running_loop(), loop)
                continue
            return await asyncio.shield(call.ended)
        except asyncio.CancelledError:
            if not call.withdraw():
                loop.post(call.cancel)
                await call.ended
            raise


class _Loop:
    """Runs until `end`, also past a SystemExit in a task that a function started; `held` is what ends it."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self.held: AsyncGenerator[None, None] | None = None
        self._is_over = False
        self._tasks: set[asyncio.Task[object]] = set()
        self._thread = threading.Thread(target=self._serve, name="agentctl-async-functions", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:
            self._loop.close()
            raise

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def post(self, callback: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # it has ended, and all that ran on it
            self._loop.call_soon_threadsafe(callback)

    def task(self, work: Coroutine[object, object, _T], context: contextvars.Context) -> asyncio.Task[_T]:
        """It is kept until it is done: asyncio itself forgets one that waits for what nobody else holds."""
        task = self._loop.create_task(work, context=context)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def end(self) -> None:
        """Cancels what still runs on it, and waits a moment for that."""
        self._is_over = True
        self.post(self._loop.stop)
        if threading.current_thread() is not self._thread:
            self._thread.join(_END)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        while not self._is_over:
            with suppress(BaseException):
                self._loop.run_forever()
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        with suppress(BaseException):
            if left:
                self._loop.run_until_complete(asyncio.wait(left, timeout=_END))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()


_loops: Final[dict[asyncio.AbstractEventLoop, _Loop]] = {}
"""By the loop that runs the team."""


async def _loop_here() -> _Loop:
    home = asyncio.get_running_loop()
    found = _loops.get(home)
    if found is None or not found.is_alive:  # threads do not come along into a forked process
        found = _Loop()
        found.held = _held(home, found)
        await anext(found.held)
    return found


async def _held(home: asyncio.AbstractEventLoop, loop: _Loop) -> AsyncGenerator[None, None]:
    """`asyncio.run` closes the generators that its loop has begun: that ends this loop with that one."""
    _loops[home] = loop
    try:
        yield
    finally:
        _leave(home, loop)
        loop.end()


def _leave(home: asyncio.AbstractEventLoop, loop: _Loop) -> None:
    """Further calls get another one; what runs on this one goes on there."""
    if _loops.get(home) is loop:
        del _loops[home]


class _Call(Generic[_T]):
    """Either the loop begins it or it is withdrawn, never both. The futures belong to the caller's loop."""

    def __init__(self, work: Callable[[], Coroutine[object, object, _T]], loop: _Loop) -> None:
        self._home = asyncio.get_running_loop()
        self._context = contextvars.copy_context()
        self._work = work
        self._loop = loop
        self._claim = threading.Lock()
        self._task: asyncio.Task[_T] | None = None
        self.begun: asyncio.Future[None] = self._home.create_future()
        self.ended: asyncio.Future[_T] = self._home.create_future()

    def begin(self) -> None:
        self._task = self._loop.task(self._begun(), self._context)
        self._task.add_done_callback(self._deliver)

    async def _begun(self) -> _T:
        """The claim comes with the first step, which another task holds up while it blocks the loop."""
        if not self._claim.acquire(blocking=False):
            raise asyncio.CancelledError
        self._at_home(partial(_mark, self.begun))
        return await self._work()

    def withdraw(self) -> bool:
        """Whether it was not begun, and will not be."""
        return self._claim.acquire(blocking=False)

    def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _deliver(self, task: asyncio.Task[_T]) -> None:
        self._at_home(partial(_hand_over, self.ended, task))

    def _at_home(self, callback: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # the caller's loop has ended, and with it whoever waited
            self._home.call_soon_threadsafe(callback)


def _hand_over(ended: asyncio.Future[_T], task: asyncio.Task[_T]) -> None:
    if task.cancelled():
        ended.cancel()
    elif not ended.done():
        ended.set_result(task.result())


def _mark(begun: asyncio.Future[None]) -> None:
    if not begun.done():
        begun.set_result(None)
