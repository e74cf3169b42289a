"""Loads a client library once, in a thread of its own, so that the loop does not wait for it.

Nor does an exit: an import that is under way by then ends at the next module that it comes to. Left alone, it
would be killed where it stands, and a library in C++ or Rust then ends the whole process with an abort.
"""

from __future__ import annotations

import asyncio
import atexit
import sys
from collections.abc import Callable
from concurrent.futures import Future
from importlib.abc import MetaPathFinder
from threading import Lock, Thread, current_thread
from typing import Final

_LOCK: Final = Lock()
_BEGUN: Final[dict[str, Future[None]]] = {}
_THREADS: Final[list[Thread]] = []
_PATIENCE: Final = 5.0
"""Seconds for one module to be loaded; one that hangs must not keep the process."""


def begin_loading(name: str, load: Callable[[], object]) -> Future[None]:
    """Begins to run `load` unless that has begun under this name."""
    with _LOCK:
        future = _BEGUN.get(name)
        if future is None:
            future = _BEGUN[name] = Future()
            future.set_running_or_notify_cancel()
            thread = Thread(target=_run, args=(load, future), name=f"load {name}", daemon=True)
            if not _THREADS:
                atexit.register(_leave)
            _THREADS.append(thread)
            thread.start()
    return future


async def loaded(name: str, load: Callable[[], object]) -> None:
    """Returns once it is loaded; what loading raised is raised here."""
    future = begin_loading(name, load)
    if not future.done():
        await asyncio.shield(asyncio.wrap_future(future))
    future.result()


def _run(load: Callable[[], object], future: Future[None]) -> None:
    try:
        load()
    except BaseException as error:  # whatever an import raises belongs to whoever waits for it
        future.set_exception(error)
    else:
        future.set_result(None)


class _Left(BaseException):
    """Nobody waits for the import any more; no library takes it for a module that is missing."""


class _NoMore(MetaPathFinder):
    """Finds nothing, and ends the thread of ours that asks."""

    def find_spec(self, *_asked: object) -> None:
        if current_thread() in _THREADS:
            raise _Left


def _leave() -> None:
    """Returns when nothing is loaded any more: after it, the interpreter kills what threads there are."""
    if any(thread.is_alive() for thread in _THREADS):
        sys.meta_path.insert(0, _NoMore())
        for thread in _THREADS:
            thread.join(_PATIENCE)
