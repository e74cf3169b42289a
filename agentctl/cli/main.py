"""The entry point. It imports next to nothing until Ctrl-C and SIGTERM can no longer end in a traceback."""

from __future__ import annotations

import gc
import os
import signal
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType
    from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_INTERRUPTED: Final = 130
_OBJECTS: Final = 50_000
"""New objects before garbage is looked for: imports make many and leave none of them behind."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line and gives its exit code.

    `argv` is without the program's name; None takes that of the process, which is then left quietly when
    a signal comes before or after the command has a use for it.
    """
    own = argv is None
    if own:
        gc.set_threshold(_OBJECTS)
        for number in _SIGNALS:
            signal.signal(number, _leave)
    from agentctl.cli.app import run_command

    code = run_command(list(sys.argv[1:] if argv is None else argv))
    if own:
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)  # it is over: the exit code stands
    return code


def _leave(_number: int, _frame: FrameType | None) -> None:
    os._exit(_INTERRUPTED)
