"""Keeps what a library prints off stdout: within `aside`, its words go to stderr, everybody else's do not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TextIO, cast

_ASIDE: Final[ContextVar[bool]] = ContextVar("agentctl_aside", default=False)


class _Stdout:
    """Stands in for stdout; asks the context of whoever writes where the words belong."""

    def __init__(self, real: TextIO) -> None:
        self.real = real

    def write(self, text: str) -> int:
        return (sys.stderr if _ASIDE.get() else self.real).write(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self.real, name)


def guard() -> None:
    """Puts the stand-in before stdout unless it is there already."""
    if not isinstance(sys.stdout, _Stdout):
        sys.stdout = cast("TextIO", _Stdout(sys.stdout))


def unguard() -> None:
    """Takes the stand-in away, if it is what stands outermost."""
    if isinstance(sys.stdout, _Stdout):
        sys.stdout = sys.stdout.real


@contextmanager
def aside() -> Iterator[None]:
    token = _ASIDE.set(True)
    try:
        yield
    finally:
        _ASIDE.reset(token)
