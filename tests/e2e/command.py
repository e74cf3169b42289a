"""The command as a stranger has it: a process of its own, in a folder of its own, with a bare environment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from terminal import Terminal

ROOT = Path(__file__).parents[2]
SUPPORT = ROOT / "teams" / "support"
BALANCE = "What's the balance on account ACC-123?"
_KEPT = ("PATH", "SYSTEMROOT", "COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG", "PYTHONPATH")


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """`folder` is the working directory; `variables` come on top of a bare environment."""

    folder: Path
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def runs(self) -> list[Path]:
        return sorted((self.folder / ".agentctl" / "runs").iterdir())

    @property
    def run_id(self) -> str:
        (run,) = self.runs
        return run.name

    def environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        return {**kept, "HOME": str(self.folder), **self.variables}

    def __call__(self, *words: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "agentctl", *map(str, words)],
            cwd=self.folder,
            env=self.environment(),
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    def start(self, *words: str | Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "agentctl", *map(str, words)],
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def at_terminal(self, *words: str | Path) -> Terminal:
        """Close it when done with it."""
        return Terminal([sys.executable, "-m", "agentctl", *map(str, words)], self.folder, self.environment())


def killed_when(process: subprocess.Popen[str], there: Callable[[], bool]) -> None:
    """`kill -9` as soon as something is there; fails if the process ends before."""
    until(lambda: there() or process.poll() is not None)
    assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGKILL)
    process.communicate()


def until(there: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.005)
