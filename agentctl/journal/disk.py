"""How bytes get onto the disk for good: whole writes, syncs, files that appear at once or not at all.

`Disk` is the one place that touches the operating system's write and sync, so that a test can make the
n-th of them fail. What went wrong becomes a `JournalError` that says why and what to do.
"""

from __future__ import annotations

import errno
import os
import secrets
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from agentctl.errors import JournalError

_NO_FOLDER_SYNC: Final = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EBADF})
_FREE_SPACE: Final = "free some space there"
_MAKE_WRITABLE: Final = "make the folder writable"
_CAUSES: Final[Mapping[int, tuple[str, str]]] = {
    errno.ENOSPC: ("the disk is full", _FREE_SPACE),
    errno.EDQUOT: ("the disk quota is used up", _FREE_SPACE),
    errno.EFBIG: (
        "the file may not grow further (a limit of this process or of the file system)",
        "raise the limit (ulimit -f)",
    ),
    errno.EROFS: ("the file system is read-only", _MAKE_WRITABLE),
    errno.EACCES: ("permission is denied (a read-only folder?)", _MAKE_WRITABLE),
    errno.EPERM: ("permission is denied (a read-only folder?)", _MAKE_WRITABLE),
    errno.EIO: ("the disk reported an I/O error", "check the disk"),
}


class Disk(Protocol):
    def write(self, descriptor: int, data: memoryview) -> int:
        """Writes some of `data` and gives how many bytes; raises OSError."""
        ...

    def sync(self, descriptor: int) -> None:
        """Returns when everything written to the file or folder is on the disk; raises OSError."""
        ...


class SystemDisk:
    """The operating system's own; the strongest sync that each platform has."""

    def write(self, descriptor: int, data: memoryview) -> int:
        return os.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        if sys.platform == "darwin":
            import fcntl

            try:  # fsync on macOS leaves the data in the drive's own cache
                fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            except OSError as error:
                if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.ENOTTY):
                    raise
                os.fsync(descriptor)
        elif sys.platform == "win32":
            os.fsync(descriptor)
        else:
            os.fdatasync(descriptor)


class CountingDisk:
    """Another disk, with its syncs counted."""

    def __init__(self, disk: Disk) -> None:
        self.syncs = 0
        self._disk = disk

    def write(self, descriptor: int, data: memoryview) -> int:
        return self._disk.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        self._disk.sync(descriptor)
        self.syncs += 1


def write_whole(disk: Disk, descriptor: int, data: bytes) -> None:
    """Writes all of it, however many writes that takes."""
    rest = memoryview(data)
    while rest:
        written = disk.write(descriptor, rest)
        if written <= 0:
            raise OSError(errno.EIO, "nothing was written")
        rest = rest[written:]


def save(disk: Disk, path: Path, data: bytes) -> None:
    """Puts a file there whole, synced, mode 0600; the caller syncs the folder. Raises OSError."""
    draft = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        try:
            write_whole(disk, descriptor, data)
            disk.sync(descriptor)
        finally:
            os.close(descriptor)
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def make_folder(disk: Disk, path: Path) -> None:
    """A folder of mode 0700 that survives a crash, if it is not there yet. Raises OSError."""
    if not path.is_dir():
        path.mkdir(mode=0o700, exist_ok=True)
        sync_folder(disk, path.parent)


def sync_folder(disk: Disk, path: Path) -> None:
    """Makes the names in a folder durable, where the platform lets one. Raises OSError."""
    if sys.platform == "win32":
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        disk.sync(descriptor)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(descriptor)


def disk_failure(error: OSError, path: Path, *, run: str = "", doing: str = "write") -> JournalError:
    """`error` in a person's words: which file, why, and what to do; `run` is the run to go on with."""
    cause, mend = _CAUSES.get(error.errno or 0, (error.strerror or str(error), "mend that"))
    then = f"continue with: agentctl resume {run}" if run else "try again"
    return JournalError(f'cannot {doing} "{path}": {cause}', hint=f"{mend}, then {then}")
