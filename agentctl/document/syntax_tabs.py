"""Syntax rule: tabs that indent, or that separate where YAML takes only spaces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from agentctl.document.events import Edit
from agentctl.document.source import Source
from agentctl.document.syntax_levels import block_rows, is_item, spaced_tabs
from agentctl.document.trouble import Fault, Trouble, indent_of, is_key_line

_MOST: Final = 20


def tabs(trouble: Trouble) -> tuple[Fault, ...]:
    """Every line from the trouble on that is indented with a tab, texts in blocks aside."""
    source = trouble.source
    line = source.line(trouble.row)
    if line and not line.strip():
        return _blank_in_block(trouble)
    if "\t" in indent_of(line):
        rows = list(_tabbed_rows(source, trouble.row, sure=trouble.row))
        return _told(source, rows, spaced_tabs(source, trouble.row))
    if trouble.character() != "\t":
        return ()
    found = Fault(
        code="yaml-tab",
        message="a tab stands where YAML takes only spaces",
        hint="write a space instead",
        start=trouble.at,
        end=trouble.at + 1,
        edits=spaced_tabs(source, trouble.row, trouble.at),
    )
    return (found, *_told(source, list(_tabbed_rows(source, trouble.row + 1)), ()))


def _blank_in_block(trouble: Trouble) -> tuple[Fault, ...]:
    """A line of nothing but a tab in a text that is a block: the block cannot go on with it."""
    source = trouble.source
    start, end = source.line_bounds(trouble.row)
    tab = source.text.find("\t", start, end)
    if tab < 0 or trouble.row not in block_rows(source):
        return ()
    return (
        Fault(
            code="yaml-tab",
            message="this line in the text of a block holds only a tab; YAML takes only spaces there",
            hint="delete the tab, so that the line is empty",
            start=tab,
            end=end,
            edits=((start, end, ""),),
        ),
    )


def _told(source: Source, rows: list[int], edits: tuple[Edit, ...]) -> tuple[Fault, ...]:
    """A fault for each of the first lines; the last of those says how many more there are."""
    faults = [_tab(source, row) for row in rows[:_MOST]]
    if len(rows) > _MOST:
        message = f"this line is indented with a tab, and {len(rows) - _MOST:,} more below it are too"
        faults[-1] = replace(faults[-1], message=message)
    return (replace(faults[0], edits=edits), *faults[1:]) if faults else ()


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
    texts = block_rows(source)
    for row in range(first, source.rows):
        is_entry = row not in texts and (is_key_line(source, row) or is_item(source, row))
        if "\t" in indent_of(source.line(row)) and (row == sure or is_entry):
            yield row
