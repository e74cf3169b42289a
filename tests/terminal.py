"""A command at a pseudo-terminal, which a test reads and types into as a person would."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path


class Terminal:
    """80 columns unless `environ` says otherwise; stdin and stderr are the terminal, stdout is a pipe.

    With `whole`, stdout is the terminal too.
    """

    def __init__(
        self, command: Sequence[str], folder: Path, environ: Mapping[str, str], *, whole: bool = False
    ) -> None:
        self._master, slave = pty.openpty()
        self.shown = ""
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env={"TERM": "xterm", "COLUMNS": "80", "LINES": "24", **environ},
            stdin=slave,
            stdout=slave if whole else subprocess.PIPE,
            stderr=slave,
            text=True,
            start_new_session=True,
        )
        os.close(slave)

    def until(self, text: str) -> None:
        deadline = time.monotonic() + 20
        while text not in self.shown:
            assert time.monotonic() < deadline, self.shown
            self._read()

    @property
    def text(self) -> str:
        """What was shown, without what moves the cursor or colours."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.shown)

    def echoes(self) -> bool:
        """Whether what is typed is shown."""
        return bool(termios.tcgetattr(self._master)[3] & termios.ECHO)

    def send(self, line: str) -> None:
        os.write(self._master, line.encode())

    def end(self) -> tuple[int, str]:
        """The exit code and what came to stdout."""
        out, _ = self.process.communicate(timeout=20)
        self._read()
        return self.process.returncode, out or ""

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)

    def _read(self) -> None:
        if select.select([self._master], [], [], 0.1)[0]:
            try:
                self.shown += os.read(self._master, 65536).decode("utf-8", "replace")
            except OSError:  # Linux says so when the other side is closed
                return
