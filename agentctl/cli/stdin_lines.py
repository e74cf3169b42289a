"""Lines of stdin, each read on a thread that does not keep the process alive when nobody answers.

A question may be given up while its line is still being read: whatever is typed then is for whoever asks by
that time, on another event loop or on none, and dropped where nobody does.
"""

from __future__ import annotations

import asyncio
import queue
import sys
import threading
from contextlib import suppress


class StdinLines:
    def __init__(self) -> None:
        self._read: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._asked: tuple[asyncio.AbstractEventLoop, asyncio.Future[str]] | None = None
        self._reading = False

    @property
    def reading(self) -> bool:
        """Whether a line is under way that nobody took yet."""
        return self._reading

    def __call__(self) -> asyncio.Future[str]:
        """The next line from now on, with its line end; empty at the end of the input.

        Call it before the prompt is shown, so that nothing typed at that prompt is taken for an earlier line.
        """
        loop = asyncio.get_running_loop()
        if not self._read.empty():
            self._take()
        asked: asyncio.Future[str] = loop.create_future()
        self._asked = loop, asked
        self._begin()
        return asked

    def wait(self) -> str:
        """The same, for whoever has no event loop; Ctrl-C ends the waiting, not the reading."""
        self._begin()
        return self._take()

    def _begin(self) -> None:
        if not self._reading:
            self._reading = True
            threading.Thread(target=self._read_one, daemon=True, name="ask").start()

    def _read_one(self) -> None:
        try:
            text = sys.stdin.readline()
        except (OSError, ValueError):
            text = ""
        self._read.put(text)
        if self._asked is not None:
            with suppress(RuntimeError):  # that loop has ended
                self._asked[0].call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        if self._read.empty():
            return
        text = self._take()
        if self._asked is not None and not self._asked[1].done():
            self._asked[1].set_result(text)

    def _take(self) -> str:
        text = self._read.get()
        self._reading = False
        return text
