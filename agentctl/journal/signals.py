"""Answers and wishes that one process leaves for another that works on a run: one file each.

A signal's file goes only once the journal holds it, so that an answer is never lost, whenever a process
dies; the first answer to a question is the one that counts.
"""

from __future__ import annotations

import json
import secrets
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from agentctl.errors import JournalError, UsageError
from agentctl.journal.disk import Disk, SystemDisk, disk_failure, make_folder, save, sync_folder
from agentctl.journal.journal import Signal
from agentctl.journal.lock import alone_in
from agentctl.jsontypes import Json, canonical

_SUFFIX: Final = ".json"


def leave_signal(
    folder: Path, kind: str, step: str, value: Json, *, replace: bool = False, disk: Disk | None = None
) -> Signal:
    """Leaves a signal in a run directory; it is there whole, and for good. The same one twice is one.

    Another answer to the same step that still waits there makes way with `replace`, else it stands and
    `UsageError` is raised; `JournalError` where the signal cannot be written.
    """
    disk = disk or SystemDisk()
    inbox = folder / "signals"
    try:
        make_folder(disk, inbox)
        with alone_in(inbox):
            signal = Signal(kind=kind, step=step, value=value, name=_new_name())
            return _leave(folder, signal, disk, replace=replace)
    except OSError as error:
        raise disk_failure(error, inbox) from error


def _leave(folder: Path, signal: Signal, disk: Disk, *, replace: bool) -> Signal:
    kind, step, value = signal.kind, signal.step, signal.value
    for earlier in pending_signals(folder):
        if (earlier.kind, earlier.step) == (kind, step):
            if earlier.value == value:
                return earlier
            if replace:
                forget_signal(folder, earlier)
                continue
            raise UsageError(
                f'"{step}" has been answered already; the process that works on the run has yet to take it',
                hint=f"see what becomes of it with: agentctl show {folder.name}",
            )
    body = canonical({"kind": kind, "step": step, "value": value})
    save(disk, folder / "signals" / signal.name, body.encode("utf-8", "surrogatepass"))
    sync_folder(disk, folder / "signals")
    return signal


def _new_name() -> str:
    return f"{time.time_ns():020d}-{secrets.token_hex(4)}{_SUFFIX}"


def pending_signals(folder: Path) -> list[Signal]:
    """Every signal whose file is there, oldest first; files that are no signals are left alone."""
    inbox = folder / "signals"
    try:
        names = sorted(path.name for path in inbox.iterdir() if path.suffix == _SUFFIX)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise JournalError(f'"{inbox}" cannot be read: {error.strerror}') from error
    return [signal for name in names if (signal := _read(inbox, name)) is not None]


def forget_signal(folder: Path, signal: Signal) -> None:
    """Removes a signal that is on record. What cannot be removed is left: its answer counts once anyway."""
    with suppress(OSError):
        (folder / "signals" / signal.name).unlink()


def _read(inbox: Path, name: str) -> Signal | None:
    if name.startswith("."):
        return None
    try:
        found = json.loads((inbox / name).read_bytes())
        kind, step, value = found["kind"], found["step"], found["value"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not (isinstance(kind, str) and isinstance(step, str)):
        return None
    return Signal(kind=kind, step=step, value=value, name=name)
