"""Loads a client library once, in a daemon thread, so that neither the loop nor an exit waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Final

_LOCK: Final = Lock()
_BEGUN: Final[dict[str, Future[None]]] = {}


def begin_loading(name: str, load: Callable[[], object]) -> Future[None]:
    """Begins to run `load` unless that has begun under this name."""
    with _LOCK:
        future = _BEGUN.get(name)
        if future is None:
            future = _BEGUN[name] = Future()
            future.set_running_or_notify_cancel()
            Thread(target=_run, args=(load, future), name=f"load {name}", daemon=True).start()
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
