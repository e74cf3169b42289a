"""Where text goes: what a terminal is, decided once, and the two consoles on stdout and stderr.

Consoles never read markup and never highlight; colour follows NO_COLOR and TERM.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

from rich.console import Console
from rich.text import Text

from agentctl.render.visible import visible
from agentctl.render.wrapped import wrapped


def interactive(*, machine: bool) -> bool:
    """Whether a person is there: stdin and stderr are both terminals and no `--json` or `--events`."""
    return not machine and is_terminal(sys.stdin) and is_terminal(sys.stderr)


def can_animate() -> bool:
    """Whether the cursor can be moved at all."""
    return os.environ.get("TERM", "") not in ("dumb", "unknown")


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Whoever called decides what a reader that went away means; rich would leave the process."""
        raise


def console(stream: TextIO) -> Console:
    """A console that writes text as it is given. A reader that went away is a BrokenPipeError."""
    return _Console(file=stream, markup=False, highlight=False, emoji=False, soft_wrap=True)


def width_of(stream: TextIO) -> int:
    """Cells in a line of that terminal; of a pipe or a file, as many as a person may want."""
    target = console(stream)
    return target.width if target.is_terminal else 160


def size_of(stream: TextIO) -> tuple[int, int]:
    """Columns and lines of that terminal as it is now, also where COLUMNS tells of an earlier size."""
    try:
        columns, lines = os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):
        columns, lines = 0, 0
    known = console(stream).size
    return columns or known.width, lines or known.height


def print_lines(lines: Iterable[Text], stream: TextIO) -> None:
    """Each text on a line of its own. On a terminal it is styled, and broken between words where too wide;
    one that is to be pasted, or is laid out, says so with `no_wrap`.
    """
    target = console(stream)
    for line in lines:
        broken = target.is_terminal and not line.no_wrap and line.cell_len > target.width
        for piece in _within(line, target.width) if broken else [line]:
            target.print(piece)


def _within(line: Text, width: int) -> Iterator[Text]:
    """Further lines are set in as the first is."""
    for piece in line.split("\n", allow_blank=True):
        indent = len(piece.plain) - len(piece.plain.lstrip(" "))
        guide = " " * min(indent, width // 2)
        yield from wrapped(piece[indent:], guide=guide, below=guide, width=width)


def print_text(text: str, stream: TextIO) -> None:
    """Plain words, whatever they hold."""
    print_lines([Text(visible(text))], stream)


def print_answer(answer: str, stream: TextIO) -> None:
    """The answer and a line end: byte for byte into a pipe or file, made safe on a terminal."""
    stream.write(visible(answer) if is_terminal(stream) else answer)
    stream.write("\n")
    stream.flush()


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person sees what is written there."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False
