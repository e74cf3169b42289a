"""A run as a live view on a terminal: a tree drawn again in place, what is worth keeping above it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Event, RLock, Thread
from typing import Final, TextIO

from rich.text import Text

from agentctl.jsontypes import JsonObject
from agentctl.render.echo import without_echo
from agentctl.render.live_lines import live_lines
from agentctl.render.region import Region
from agentctl.render.story import Story
from agentctl.render.terminal import console, size_of
from agentctl.render.told_once import Told, ToldOnce
from agentctl.render.wrapped import wrapped

_EVERY: Final = 0.1
_REST: Final = 10
"""How many times as long as a picture took, nothing is drawn after it."""
_PATIENCE: Final = 0.3
"""Seconds that a terminal has to take the last picture; one that is stopped takes none."""
_KEPT: Final = {
    "decision.completed": "",
    "execution.failed": "red",
    "limit.warning": "yellow",
    "model.empty": "yellow",
    "model.failed": "red",
    "model.fallback": "yellow",
    "run.started": "dim",
    "tool.failed": "red",
    "resume.differs": "yellow",
    "revision.planned": "",
    "revision.recorded": "",
}


class LiveDisplay:
    """Draws from a thread of its own, ten times a second, or less often where that is much work, so that
    neither a slow terminal nor a large team holds up the run.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._region = Region(stream, console(stream))
        self._story = Story(time.monotonic)
        self._lines = ToldOnce(self._story, puts=True)
        self._lock = RLock()
        self._kept: list[Text] = []
        self._stopped = Event()
        self._painter: Thread | None = None
        self._show_keys: Callable[[], None] = lambda: None
        self._start()

    def event(self, event: JsonObject) -> None:
        with self._lock:
            self._story.take(event)
            self._keep(self._lines.lines(event))

    def _keep(self, lines: Iterable[Told]) -> None:
        for line in lines:
            style = _KEPT.get(line.ev)
            if style is not None:
                self._kept += [_dressed(each, style) for each in line.text.split("\n")]

    def recall(self, events: Iterable[JsonObject]) -> None:
        with self._lock:
            for event in events:
                self._story.take(event)

    def advance(self, seconds: float) -> None:
        """The last event that was recalled happened so long ago, and the run has gone on since."""
        with self._lock:
            self._story.advance(seconds)

    @contextmanager
    def paused(self) -> Iterator[None]:
        self.close()
        try:
            yield
        finally:
            self._start()

    def close(self) -> None:
        """Also from a signal handler, at any instant: what a stopped terminal does not take is let go."""
        painter, self._painter = self._painter, None
        if painter is None:
            return
        self._stopped.set()
        self._show_keys()
        painter.join(_PATIENCE)
        if not painter.is_alive():
            with self._lock:
                self._keep(self._lines.rest())
            self._region.leave(self._take_kept())

    def _start(self) -> None:
        self._stopped = Event()
        self._show_keys = without_echo(self._stream)
        self._painter = Thread(target=self._paint, args=(self._stopped,), daemon=True, name="live view")
        self._painter.start()

    def _paint(self, stopped: Event) -> None:
        while not stopped.is_set():
            began = time.monotonic()
            above, lines = self._picture()
            self._region.draw(above, lines)
            stopped.wait(max(_EVERY, (time.monotonic() - began) * _REST))

    def _picture(self) -> tuple[list[Text], list[Text]]:
        width, height = self._size()
        with self._lock:
            lines = live_lines(self._story, width=width, height=height, now=self._story.now)
        return self._take_kept(), lines

    def _take_kept(self) -> list[Text]:
        with self._lock:
            kept, self._kept = self._kept, []
        width, _ = self._size()
        return [piece for line in kept for piece in wrapped(line, guide="", below="  ", width=width)]

    def _size(self) -> tuple[int, int]:
        width, height = size_of(self._stream)
        return max(width - 1, 20), max(height - 1, 3)


def _dressed(line: str, style: str) -> Text:
    """Bold as far as the agent's name goes, which stands before an arrow where it chose another."""
    text = Text(line, style=style)
    name, arrow, _ = line.partition(" → ")
    if arrow and " " not in name:
        text.stylize("bold", 0, len(name))
        text.stylize("cyan", len(name) + 1, len(name) + 2)
    return text
