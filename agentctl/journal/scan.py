"""A journal's bytes as records, and where they end.

The writer starts a batch only after the one before it is on the disk. So damage in the last batch is a
write that was never acknowledged: the journal ends there, and what stands before it is kept. Damage
with a later batch behind it has hit something acknowledged, and is refused. A record's `batch` is the
`seq` of the first record of its batch, which tells the two apart whatever part of a batch is lost.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from agentctl.errors import JournalError
from agentctl.journal.blobs import Read, is_plain, read_from, unpack
from agentctl.journal.line import START, from_line
from agentctl.journal.records import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """`end` is the offset behind the last good record, `last_batch` that of its batch's first one.

    `state` tells the file as it was read from any other state of it.
    """

    records: list[Record]
    end: int
    last_batch: int
    state: tuple[int, ...]


def scan(folder: Path, known: Scan | None = None) -> Scan:
    """Reads `journal.jsonl` of a run directory, also while another process appends to it.

    `known` is what an earlier look found, and is given back where the file has not changed since. Raises
    `JournalError` naming file and record for damage that is no torn write, and where a file cannot be read.
    """
    path = folder / "journal.jsonl"
    try:
        with path.open("rb") as file:
            state = _state(file)
            if known is not None and known.state == state:
                return known
            return _scan(file, path, read_from(folder / "blobs"), state)
    except OSError as error:
        raise JournalError(
            f'"{path}" cannot be read: {error.strerror}', hint="is this a whole run directory?"
        ) from error


def _state(file: BinaryIO) -> tuple[int, ...]:
    found = os.fstat(file.fileno())
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _scan(file: BinaryIO, path: Path, blobs: Read, state: tuple[int, ...]) -> Scan:
    records: list[Record] = []
    end = last_batch = 0
    for line in file:
        record = from_line(line)
        if record is None:
            _refuse_acknowledged(line, file, path, len(records))
            break
        _refuse_disorder(record, records[-1] if records else None, path)
        if record.batch == record.seq:
            last_batch = end
        records.append(record if is_plain(line) else _whole(record, blobs))
        end += len(line)
    return Scan(records=records, end=end, last_batch=last_batch, state=state)


def _whole(record: Record, blobs: Read) -> Record:
    return Record(
        seq=record.seq,
        batch=record.batch,
        ts=record.ts,
        t=record.t,
        ev=record.ev,
        step=record.step,
        data=unpack(record.data, blobs),
    )


def _refuse_disorder(record: Record, before: Record | None, path: Path) -> None:
    expected = before.seq + 1 if before else 1
    if record.seq != expected:
        raise _corrupt(path, expected, f"record {record.seq} stands in its place")
    if record.batch != record.seq and (before is None or record.batch != before.batch):
        raise _corrupt(path, expected, "it names a batch that did not begin before it")


def _refuse_acknowledged(line: bytes, rest: BinaryIO, path: Path, good: int) -> None:
    """Raises where the damage, which begins behind `good` records, has a later batch behind it."""
    survivors = _survivors(line, rest)
    first = next(survivors, None)
    if first is None:
        return
    same_batch = first.batch <= good or first.batch == good + 1 < first.seq
    if not same_batch or any(record.batch != first.batch for record in survivors):
        raise _corrupt(path, good + 1, "later records stand behind it, so it was once whole")


def _survivors(line: bytes, rest: BinaryIO) -> Iterator[Record]:
    """The good records in and behind a damaged line; where its newline was hit, the next is inside it."""
    damaged = line
    while damaged:
        at = damaged.find(START, 1)
        while at >= 0:
            record = from_line(damaged[at:])
            if record is not None:
                yield record
                break
            at = damaged.find(START, at + 1)
        damaged = b""
        for following in rest:
            record = from_line(following)
            if record is None:
                damaged = following
                break
            yield record


def _corrupt(path: Path, seq: int, why: str) -> JournalError:
    return JournalError(
        f'"{path}" is damaged at record {seq}: {why}',
        hint="restore the file from a copy of the run; nothing is guessed in its place",
    )
