"""The lock of a run: an exclusive `flock` on `<run>/lock`, whose text is only for the message.

`flock` directly, not through a library: the file must be neither emptied by who merely tries to lock it
nor deleted on release, or the holder could not be named.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from agentctl.errors import JournalError, RunInUse

_TRIES: Final = 20
_PAUSE: Final = 0.005
_held: Final[dict[int, RunLock]] = {}
"""By descriptor: what this process holds itself, and did not inherit."""

if sys.platform == "win32":
    import msvcrt

    _FAR: Final = 1 << 30  # locked bytes cannot be read on Windows, so the text keeps clear of them

    def _try_lock(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError from error

    _probe = _try_lock

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _probe(descriptor: int) -> None:
        """Shared, so that readers do not take each other for somebody at work."""
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)

    def _close_in_child() -> None:
        """A forked child of a tool must not hold the run when this process dies."""
        for descriptor in _held:
            with suppress(OSError):
                os.close(descriptor)
        _held.clear()

    os.register_at_fork(after_in_child=_close_in_child)


class RunLock:
    """Held from `take` to `release`, or until the process dies."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        _held[descriptor] = self

    @classmethod
    def take(cls, folder: Path) -> RunLock:
        """Locks a run directory. Raises `RunInUse` naming the holder, `JournalError` where it cannot lock.

        A moment of patience, since a reader that asks whether a run is live holds the lock for an
        instant.
        """
        path = folder / "lock"
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise JournalError(
                f'cannot lock the run "{folder.name}": "{path}": {error.strerror}',
                hint="make the run directory writable",
            ) from error
        try:
            _lock_patiently(descriptor, folder)
        except OSError as error:
            os.close(descriptor)
            raise JournalError(
                f'cannot lock the run "{folder.name}": {error.strerror}',
                hint="does its file system have no locks? See --runs-dir",
            ) from error
        except BaseException:
            os.close(descriptor)
            raise
        with suppress(OSError):  # a full disk is told by what must be written
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, f"pid {os.getpid()} on {socket.gethostname()}\n".encode())
        return cls(descriptor)

    def release(self) -> None:
        """Frees the run. The file stays, so that everyone always locks the same one."""
        if _held.get(self._descriptor) is not self:
            return
        del _held[self._descriptor]
        with suppress(OSError):
            os.ftruncate(self._descriptor, 0)
        with suppress(OSError):  # also where a child between fork and exec still has the descriptor
            _unlock(self._descriptor)
        os.close(self._descriptor)


def is_locked(folder: Path) -> bool:
    """Whether a process works on the run now; also where the directory may only be read."""
    try:
        descriptor = os.open(folder / "lock", os.O_RDONLY)
    except OSError:
        return False
    try:
        _probe(descriptor)
        _unlock(descriptor)
    except OSError as error:
        return isinstance(error, BlockingIOError)
    finally:
        os.close(descriptor)
    return False


def locked_at(folder: Path) -> float:
    """When the run was last locked or let go, in Unix seconds; 0 where it never was."""
    try:
        return (folder / "lock").stat().st_mtime
    except OSError:
        return 0.0


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Nobody else is in here with that folder at the same time. Raises OSError where it cannot be opened."""
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _lock_patiently(descriptor: int, folder: Path) -> None:
    for _ in range(_TRIES):
        try:
            return _try_lock(descriptor)
        except BlockingIOError:
            time.sleep(_PAUSE)
    run = folder.name
    raise RunInUse(
        f'the run "{run}" is being worked on by another process{_holder(descriptor)}',
        hint=f"look at it with: agentctl show {run}, or stop it with: agentctl cancel {run}",
    )


def _holder(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    text = os.read(descriptor, 300).decode("utf-8", "replace").strip()
    return f" ({text})" if text else ""
