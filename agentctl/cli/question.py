"""The question of a run: from the argument, from a pipe, or asked for at a terminal."""

from __future__ import annotations

import signal
import sys
from typing import TextIO

from agentctl.errors import UsageError

_HINT = 'write it after the team, as in: agentctl run TEAM "Where is my order?"'


def read_question(stated: str | None) -> str:
    """Never empty; `-` and nothing mean stdin. White space around it goes."""
    question = (_from_stdin(stated) if stated in (None, "-") else stated or "").strip()
    if not question:
        raise UsageError("the question is empty", hint=_HINT)
    return question


def _from_stdin(stated: str | None) -> str:
    if sys.stdin is None:
        raise UsageError("there is no question, and stdin is closed", hint=_HINT)
    if stated is None and sys.stdin.isatty():
        return _typed(sys.stdin)
    return sys.stdin.read()


def _typed(stdin: TextIO) -> str:
    """What a person types; where no Enter ends it, the prompt's line is ended for them."""
    line = ""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        sys.stderr.write("Question: ")
        sys.stderr.flush()
        line = stdin.readline()
    finally:
        signal.signal(signal.SIGINT, before)
        if not line.endswith("\n"):
            sys.stderr.write("\n")
            sys.stderr.flush()
    return line
