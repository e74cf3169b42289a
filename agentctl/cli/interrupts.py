"""Ctrl-C and SIGTERM: the first stops the work cleanly, the second ends the process at once.

Work that does not stop within the time allowed is left behind: everything finished is on record.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from agentctl.api.toolsets import end_servers
from agentctl.cli.failures import INTERRUPTED

GRACE: Final = 0.5
"""Seconds from the first signal to the end, so that the whole stays within one on a busy machine too."""
OWN_THREADS: Final = 2
"""The main thread and the timer of an interrupt: any other is of work that was left behind."""


class Interrupts:
    """`give_up` says the last words when the work hangs; `restore` makes the terminal usable again."""

    def __init__(self, give_up: Callable[[], object], restore: Callable[[], object]) -> None:
        self._give_up = give_up
        self._restore = restore
        self._stop: Callable[[], object] | None = None
        self._timer: threading.Timer | None = None
        self.terminated = False
        """Whether it was SIGTERM, which is for the whole process."""

    @property
    def happened(self) -> bool:
        return self._timer is not None

    @contextmanager
    def cancelling(self, cancel: Callable[[], object]) -> Iterator[None]:
        """Inside, the first signal calls `cancel` on the running loop, also one that came before."""
        loop = asyncio.get_running_loop()
        self._stop = lambda: loop.call_soon_threadsafe(cancel)
        try:
            if self.happened:
                cancel()
            yield
        finally:
            self._stop = None

    def stop(self) -> None:
        """As the first signal does."""
        if self._timer is None:
            self._timer = threading.Timer(GRACE, self._leave)
            self._timer.daemon = True
            self._timer.start()
            if self._stop is not None:
                self._stop()

    @contextmanager
    def installed(self) -> Iterator[None]:
        before = {number: signal.signal(number, self._received) for number in _signals()}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            if self._timer is not None:
                self._timer.cancel()

    def _received(self, number: int, _frame: FrameType | None) -> None:
        self.terminated = self.terminated or number == signal.SIGTERM
        if self._timer is None:
            self.stop()
            return
        self._restore()
        end_servers()
        os._exit(INTERRUPTED)

    def _leave(self) -> None:
        self._give_up()
        end_servers()
        os._exit(INTERRUPTED)


def _signals() -> tuple[signal.Signals, ...]:
    return (signal.SIGINT, signal.SIGTERM)
