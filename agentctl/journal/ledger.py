"""The records of a run in memory: all of them in order, and the newest of each step by a look-up."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from agentctl.journal.records import Record
from agentctl.jsontypes import Json, JsonObject

_HEAD: Final = frozenset(Record(seq=0, batch=0, ts=0, t=0, ev="").as_json()) | {"crc"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Where the times of records come from: Unix seconds, and seconds that never go backwards."""

    now: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic


class Ledger:
    def __init__(self, records: Iterable[Record] = (), clock: Clock | None = None) -> None:
        self._clock = clock or Clock()
        self._began = self._clock.monotonic()
        self._newest: dict[tuple[str, str], Record] = {}
        self._asked: dict[tuple[str, str, Json], Record] = {}
        self.records: list[Record] = []
        for record in records:
            self.add(record)

    def draft(self, ev: str, step: str, data: JsonObject, *, joins: bool = False) -> Record:
        """The next record, not yet added; `joins` the newest one's batch or begins another.

        Raises ValueError where the data uses a name of the record's own.
        """
        if not _HEAD.isdisjoint(data):
            raise ValueError(f"{ev}: {sorted(_HEAD & data.keys())} are the record's own")
        seq = len(self.records) + 1
        return Record(
            seq=seq,
            batch=self.records[-1].batch if joins else seq,
            ts=round(self._clock.now(), 6),
            t=round(self._clock.monotonic() - self._began, 6),
            ev=ev,
            step=step,
            data=data,
        )

    def add(self, record: Record) -> None:
        self.records.append(record)
        self._newest[record.step, record.ev] = record
        if isinstance(record.data.get("in"), str):
            self._asked[record.step, record.ev, record.data["in"]] = record

    def last(self, step: str, things: Sequence[str], asked: str | None = None) -> Record | None:
        if asked is None:
            found = [record for ev in things if (record := self._newest.get((step, ev))) is not None]
        else:
            found = [record for ev in things if (record := self._asked.get((step, ev, asked))) is not None]
        return max(found, key=lambda record: record.seq, default=None)
