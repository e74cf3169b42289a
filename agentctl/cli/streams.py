"""Standard streams made fit: UTF-8 everywhere, and a reader that goes away leaves no traceback."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, TextIO

CLOSED_PIPE: Final = 141
"""What a shell shows for a process that wrote to a closed pipe (128 + SIGPIPE)."""


def prepare_streams() -> None:
    """Makes stdout and stderr UTF-8 that never fails to encode, and replaces those that were closed."""
    sys.stdout = _prepared(sys.stdout)
    there = sys.stderr
    sys.stderr = _prepared(there)
    if isinstance(there, io.TextIOWrapper):
        sys.stderr = _Progress(there)
    if sys.stdin is not None and isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")


class _Progress(io.TextIOBase):
    """Stderr, which nobody has to read: what cannot be written is dropped, and the command goes on."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError, ValueError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def writable(self) -> bool:
        return True


@contextmanager
def stdout_for_answers() -> Iterator[TextIO]:
    """Gives the stream for answers. Inside, whatever else writes to stdout writes to stderr: programs that
    tools start, and threads that outlive their call.
    """
    own = sys.stdout
    try:
        kept = os.dup(own.fileno()) if own.fileno() == 1 else None
    except (OSError, ValueError):
        kept = None  # not a file: nothing else can write to it
    if kept is None:
        yield own
        return
    own.flush()
    answers = os.fdopen(kept, "w", encoding="utf-8", errors="replace", closefd=False)
    os.dup2(2, 1)
    try:
        yield answers
    finally:
        with suppress(OSError):
            own.flush()  # what others wrote, while it still goes to stderr
        try:
            answers.flush()
        finally:
            os.dup2(kept, 1)
            os.close(kept)


def flush_streams() -> None:
    """Raises what writing the rest raises, before the interpreter would report it in its own way."""
    sys.stdout.flush()
    sys.stderr.flush()


def abandon_streams(*others: TextIO) -> None:
    """Whatever is still buffered goes nowhere, so that the exit stays quiet."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (*others, sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            _point_at(stream, nowhere)
    os.close(nowhere)


def _point_at(stream: TextIO, descriptor: int) -> None:
    try:
        os.dup2(descriptor, stream.fileno())
    except (OSError, ValueError):
        return  # no descriptor behind it: nothing can be left to flush


def _prepared(stream: TextIO | None) -> TextIO:
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - lives as long as the process
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="replace")
    return stream
