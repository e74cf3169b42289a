"""Who runs tests in a folder: a session that begins takes away the runs that are kept there, unless another
one still needs them.
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from agentctl.errors import AgentctlError
from agentctl.journal.lock import RunLock, is_locked
from agentctl.testing.kept import PLACE

SESSIONS: Final = PLACE.with_name("test-sessions")


@contextmanager
def session(folder: Path, *, clearing: bool = True) -> Iterator[None]:
    """Within it, the runs that are kept below `folder` stay. What cannot be written is left as it is."""
    place = folder / SESSIONS
    own = place / f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
    made = not place.parent.exists()
    try:
        own.mkdir(parents=True)
        lock = RunLock.take(own)
    except (OSError, AgentctlError):
        yield
        return
    try:
        if _is_alone(own) and clearing:
            shutil.rmtree(folder / PLACE, ignore_errors=True)
        yield
    finally:
        lock.release()
        shutil.rmtree(own, ignore_errors=True)
        with suppress(OSError):  # not empty
            place.rmdir()
            if made:
                place.parent.rmdir()


def _is_alone(own: Path) -> bool:
    """Takes away what sessions left that were killed."""
    alone = True
    for other in own.parent.iterdir():
        if other == own:
            continue
        if is_locked(other):
            alone = False
        elif (other / "lock").exists():
            shutil.rmtree(other, ignore_errors=True)
    return alone
