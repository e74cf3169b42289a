"""Answers and wishes that one process leaves for another that works on a run: one file each.

A signal's file goes only once the journal holds it, so that an answer is never lost, whenever a process
dies; the first answer to a question is the one that counts.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from agentctl.errors import JournalError, UsageError
from agentctl.journal.disk import Disk, SystemDisk, disk_failure, make_folder, save, sync_folder
from agentctl.journal.journal import Signal
from agentctl.journal.lock import alone_in
from agentctl.journal.records import Record
from agentctl.jsontypes import Json, canonical

_SUFFIX: Final = ".json"


def leave_signal(folder: Path, kind: str, step: str, value: Json, *, disk: Disk | None = None) -> Signal:
    """Leaves a signal in a run directory; it is there whole, and for good. The same one twice is one.

    Another answer to the same step that still waits there stands, and `UsageError` is raised;
    `JournalError` where the signal cannot be written.
    """
    with alone_with_signals(folder, disk=disk) as inbox:
        inbox.leave(kind, step, value)
    return inbox.left[-1]


@contextmanager
def alone_with_signals(folder: Path, *, disk: Disk | None = None) -> Iterator[Inbox]:
    """Nobody else leaves a signal in that run directory meanwhile: what is looked up in here still holds when
    a signal is left. Raises `JournalError` where none can be."""
    disk = disk or SystemDisk()
    path = folder / "signals"
    try:
        make_folder(disk, path)
        with alone_in(path):
            yield Inbox(folder, disk)
    except OSError as error:
        raise disk_failure(error, path) from error


class Inbox:
    """What waits in a run's `signals/`, for whoever is alone with it; `left` are those left here."""

    def __init__(self, folder: Path, disk: Disk) -> None:
        self._folder = folder
        self._disk = disk
        self._pending = pending_signals(folder)
        self.left: list[Signal] = []

    def earlier(self, kind: str, step: str, value: Json) -> Signal | None:
        """The same signal, where it waits already. Raises `UsageError` where another to that step does."""
        for earlier in self._pending:
            if (earlier.kind, earlier.step) == (kind, step):
                if earlier.value == value:
                    return earlier
                raise UsageError(
                    f'"{step}" has been answered already; whoever works on the run next takes that answer',
                    hint=f"see the answer with: agentctl show {self._folder.name}, "
                    f"go on with it: agentctl resume {self._folder.name}",
                )
        return None

    def leave(self, kind: str, step: str, value: Json) -> None:
        """As `leave_signal`."""
        signal = self.earlier(kind, step, value)
        if signal is None:
            signal = Signal(kind=kind, step=step, value=value, name=_new_name())
            body = canonical({"kind": kind, "step": step, "value": value})
            path = self._folder / "signals"
            save(self._disk, path / signal.name, body.encode("utf-8", "surrogatepass"))
            sync_folder(self._disk, path)
            self._pending.append(signal)
        self.left.append(signal)


def _new_name() -> str:
    return f"{time.time_ns():020d}-{secrets.token_hex(4)}{_SUFFIX}"


def untaken_signals(folder: Path, records: Iterable[Record]) -> list[Signal]:
    """Those of `pending_signals` that are not on record yet: a file may outlast its record."""
    return [signal for signal in pending_signals(folder) if not is_taken(signal, records)]


def is_taken(signal: Signal, records: Iterable[Record]) -> bool:
    """Whether that very file is on record."""
    return any(one.data.get("name") == signal.name for one in records if one.ev == "signal.received")


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


def strangers(folder: Path) -> list[Path]:
    """The files among a run's signals that are none, and that nobody will ever take."""
    inbox = folder / "signals"
    if not inbox.is_dir():
        return []
    known = {signal.name for signal in pending_signals(folder)}
    there = sorted(path for path in inbox.iterdir() if path.suffix == _SUFFIX and path.name[0] != ".")
    return [path for path in there if path.name not in known and path.exists()]


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
