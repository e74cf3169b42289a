"""A run directory taken away whole, and only while no process works on it."""

from __future__ import annotations

import secrets
import shutil
import time
from pathlib import Path
from typing import Final

from agentctl.journal.finding import left_over
from agentctl.journal.lock import RunLock

_UNDER_WAY: Final = (10.0, 3600.0)
"""Seconds within which a run that is being made or removed may still be somebody's work: the least, where a
person asks for no more, and the most. It takes a part of one, and touches its folder all the time."""


def sweep(runs_dir: Path, age: float) -> int:
    """Removes what killed processes left of runs they were making or removing, where that is `age` seconds
    ago; gives how many there were."""
    shortest, longest = _UNDER_WAY
    found = left_over(runs_dir, time.time() - min(max(age, shortest), longest))
    for folder in found:
        shutil.rmtree(folder, ignore_errors=True)
    return len(found)


def remove_run(folder: Path) -> None:
    """Raises RunInUse where a process works on it, and OSError where it cannot be removed."""
    lock = RunLock.take(folder)
    try:
        aside = folder.with_name(f".removed-{secrets.token_hex(6)}")
        folder.rename(aside)  # so that nobody ever sees half a run
        shutil.rmtree(aside)
    finally:
        lock.release()
