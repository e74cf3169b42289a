"""What a person says in a conversation, from one or more typed lines: at a terminal with editing and history.

A line that ends with a backslash goes on in the next one; three double quotes begin a text that ends with the
next three. What is pasted at a terminal is one message, whatever line ends are in it.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, TypeAlias

from agentctl.cli.stdin_lines import StdinLines
from agentctl.cli.streams import stdout_for_answers

_PROMPT: Final = "> "
_MORE: Final = ". "
_QUOTES: Final = '"""'
_HEED: Final = 0.2
"""Seconds after which a signal is acted on at the latest."""


ReadLine: TypeAlias = Callable[[str], str]
"""From a prompt to the next line without its line end. Raises EOFError at the end of the input."""


def read_message(read: ReadLine) -> str:
    """The next message that is not empty, from its first letter or space to its last letter.

    Raises EOFError at the end, KeyboardInterrupt on Ctrl-C.
    """
    while True:
        text = _one(read).rstrip()
        if text:
            return text


def _one(read: ReadLine) -> str:
    line = read(_PROMPT)
    if line.lstrip().startswith(_QUOTES):
        return _quoted(line.lstrip()[len(_QUOTES) :], read)
    lines = []
    while line.endswith("\\"):
        lines.append(line[:-1])
        try:
            line = read(_MORE)
        except EOFError:
            line = ""
    return "\n".join([*lines, line])


def _quoted(line: str, read: ReadLine) -> str:
    """Up to the closing quotes; without them, up to the end of the input."""
    lines = []
    while not line.rstrip().endswith(_QUOTES):
        lines.append(line)
        try:
            line = read(_MORE)
        except EOFError:
            return "\n".join(lines)
    return "\n".join([*lines, line.rstrip()[: -len(_QUOTES)]])


def piped_line(_prompt: str) -> str:
    """A line of a stdin that is no terminal."""
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line:
        raise EOFError
    return line.removesuffix("\n").removesuffix("\r")


class TypedLines:
    """Lines of a person at a terminal; the prompt goes where progress goes, never to a piped stdout.

    `lines` are shared with the questions of a run: where one of those was given up with its line still being
    read, that line is the next one here.
    """

    def __init__(self, lines: StdinLines, earlier: Iterable[str] = ()) -> None:
        self._lines = lines
        with suppress(ImportError):  # no line editing on this system
            import readline

            readline.parse_and_bind("set enable-bracketed-paste on")
            for text in earlier:
                readline.add_history(text)

    def __call__(self, prompt: str) -> str:
        with stdout_for_answers(), _heeding_signals():
            if not self._lines.reading:
                return input(prompt)
            sys.stderr.write(prompt)
            sys.stderr.flush()
            line = self._lines.wait()
        if not line:
            raise EOFError
        return line.removesuffix("\n")


@contextmanager
def _heeding_signals() -> Iterator[None]:
    """The line editor looks for signals only when its wait is interrupted, so that one that comes just before
    it waits would be acted on at the next key. A timer interrupts it.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, _HEED, _HEED)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
