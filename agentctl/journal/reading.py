"""A run as it stands now, for whoever only looks: without the lock, also while it goes on."""

from __future__ import annotations

from pathlib import Path

from agentctl.journal.header import read_header
from agentctl.journal.lock import is_locked
from agentctl.journal.records import Record
from agentctl.journal.scan import Scan, scan
from agentctl.jsontypes import JsonObject


def read_run(folder: Path) -> tuple[JsonObject, list[Record], bool]:
    """The header, the records that are whole by now, and whether a process works on the run.

    Raises `JournalError` for a damaged run, one of a newer format, or one that cannot be read.
    """
    header, found, live = read_whole(folder)
    return header, found.records, live


def read_whole(folder: Path) -> tuple[JsonObject, Scan, bool]:
    """The same with all that is known of the journal, so that whoever takes it up need not read it again."""
    header = read_header(folder)
    live = is_locked(folder)
    found = scan(folder)
    return header, found, live or is_locked(folder)
