"""Group commit: lines wait while a sync is under way and go out together, one sync a batch.

A batch of nothing but starts that nobody waits for is written at once, for whoever reads along, and
synced with the lines that follow it: that it was there tells nothing which a power cut could take.

Knows bytes and sequence numbers, not what a record means. A thread of its own does the waiting for the
disk, so that neither the event loop nor a tool's thread ever stands behind it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from agentctl.errors import JournalError
from agentctl.journal.blobs import Blob
from agentctl.journal.disk import (
    CountingDisk,
    Disk,
    disk_failure,
    make_folder,
    save,
    sync_folder,
    write_whole,
)

LINGER: Final = 0.02
"""Seconds after which a batch is written although nobody waits for it, so that the start of a long call
is on record while it runs."""


@dataclass(slots=True)
class _Batch:
    lines: list[bytes] = field(default_factory=list)
    blobs: list[Blob] = field(default_factory=list)
    last: int = 0
    light: bool = True
    """Whether nothing in it need outlive a power cut."""


@dataclass(frozen=True, slots=True)
class _Waiter:
    seq: int
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[None]


class Writer:
    """Appends to one descriptor. After a failed write or sync it never touches the descriptor again."""

    def __init__(
        self, folder: Path, descriptor: int, disk: Disk, *, synced: int = 0, linger: float = LINGER
    ) -> None:
        self.batches = 0
        self._folder = folder
        self._descriptor = descriptor
        self._disk = CountingDisk(disk)
        self._linger = linger
        self._synced = synced
        self._change = threading.Condition()
        self._waiting = _Batch()
        self._unsynced = 0
        """The last line that was written without a sync, while its batch is open; else 0."""
        self._due = 0.0
        self._wanted = 0
        self._waiters: list[_Waiter] = []
        self._known_blobs: set[str] = set()
        self._watcher: tuple[asyncio.AbstractEventLoop, Callable[[], None]] | None = None
        self._failure: JournalError | None = None
        self._closing = False
        self._thread: threading.Thread | None = None

    @property
    def syncs(self) -> int:
        """Every sync so far, those of blobs and folders included."""
        return self._disk.syncs

    def check(self) -> None:
        """Raises `JournalError` once anything has failed, or after the end."""
        if self._failure is not None:
            raise JournalError(self._failure.message, hint=self._failure.hint)
        if self._closing:
            raise JournalError(f'the journal of "{self._folder.name}" is closed')

    @property
    def durable(self) -> int:
        """The last line that is on the disk, with all before it."""
        return self._synced

    def watch(self, changed: Callable[[], None]) -> None:
        """Calls `changed` on the running loop after every sync, before anybody who waits for that goes on."""
        self._watcher = (asyncio.get_running_loop(), changed)

    @property
    def gathering(self) -> bool:
        """Whether the next line joins a batch that has begun. Hold `lock` until the line is put."""
        return bool(self._waiting.lines or self._unsynced)

    @property
    def lock(self) -> threading.Condition:
        return self._change

    def put(self, seq: int, line: bytes, blobs: Sequence[Blob], *, light: bool = False) -> None:
        """Puts a line in the batch that gathers; the caller holds `lock`. `light`: its sync may wait."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="agentctl-journal", daemon=True)
            self._thread.start()
        if not self._waiting.lines:
            self._due = time.monotonic() + self._linger
            self._change.notify()
        self._waiting.lines.append(line)
        self._waiting.blobs.extend(blobs)
        self._waiting.last = seq
        self._waiting.light = self._waiting.light and light

    async def synced(self, seq: int) -> None:
        """Returns when that line is on the disk; raises `JournalError` if it never will be."""
        with self._change:
            if seq <= self._synced:
                return
            self.check()
            loop = asyncio.get_running_loop()
            future = loop.create_future()
            self._waiters.append(_Waiter(seq, loop, future))
            if seq > self._wanted:
                self._wanted = seq
                self._change.notify()
        await future

    def end(self) -> None:
        """Writes what is left and ends the thread; nothing of it runs once this returns."""
        with self._change:
            self._closing = True
            self._change.notify()
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        while (batch := self._next()) is not None:
            try:
                self._commit(batch)
            except Exception as error:  # whoever waits must hear of a bug too, and not wait for ever
                self._fail(error)
                return
            if not batch.light:
                self._done(batch.last)

    def _next(self) -> _Batch | None:
        with self._change:
            while not self._ready():
                if self._closing:
                    return None
                rest = self._due - time.monotonic() if self._waiting.lines else None
                self._change.wait(rest)
            batch, self._waiting = self._waiting, _Batch()
            batch.last = batch.last or self._unsynced
            batch.light = batch.light and not self._hurried()
            self._unsynced = batch.last if batch.light else 0
            return batch

    def _ready(self) -> bool:
        if self._hurried() and (self._waiting.lines or self._unsynced):
            return True
        return bool(self._waiting.lines) and time.monotonic() >= self._due

    def _hurried(self) -> bool:
        return self._closing or self._wanted > self._synced

    def _commit(self, batch: _Batch) -> None:
        self._keep(batch.blobs)
        write_whole(self._disk, self._descriptor, b"".join(batch.lines))
        if not batch.light:
            self._disk.sync(self._descriptor)
            self.batches += 1

    def _keep(self, blobs: Sequence[Blob]) -> None:
        new = {blob.name: blob for blob in blobs if blob.name not in self._known_blobs}
        if not new:
            return
        folder = self._folder / "blobs"
        make_folder(self._disk, folder)
        for blob in new.values():
            save(self._disk, folder / blob.name, blob.data)
        sync_folder(self._disk, folder)
        self._known_blobs.update(new)

    def _done(self, seq: int) -> None:
        with self._change:
            self._synced = seq
            told = [waiter for waiter in self._waiters if waiter.seq <= seq]
            self._waiters = [waiter for waiter in self._waiters if waiter.seq > seq]
        if self._watcher is not None:
            loop, changed = self._watcher
            with suppress(RuntimeError):  # a loop that has ended has nobody left to tell
                loop.call_soon_threadsafe(changed)
        _tell(told, None)

    def _fail(self, error: Exception) -> None:
        failure = (
            disk_failure(error, self._folder / "journal.jsonl", run=self._folder.name, doing="record in")
            if isinstance(error, OSError)
            else JournalError(f'cannot record in "{self._folder / "journal.jsonl"}": {error!r}')
        )
        with self._change:
            self._failure = failure
            told, self._waiters = self._waiters, []
        _tell(told, failure)


def _tell(waiters: Sequence[_Waiter], failure: JournalError | None) -> None:
    by_loop: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
    for waiter in waiters:
        by_loop.setdefault(waiter.loop, []).append(waiter.future)
    for loop, futures in by_loop.items():
        with suppress(RuntimeError):  # a loop that has ended has nobody left to tell
            loop.call_soon_threadsafe(_settle, futures, failure)


def _settle(futures: Sequence[asyncio.Future[None]], failure: JournalError | None) -> None:
    for future in futures:
        if future.done():  # whoever waited was cancelled
            continue
        if failure is None:
            future.set_result(None)
        else:
            future.set_exception(JournalError(failure.message, hint=failure.hint))
