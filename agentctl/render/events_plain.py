"""A run as plain lines, one an event, for logs and pipes: no colour, no cursor movement."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TextIO

from agentctl.jsontypes import JsonObject
from agentctl.render.event_lines import EventLines
from agentctl.render.story import Story


class PlainDisplay:
    """A reader that went away is no reason to stop the run: the lines are then dropped."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._story = Story()
        self._lines = EventLines(self._story)
        self._open = True

    def event(self, event: JsonObject) -> None:
        self._story.take(event)
        line = self._lines.line(event)
        if line is None or not self._open:
            return
        try:
            self._stream.write(f"{line}\n")
            self._stream.flush()
        except (OSError, ValueError):
            self._open = False

    def recall(self, events: Iterable[JsonObject]) -> None:
        for event in events:
            self._story.take(event)

    def paused(self) -> AbstractContextManager[None]:
        return nullcontext()

    def close(self) -> None:
        """Every line was flushed as it was written."""
