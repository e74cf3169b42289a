"""A run directory from its first moment: begun whole or not at all, taken up again under its lock."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from agentctl.errors import AgentctlError, UsageError
from agentctl.journal.disk import Disk, SystemDisk, disk_failure, save, sync_folder
from agentctl.journal.file import FileJournal
from agentctl.journal.finding import PLACE, make_run_id, valid_run_id
from agentctl.journal.header import read_header, write_header
from agentctl.journal.ledger import Clock
from agentctl.journal.lock import RunLock
from agentctl.journal.scan import Scan
from agentctl.journal.writer import LINGER
from agentctl.jsontypes import Json, JsonObject

_PATH_IS_WRONG: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST})


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlace:
    """`created` is False where a run of that id was there already."""

    run_id: str
    path: Path
    created: bool


def create_run(
    runs_dir: Path,
    *,
    run_id: str | None,
    team: str,
    header: JsonObject,
    team_yaml: str,
    now: datetime,
    entropy: Callable[[], int] = lambda: secrets.randbits(32),
    disk: Disk | None = None,
) -> RunPlace:
    """Begins a run: built beside its place, synced, and renamed whole.

    `header` becomes `run.json` with `run_id`, `team` and `created` added. Raises `UsageError` for a bad
    id or a path that cannot be used, `JournalError` where the disk fails.
    """
    if run_id is not None and not valid_run_id(run_id):
        raise UsageError(
            f'"{run_id}" cannot be a run id',
            hint="up to 100 letters, digits, '.', '_' and '-', the first a letter or digit",
        )
    disk = disk or SystemDisk()
    try:
        _prepare(disk, runs_dir)
        while True:
            chosen = run_id or make_run_id(team, now, entropy())
            whole: dict[str, Json] = {**header, "run_id": chosen, "team": team, "created": now.isoformat()}
            created = _place(disk, runs_dir / chosen, whole, team_yaml)
            if created or run_id is not None:
                return RunPlace(run_id=chosen, path=runs_dir / chosen, created=created)
    except OSError as error:
        raise _cannot_create(error, runs_dir) from error


def open_run(
    path: Path,
    *,
    disk: Disk | None = None,
    clock: Clock | None = None,
    linger: float = LINGER,
    known: Scan | None = None,
) -> FileJournal:
    """Takes a run up, to work on it: locked, its journal read and mended.

    What is `known` of the journal is not read again where it has not changed. Raises `RunInUse`, and
    `JournalError` where it is damaged, of a newer format, or cannot be written.
    """
    lock = RunLock.take(path)
    try:
        read_header(path)
    except BaseException:
        lock.release()
        raise
    return FileJournal(path, lock, disk=disk, clock=clock, linger=linger, known=known)


def _place(disk: Disk, path: Path, header: JsonObject, team_yaml: str) -> bool:
    """False where a run of that name is there already."""
    if path.exists():
        return False
    draft = path.parent / f".new-{secrets.token_hex(6)}"
    draft.mkdir(mode=0o700)
    try:
        write_header(disk, draft, header, team_yaml)
        for name in ("journal.jsonl", "lock"):  # empty: there is nothing in them to sync
            os.close(os.open(draft / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        sync_folder(disk, draft)
        draft.rename(path)
    except BaseException as error:
        shutil.rmtree(draft, ignore_errors=True)
        if isinstance(error, OSError) and error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            return False
        raise
    sync_folder(disk, path.parent)
    return True


def _prepare(disk: Disk, runs_dir: Path) -> None:
    """Makes the folder of runs; `.agentctl` gets its `.gitignore` before anything else can be in it."""
    parent = runs_dir.parent
    if Path(parent.name, runs_dir.name) == PLACE:
        _ignored_folder(disk, parent)
    if not runs_dir.is_dir():
        runs_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        sync_folder(disk, parent)


def _ignored_folder(disk: Disk, folder: Path) -> None:
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = folder.with_name(f"{folder.name}-{secrets.token_hex(6)}")
        draft.mkdir(mode=0o700)
        try:
            save(disk, draft / ".gitignore", b"*\n")
            draft.rename(folder)
        except BaseException as error:
            shutil.rmtree(draft, ignore_errors=True)
            if not isinstance(error, OSError) or not folder.exists():  # else another process was quicker
                raise
        sync_folder(disk, folder.parent)
    if not (folder / ".gitignore").exists():
        save(disk, folder / ".gitignore", b"*\n")


def _cannot_create(error: OSError, runs_dir: Path) -> AgentctlError:
    if error.errno in _PATH_IS_WRONG:
        return UsageError(
            f'cannot create a run in "{runs_dir}": {error.strerror}',
            hint="choose another folder with --runs-dir or AGENTCTL_RUNS_DIR, or use --ephemeral",
        )
    return disk_failure(error, runs_dir, doing="create a run in")
