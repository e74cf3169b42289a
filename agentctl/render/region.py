"""A region of a terminal that is drawn again in place, with lines that stay above it.

The cursor rests on the region's first cell: wherever a resized terminal moves or breaks the lines below
it, everything from there on is wiped and drawn anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TextIO

from rich.console import Console
from rich.text import Text

_BEGIN: Final = "\x1b[?2026h\x1b[?25l\x1b[?7l\r"
"""Shown at once where the terminal can; no cursor; what is too wide is cut, never wrapped."""
_END: Final = "\x1b[?7h\x1b[?2026l"
_REST_OF_LINE: Final = "\x1b[K"
_REST_OF_SCREEN: Final = "\x1b[J"
_CURSOR: Final = "\x1b[?25h"


class Region:
    """Writes to `stream`, styled as `console` would; never raises for a terminal that has gone."""

    def __init__(self, stream: TextIO, console: Console) -> None:
        self._stream = stream
        self._console = console
        self._drawn = False

    def draw(self, above: Sequence[Text], lines: Sequence[Text]) -> None:
        """`lines` take the place of what was drawn before; `above` stay for good."""
        kept = "".join(f"{self._styled(line)}{_REST_OF_LINE}\r\n" for line in above)
        body = f"{_REST_OF_LINE}\r\n".join(self._styled(line) for line in lines)
        up = f"\x1b[{len(lines) - 1}A" if len(lines) > 1 else ""
        self._write(f"{_BEGIN}{kept}{body}{_REST_OF_LINE}{_REST_OF_SCREEN}{up}\r{_END}")
        self._drawn = True

    def leave(self, above: Sequence[Text] = ()) -> None:
        """Only `above` is left, and the cursor below it."""
        if self._drawn:
            self._write(f"\r{_REST_OF_SCREEN}{_CURSOR}")
        self._drawn = False
        self._write("".join(f"{self._styled(line)}\n" for line in above))

    def _styled(self, line: Text) -> str:
        with self._console.capture() as captured:
            self._console.print(line, end="")
        return captured.get()

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            return  # nobody looks any more
