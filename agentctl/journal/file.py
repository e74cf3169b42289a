"""A journal in a run directory: records become durable lines, and lines become records again.

Whoever holds one holds the run's lock. It knows nothing of what the records mean.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from agentctl.errors import JournalError
from agentctl.journal.blobs import LIMIT, Blob, is_plain, pack
from agentctl.journal.disk import Disk, SystemDisk, disk_failure, make_folder, save, sync_folder, write_whole
from agentctl.journal.journal import Signal
from agentctl.journal.ledger import Clock, Ledger
from agentctl.journal.line import from_line, json_bytes, to_line
from agentctl.journal.lock import RunLock
from agentctl.journal.records import Record
from agentctl.journal.scan import Scan, scan
from agentctl.journal.signals import alone_with_signals, forget_signal, pending_signals
from agentctl.journal.ticket import Ticket
from agentctl.journal.writer import LINGER, Writer
from agentctl.jsontypes import JsonObject

_BINARY: Final = getattr(os, "O_BINARY", 0)


class FileJournal:
    """The `Journal` of one run directory; see the protocol. Made by `open_run`."""

    def __init__(
        self,
        folder: Path,
        lock: RunLock,
        *,
        disk: Disk | None = None,
        clock: Clock | None = None,
        linger: float = LINGER,
        known: Scan | None = None,
    ) -> None:
        """Takes over `lock`. Cuts a torn tail off. Raises `JournalError`, and then the lock is free again.

        `known` is what was read before the lock was there.
        """
        self.folder = folder
        self._lock = lock
        self._disk = disk or SystemDisk()
        try:
            self.found = found = scan(folder, known)
            self._descriptor = _recovered(folder, found, self._disk)
        except BaseException:
            lock.release()
            raise
        self._ledger = Ledger(found.records, clock)
        self._writer = Writer(folder, self._descriptor, self._disk, synced=len(found.records), linger=linger)
        self._closed = False

    @property
    def records(self) -> Sequence[Record]:
        return self._ledger.records

    @property
    def syncs(self) -> int:
        """Syncs since it was opened, those of blobs and folders included."""
        return self._writer.syncs

    @property
    def batches(self) -> int:
        """Batches written since it was opened."""
        return self._writer.batches

    def last(self, step: str, things: Sequence[str], asked: str | None = None) -> Record | None:
        return self._ledger.last(step, things, asked)

    def append(self, ev: str, step: str = "", data: JsonObject | None = None) -> Ticket:
        """Raises ValueError or TypeError for data that is not JSON or uses a name of the record's own."""
        with self._writer.lock:
            self._writer.check()
            draft = self._ledger.draft(ev, step, data or {}, joins=self._writer.gathering)
            record, line, blobs = _encoded(draft)
            self._writer.put(record.seq, line, blobs, light=ev.endswith(".started"))
            self._ledger.add(record)
        return Ticket(record, self._writer.synced)

    @property
    def durable(self) -> int:
        return self._writer.durable

    def watch(self, changed: Callable[[], None]) -> None:
        self._writer.watch(changed)

    async def flush(self) -> None:
        await self._writer.synced(len(self._ledger.records))

    def spill(self, name: str, text: str) -> str:
        return self._kept("spilled", _file_name(name), text.encode("utf-8", "surrogatepass"))

    def spilled(self, name: str) -> str | None:
        path = self.folder / "spilled" / _file_name(name)
        try:
            return path.read_bytes().decode("utf-8", "surrogatepass")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise disk_failure(error, path, run=self.folder.name, doing="read") from error

    def keep(self, name: str, data: bytes) -> str:
        stem, dot, suffix = name.rpartition(".")
        return self._kept("files", f"{_file_name(stem).removesuffix('.txt')}{dot}{suffix}", data)

    def _kept(self, place: str, name: str, data: bytes) -> str:
        path = self.folder / place / name
        try:
            make_folder(self._disk, path.parent)
            save(self._disk, path, data)
            sync_folder(self._disk, path.parent)
        except OSError as error:
            raise disk_failure(error, path, run=self.folder.name) from error
        return str(path)

    def signals(self) -> Sequence[Signal]:
        return pending_signals(self.folder)

    @contextmanager
    def alone(self) -> Iterator[None]:
        with alone_with_signals(self.folder, disk=self._disk):
            yield

    def forget(self, signal: Signal) -> None:
        forget_signal(self.folder, signal)

    async def close(self) -> None:
        """Syncs what is left and frees the run. Raises `JournalError` where that fails, once."""
        if self._closed:
            return
        self._closed = True
        try:
            self._writer.check()
        except JournalError:
            self._free()
            return
        try:
            await self.flush()
        finally:
            self._free()

    def _free(self) -> None:
        self._writer.end()
        with suppress(OSError):
            os.close(self._descriptor)
        self._lock.release()


def _encoded(draft: Record) -> tuple[Record, bytes, Sequence[Blob]]:
    """The record as a resume will read it, its line, and the blobs that the line names."""
    line = to_line(draft)
    if len(line) <= LIMIT and is_plain(line):
        record = from_line(line)
        assert record is not None, line
        return record, line, ()
    data = json.loads(json_bytes(draft.data))
    packed, blobs = pack(data)
    return replace(draft, data=data), to_line(replace(draft, data=packed)), blobs


def _recovered(folder: Path, found: Scan, disk: Disk) -> int:
    """Makes the journal end with its last good record, for good, and opens it for appending.

    The last batch is written again where it stands: if its sync failed, the system may hold it for
    clean and would never write it by itself.
    """
    path = folder / "journal.jsonl"
    try:
        descriptor = os.open(path, os.O_RDWR | _BINARY)
        try:
            if os.fstat(descriptor).st_size:
                _settle(descriptor, found, disk)
        finally:
            os.close(descriptor)
        return os.open(path, os.O_WRONLY | os.O_APPEND | _BINARY)
    except OSError as error:
        raise disk_failure(error, path, run=folder.name) from error


def _settle(descriptor: int, found: Scan, disk: Disk) -> None:
    os.lseek(descriptor, found.last_batch, os.SEEK_SET)
    batch = os.read(descriptor, found.end - found.last_batch)
    os.lseek(descriptor, found.last_batch, os.SEEK_SET)
    write_whole(disk, descriptor, batch)
    os.ftruncate(descriptor, found.end)
    disk.sync(descriptor)


def _file_name(name: str) -> str:
    """A step's path as a file name; where it had to be changed, made unique again by a hash."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name).lstrip(".")[:100]
    if plain == name:
        return f"{plain}.txt"
    return f"{plain}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}.txt"
