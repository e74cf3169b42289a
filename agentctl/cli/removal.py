"""A run directory taken away whole, and only while no process works on it."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path

from agentctl.journal.lock import RunLock


def remove_run(folder: Path) -> None:
    """Raises RunInUse where a process works on it, and OSError where it cannot be removed."""
    lock = RunLock.take(folder)
    try:
        aside = folder.with_name(f".removed-{secrets.token_hex(6)}")
        folder.rename(aside)  # so that nobody ever sees half a run
        shutil.rmtree(aside)
    finally:
        lock.release()
