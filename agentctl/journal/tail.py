"""A run's journal read on as it grows, without the lock: each time the records that are new since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from agentctl.journal.blobs import is_plain, read_from, unpack
from agentctl.journal.line import from_line
from agentctl.journal.lock import is_locked
from agentctl.journal.records import Record
from agentctl.journal.scan import scan


class Tail:
    """The records of the run in `folder`, each given once.

    A line that is not whole yet is left for the next look; where one is whole but wrong, everything is read
    and checked again from the start.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._blobs = read_from(folder / "blobs")
        self._end = 0
        self._given = 0

    def news(self) -> tuple[Sequence[Record], bool]:
        """The new records, and whether more may follow, since a process works on the run.

        Raises `JournalError` for a damaged run.
        """
        live = is_locked(self._folder)  # first, so that all which the process wrote is there to be read
        grown = self._grown() if self._given else None
        return (self._scanned() if grown is None else grown), live

    def _grown(self) -> list[Record] | None:
        """None where what stands there does not go on from what was read."""
        news: list[Record] = []
        with (self._folder / "journal.jsonl").open("rb") as file:
            file.seek(self._end)
            for line in file:
                record = from_line(line)
                if record is None or record.seq != self._given + 1:
                    return None if line.endswith(b"\n") and not news else news
                whole = record if is_plain(line) else replace(record, data=unpack(record.data, self._blobs))
                news.append(whole)
                self._given, self._end = record.seq, self._end + len(line)
        return news

    def _scanned(self) -> list[Record]:
        found = scan(self._folder)
        news = [record for record in found.records if record.seq > self._given]
        self._end, self._given = found.end, len(found.records)
        return news
