"""A run as a live view on a terminal: a tree drawn again in place, what is worth keeping above it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from agentctl.jsontypes import JsonObject
from agentctl.render.event_lines import EventLines
from agentctl.render.live_lines import live_lines
from agentctl.render.story import Story
from agentctl.render.terminal import console

_KEPT: Final = frozenset(
    {
        "decision.completed",
        "execution.failed",
        "limit.warning",
        "model.fallback",
        "resume.differs",
        "revision.planned",
        "revision.recorded",
    }
)


class LiveDisplay:
    """Draws from a thread of its own ten times a second; leaves only the lines worth keeping."""

    def __init__(self, stream: TextIO) -> None:
        self._console = console(stream)
        self._story = Story(time.monotonic)
        self._lines = EventLines(self._story)
        self._lock = Lock()
        self._live: Live | None = self._start()

    def event(self, event: JsonObject) -> None:
        with self._lock:
            self._story.take(event)
            line = self._lines.line(event) if event.get("ev") in _KEPT else None
        if line is not None:
            self._console.print(Text(line))

    def recall(self, events: Iterable[JsonObject]) -> None:
        with self._lock:
            for event in events:
                self._story.take(event)

    @contextmanager
    def paused(self) -> Iterator[None]:
        self.close()
        try:
            yield
        finally:
            self._live = self._start()

    def close(self) -> None:
        live, self._live = self._live, None
        if live is not None:
            live.stop()

    def _start(self) -> Live:
        live = Live(
            console=self._console,
            get_renderable=self._draw,
            refresh_per_second=10,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        live.start()
        return live

    def _draw(self) -> Group:
        with self._lock:
            lines = live_lines(self._story, **_size(self._console), now=time.monotonic())
        return Group(*lines)


def _size(target: Console) -> dict[str, int]:
    return {"width": max(target.width - 1, 20), "height": max(target.height - 1, 3)}
