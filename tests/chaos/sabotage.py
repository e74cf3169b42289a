"""A disk that fails, and a process that dies at it, beneath the product: the system calls of a child process.

Every write, sync and rename under a folder is an event, counted from 1 in the order in which the process
makes them. At one of them the process dies, or the call fails.
"""

from __future__ import annotations

import errno
import os
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

Call: TypeAlias = Literal["write", "sync", "rename"]
Moment: TypeAlias = Literal[
    "before",
    "torn",  # half of the bytes are written
    "line",  # so many of the lines are written
    "after",
    "power cut",  # instead of the sync: what was not synced is lost
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    call: Call
    name: str
    """Of the file or folder."""
    lines: int = 0
    size: int = 0

    def deaths(self, number: int) -> Iterator[Death]:
        """Every way to die at this event, the n-th of its process."""
        if self.call == "sync":
            yield Death(number, "power cut")
        elif self.size or self.call == "rename":
            yield Death(number, "before")
        if self.call == "write":
            yield Death(number, "torn")
            for line in range(1, self.lines if self.name == "journal.jsonl" else 0):
                yield Death(number, "line", line)
        yield Death(number, "after")


class Death(NamedTuple):
    event: int
    moment: Moment
    line: int = 0


class Failure(NamedTuple):
    """The n-th call of a kind fails with that error."""

    call: Call
    number: int
    error: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """`room` is how many bytes the disk still holds."""

    die: Death | None = None
    fail: Failure | None = None
    room: int | None = None


@dataclass(slots=True)
class Saboteur:
    """Takes the place of the system's calls in this process, for files under `folder`."""

    folder: Path
    plan: Plan
    events: list[Event] = field(default_factory=list)
    _synced: dict[str, int] = field(default_factory=dict)
    _renamed: list[tuple[str, str]] = field(default_factory=list)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def install(self) -> None:
        write, sync, rename, replace = os.write, os.fdatasync, os.rename, os.replace

        def sabotaged_write(descriptor: int, data: bytes | memoryview) -> int:
            path = self._path(descriptor)
            if path is None:
                return write(descriptor, data)
            with self._lock:
                return self._write(path, bytes(data), lambda part: write(descriptor, part))

        def sabotaged_sync(descriptor: int) -> None:
            path = self._path(descriptor)
            with self._lock:
                if path is not None:
                    self._before_sync(path)
                sync(descriptor)
                if path is not None:
                    self._after_sync(path)

        def renaming(real: Callable[..., None]) -> Callable[..., None]:
            def sabotaged(source: str | Path, target: str | Path) -> None:
                with self._lock:
                    self._rename(os.fspath(source), os.fspath(target), real)

            return sabotaged

        system: Any = os
        system.write, system.fdatasync = sabotaged_write, sabotaged_sync
        system.rename, system.replace = renaming(rename), renaming(replace)

    def _path(self, descriptor: int) -> str | None:
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        return str(path) if path.is_relative_to(self.folder) else None

    def _write(self, path: str, data: bytes, write: Callable[[bytes], int]) -> int:
        self._synced.setdefault(path, Path(path).stat().st_size)
        number = self._event("write", path, lines=data.count(b"\n"), size=len(data))
        self._die(number, "before")
        room = self.plan.room
        if room is not None:
            room -= sum(event.size for event in self.events[:-1])
            if room < len(data):
                write(data[: max(0, room)])
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if self._due(number, "torn") or self._due(number, "line"):
            write(_kept(data, self.plan.die))
            die()
        written = write(data)
        self._die(number, "after")
        return written

    def _before_sync(self, path: str) -> None:
        number = self._event("sync", path)
        if self._due(number, "power cut"):
            self._lose_unsynced()
            die()

    def _after_sync(self, path: str) -> None:
        if Path(path).is_dir():
            self._renamed = [pair for pair in self._renamed if str(Path(pair[1]).parent) != path]
        else:
            self._synced[path] = Path(path).stat().st_size
        self._die(len(self.events), "after")

    def _rename(self, source: str, target: str, rename: Callable[..., None]) -> None:
        watched = Path(source).is_relative_to(self.folder)
        number = self._event("rename", target) if watched else 0
        self._die(number, "before")
        rename(source, target)
        if watched:
            self._renamed.append((source, target))
            self._synced = {moved(path, source, target): size for path, size in self._synced.items()}
            self._die(number, "after")

    def _event(self, call: Call, path: str, *, lines: int = 0, size: int = 0) -> int:
        self.events.append(Event(call=call, name=Path(path).name, lines=lines, size=size))
        if self.plan.fail is not None:
            kind, number, error = self.plan.fail
            if kind == call and number == sum(event.call == call for event in self.events):
                raise OSError(error, os.strerror(error))
        return len(self.events)

    def _die(self, number: int, moment: Moment) -> None:
        if self._due(number, moment):
            die()

    def _due(self, number: int, moment: Moment) -> bool:
        """Whether it is time to die: how lines share batches varies, so the next event that fits will do."""
        death = self.plan.die
        return death is not None and death.moment == moment and 0 < death.event <= number

    def _lose_unsynced(self) -> None:
        for path, size in self._synced.items():
            if Path(path).exists():
                os.truncate(path, size)
        for source, target in reversed(self._renamed):
            if Path(target).exists() and not Path(source).exists():
                os.renames(target, source)


def moved(path: str, source: str, target: str) -> str:
    return target + path.removeprefix(source) if path == source or path.startswith(f"{source}/") else path


def _kept(data: bytes, death: Death | None) -> bytes:
    """What of a write reaches the file before the process dies."""
    if death is None or death.moment == "torn":
        return data[: len(data) // 2]
    return b"".join(data.splitlines(keepends=True)[: death.line])


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
    signal.pause()
