"""A run as plain lines, one an event, for logs and pipes: no colour, no cursor movement."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TextIO

from agentctl.jsontypes import JsonObject
from agentctl.render.story import Story
from agentctl.render.told_once import Told, ToldOnce


class PlainDisplay:
    """A reader that went away is no reason to stop the run: the lines are then dropped."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._story = Story()
        self._lines = ToldOnce(self._story, puts=True)
        self._open = True

    def event(self, event: JsonObject) -> None:
        self._story.take(event)
        self._write(self._lines.lines(event))

    def _write(self, lines: Iterable[Told]) -> None:
        text = "".join(f"{line.text}\n" for line in lines)
        if not text or not self._open:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            self._open = False

    def recall(self, events: Iterable[JsonObject]) -> None:
        for event in events:
            self._story.take(event)

    def paused(self) -> AbstractContextManager[None]:
        self._write(self._lines.rest())
        return nullcontext()

    def close(self) -> None:
        self._write(self._lines.rest())
