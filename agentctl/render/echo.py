"""Keys pressed while a picture is drawn again in place, which the terminal would write into it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TextIO

if sys.platform != "win32":
    import termios

    def without_echo(stream: TextIO) -> Callable[[], None]:
        """Keys are no longer shown on that terminal; what is typed is kept for whoever reads. Gives what
        undoes it. Does nothing where `stream` is no terminal or another job has it.
        """
        try:
            descriptor = stream.fileno()
            before = termios.tcgetattr(descriptor)
        except (OSError, ValueError, termios.error):
            return lambda: None
        quiet = [*before]
        quiet[3] &= ~termios.ECHO
        _set(descriptor, quiet)
        return lambda: _set(descriptor, before)

    def _set(descriptor: int, attributes: list[int | list[bytes | int]]) -> None:
        if not _is_ours(descriptor):
            return  # the terminal would stop this process
        try:
            termios.tcsetattr(descriptor, termios.TCSANOW, attributes)
        except termios.error:
            return  # it has gone

    def _is_ours(descriptor: int) -> bool:
        try:
            return os.tcgetpgrp(descriptor) == os.getpgrp()
        except OSError:
            return True  # it controls no jobs

else:

    def without_echo(_stream: TextIO) -> Callable[[], None]:
        """Nothing is known of such terminals."""
        return lambda: None
