"""The bytes of an HTTP answer into its parts: server-sent events, or one whole JSON text.

Which of the two it is shows in the first line, whatever the content type says. A line ends with LF, CR or
both and with nothing else: what text calls a line separator may stand inside a reply's words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final, TypeAlias

from agentctl.jsontypes import Json, JsonObject

DONE: Final = "[DONE]"
_FIELDS: Final = (b"data:", b"event:", b"id:", b"retry:", b":")

Part: TypeAlias = tuple[bool, str]
"""`(True, data)` for an event, `(False, body)` for a body that is no stream of events."""


class Parts:
    """Takes the bytes as they come with `add`, and their end with `end`."""

    def __init__(self) -> None:
        self._rest = b""
        self._whole: list[bytes] = []
        self._data: list[bytes] = []
        self._streamed = False

    def add(self, piece: bytes) -> Iterator[Part]:
        lines = (self._rest + piece).splitlines(keepends=True)
        self._rest = b"" if not lines or lines[-1].endswith(b"\n") else lines.pop()
        for line in lines:
            yield from self._line(line.rstrip(b"\r\n"))

    def end(self) -> Iterator[Part]:
        if self._rest:
            yield from self._line(self._rest.rstrip(b"\r\n"))
        if self._data:
            yield True, _text(self._data)
        if not self._streamed:
            yield False, _text(self._whole)

    def _line(self, line: bytes) -> Iterator[Part]:
        self._streamed = self._streamed or line.startswith(_FIELDS)
        if not self._streamed:
            self._whole.append(line)
        elif line.startswith(b"data:"):
            self._data.append(line[5:].strip())
        elif self._data and not line.strip():
            yield True, _text(self._data)
            self._data = []


def parsed(text: str) -> JsonObject | None:
    """The JSON object in `text`, or None when it is anything else."""
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _text(lines: list[bytes]) -> str:
    return b"\n".join(lines).decode("utf-8", "replace")
