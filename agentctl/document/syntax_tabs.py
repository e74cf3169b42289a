"""Syntax rule: tabs that indent, or that separate where YAML takes only spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agentctl.document.source import Source
from agentctl.document.trouble import Fault, Trouble, indent_of, is_key_line

_MOST: Final = 20
_BLOCK_HEADER: Final = re.compile(r"(?:^|[ \t])[|>][-+0-9]*[ \t]*(?:#.*)?$")


def tabs(trouble: Trouble) -> tuple[Fault, ...]:
    """Every line from the trouble on that is indented with a tab, texts in blocks aside."""
    source = trouble.source
    is_indent = "\t" in indent_of(source.line(trouble.row))
    if is_indent:
        return tuple(_tab(source, row) for row in _tabbed_rows(source, trouble.row, sure=trouble.row))
    if trouble.character() != "\t":
        return ()
    found = Fault(
        code="yaml-tab",
        message="a tab stands where YAML takes only spaces",
        hint="write a space instead",
        start=trouble.at,
        end=trouble.at + 1,
    )
    return (found, *(_tab(source, row) for row in _tabbed_rows(source, trouble.row + 1)))


def _tab(source: Source, row: int) -> Fault:
    start = source.line_bounds(row)[0]
    indent = indent_of(source.line(row))
    return Fault(
        code="yaml-tab",
        message="this line is indented with a tab; YAML takes only spaces",
        hint="indent with spaces, two for each level",
        start=start + indent.index("\t"),
        end=start + len(indent),
    )


def _tabbed_rows(source: Source, first: int, *, sure: int | None = None) -> Iterator[int]:
    """From `first` on the rows of keys and items, and the one that is `sure` to be wrong."""
    found = 0
    block: int | None = None
    for row in range(first, source.rows):
        line = source.line(row)
        spaces = len(line) - len(line.lstrip(" "))
        if not line.strip() or (block is not None and spaces > block):
            continue
        block = spaces if _BLOCK_HEADER.search(line) else None
        is_entry = is_key_line(source, row) or line.lstrip().startswith("- ")
        if "\t" in indent_of(line) and (row == sure or is_entry) and found < _MOST:
            found += 1
            yield row
