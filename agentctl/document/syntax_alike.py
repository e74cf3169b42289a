"""One mistake that a file makes again and again: the later lines that make it are told in the same round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from agentctl.document.events import Reading, Stretch, Unreadable
from agentctl.document.source import Source
from agentctl.document.syntax import explain
from agentctl.document.syntax_levels import block_rows
from agentctl.document.trouble import Fault, indent_of, value_of_line

_HEAD: Final = re.compile(r"[ \t]*(?:-[ \t]+)*[\w-]+:[ \t]+")
# Most lines need no parser to be known as right.
_SAFE: Final = re.compile(r"\w[^:#]*")


def alike(fault: Fault, source: Source, *, most: int) -> list[Fault]:
    """The faults of later lines that have the same key and are, each by itself, wrong in the same way."""
    row = source.row(fault.start)
    head = _HEAD.match(source.line(row))
    if head is None or fault.mend != value_of_line(source, row):
        return []
    return list(islice(_later(fault, source, row, head[0]), max(most, 0)))


def _later(fault: Fault, source: Source, first: int, head: str) -> Iterator[Fault]:
    texts = block_rows(source)
    for row in range(first + 1, source.rows):
        line = source.line(row)
        if (
            not line.startswith(head)
            or _SAFE.fullmatch(line, len(head))
            or row in texts
            or _goes_on(source, row)
        ):
            continue
        found = _of_line(line, source.path)
        if found is not None and found.code == fault.code and found.mend is not None:
            yield _moved(found, source.line_bounds(row)[0])


def _goes_on(source: Source, row: int) -> bool:
    """Whether the line below is indented further, and so may belong to the same text."""
    if row + 1 >= source.rows:
        return False
    indents = [len(indent_of(source.line(each))) for each in (row, row + 1)]
    return (
        bool(source.line(row + 1).strip())
        and indents[1] > indents[0]
        and not _HEAD.match(source.line(row + 1))
    )


def _of_line(line: str, path: str) -> Fault | None:
    """What is wrong with a line where it stands alone."""
    last: Stretch = (0, 0)
    reading = Reading(line)
    try:
        for event in reading.events():
            last = reading.extent(event)
    except Unreadable as error:
        return explain(error, Source(path, line), last)[0]
    return None


def _moved(fault: Fault, by: int) -> Fault:
    mend = (fault.mend[0] + by, fault.mend[1] + by) if fault.mend else None
    related = tuple((start + by, end + by, words) for start, end, words in fault.related)
    return replace(fault, start=fault.start + by, end=fault.end + by, mend=mend, related=related)
