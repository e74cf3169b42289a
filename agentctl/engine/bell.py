"""Wakes everyone who waits for something to change."""

from __future__ import annotations

import asyncio


class Bell:
    def __init__(self) -> None:
        self._listeners: set[asyncio.Future[None]] = set()

    def ring(self) -> None:
        for listener in self._listeners:
            if not listener.done():
                listener.set_result(None)
        self._listeners.clear()

    def heard(self) -> asyncio.Future[None]:
        """Listens from this moment on; await it."""
        listener: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._listeners.add(listener)
        listener.add_done_callback(self._listeners.discard)
        return listener
