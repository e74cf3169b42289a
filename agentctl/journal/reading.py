"""A run as it stands now, for whoever only looks: without the lock, also while it goes on."""

from __future__ import annotations

from pathlib import Path

from agentctl.journal.header import read_header
from agentctl.journal.lock import is_locked
from agentctl.journal.records import Record
from agentctl.journal.scan import scan
from agentctl.jsontypes import JsonObject


def read_run(folder: Path) -> tuple[JsonObject, list[Record], bool]:
    """The header, the records that are whole by now, and whether a process works on the run.

    Raises `JournalError` for a damaged run, one of a newer format, or one that cannot be read.
    """
    header = read_header(folder)
    live = is_locked(folder)
    records = scan(folder).records
    return header, records, live or is_locked(folder)
