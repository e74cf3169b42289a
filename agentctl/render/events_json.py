"""A run as one JSON object a line, as things happen: the journal's records and the text as it streams."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TextIO

from agentctl.jsontypes import Json, JsonObject


def json_text(value: Json, *, indent: int | None = None) -> str:
    """JSON in ASCII only, so that no encoding on the way can harm it."""
    return json.dumps(value, ensure_ascii=True, indent=indent)


class JsonDisplay:
    """`when_gone` is told once why nothing can be written any more; further events are then dropped."""

    def __init__(self, stream: TextIO, when_gone: Callable[[Exception], None] = lambda _error: None) -> None:
        self._stream = stream
        self._when_gone = when_gone
        self._open = True

    def event(self, event: JsonObject) -> None:
        if not self._open:
            return
        try:
            self._stream.write(f"{json_text(event)}\n")
            self._stream.flush()
        except (OSError, ValueError) as error:
            self._open = False
            self._when_gone(error)

    def recall(self, events: Iterable[JsonObject]) -> None:
        """Nothing has to be known."""

    def paused(self) -> AbstractContextManager[None]:
        return nullcontext()

    def close(self) -> None:
        """Every event was flushed as it was written."""
