"""Where a line can begin: the levels that are open above it, and the edits that move it there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from agentctl.document.events import Edit
from agentctl.document.source import Source
from agentctl.document.trouble import indent_of, is_key_line, value_of_line

_BLOCK_HEADER: Final = re.compile(r"(?:^|[ \t:])[|>][-+0-9]*[ \t]*(?:#.*)?$")
_MARKS: Final = re.compile(r"[ \t]*(?:-[ \t]+)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A column, counted from 0, at which the line `row` has a key or a list item."""

    column: int
    row: int


def is_item(source: Source, row: int) -> bool:
    return source.line(row).lstrip().startswith("- ") or source.line(row).strip() == "-"


def row_above(source: Source, row: int) -> int | None:
    """The nearest line above that is not blank."""
    return next((before for before in range(row - 1, -1, -1) if source.line(before).strip()), None)


def block_rows(source: Source) -> frozenset[int]:
    """The lines that are text of a `|` or `>` block, blank ones between them too."""
    rows: set[int] = set()
    blank: list[int] = []
    block: int | None = None
    for row in range(source.rows):
        line = source.line(row)
        spaces = len(line) - len(line.lstrip(" "))
        if not line.strip():
            blank.append(row)
        elif block is not None and spaces > block:
            rows |= {*blank, row}
            blank = []
        else:
            blank = []
            marks = _MARKS.match(line) if is_key_line(source, row) else None
            block = (marks.end() if marks else spaces) if _BLOCK_HEADER.search(line) else None
    return frozenset(rows)


def nearest_level(source: Source, row: int, *, item: bool) -> Level | None:
    """The open level of items, or of keys, that a line comes nearest to; the deeper of two."""
    column = len(indent_of(source.line(row)))
    levels = sorted(_levels(source, row, item=item), key=lambda level: -level.column)
    return min(levels, key=lambda level: abs(level.column - column), default=None)


def _levels(source: Source, row: int, *, item: bool) -> Iterator[Level]:
    texts = block_rows(source)
    lowest: int | None = None
    for above in range(row - 1, -1, -1):
        line = source.line(above)
        indent = len(indent_of(line))
        is_text = above in texts or not line.strip() or line.lstrip().startswith("#")
        if is_text or (lowest is not None and indent >= lowest):
            continue
        lowest = indent
        marks = _MARKS.match(line)
        if item and marks:
            yield Level(column=indent, row=above)
        elif not item and is_key_line(source, above):
            yield Level(column=marks.end() if marks else indent, row=above)
        if indent == 0:
            return


def last_of_block(source: Source, row: int) -> int:
    """The last line of what is indented below a line, or listed at its own indentation."""
    indent = len(indent_of(source.line(row)))
    return _last_while(
        source, row, lambda later, column: column > indent or (column == indent and is_item(source, later))
    )


def last_deeper(source: Source, row: int) -> int:
    """The last line of those that follow and are indented further than this one."""
    indent = len(indent_of(source.line(row)))
    return _last_while(source, row, lambda _, column: column > indent)


def last_beside(source: Source, row: int) -> int:
    """The last line that is indented at least as far as this one."""
    indent = len(indent_of(source.line(row)))
    return _last_while(source, row, lambda _, column: column >= indent)


def _last_while(source: Source, row: int, belongs: Callable[[int, int], bool]) -> int:
    """The last line that follows and belongs, by its row and column; blank ones between count too."""
    last = row
    for later in range(row + 1, source.rows):
        line = source.line(later)
        if not line.strip():
            continue
        if not belongs(later, len(indent_of(line))):
            break
        last = later
    return last


def moved_to(source: Source, row: int, column: int) -> tuple[Edit, ...]:
    """The line, and all that goes on beside or below it, begun at `column` instead of where it begins.

    An item alone where its further keys stand as they should without it.
    """
    shift = column - len(indent_of(source.line(row)))
    edits = []
    last = row if _stands_apart(source, row) else last_beside(source, row)
    for each in range(row, last + 1):
        start, end = source.line_bounds(each)
        indent = len(indent_of(source.text[start:end]))
        if source.text[start:end].strip():
            edits.append((start, start + indent, " " * (indent + shift)))
    return tuple(edits)


def _stands_apart(source: Source, row: int) -> bool:
    """Whether a line is an item whose further keys begin elsewhere than its first."""
    marks = _MARKS.match(source.line(row))
    below = row_below(source, row)
    if marks is None or below is None or not is_key_line(source, row) or is_item(source, below):
        return False
    return is_key_line(source, below) and len(indent_of(source.line(below))) != marks.end()


def row_below(source: Source, row: int) -> int | None:
    """The nearest line below that is not blank."""
    return next((later for later in range(row + 1, source.rows) if source.line(later).strip()), None)


def _column_of_lone(source: Source, row: int) -> int | None:
    """Where a line that is indented with a tab belongs, by the lines around it that are not."""
    above, below = row_above(source, row), row_below(source, row)
    if above is None or any(
        "\t" in indent_of(source.line(each)) for each in (above, below) if each is not None
    ):
        return None
    indents = [len(indent_of(source.line(each))) for each in (above, row if below is None else below)]
    if is_item(source, row):
        return None if below is None else _column_of_item(source, below, indents[1])
    if not is_key_line(source, row):
        return None if is_key_line(source, above) else indents[0]
    if is_key_line(source, above) and _is_open(source, above):
        is_beside = below is not None and is_key_line(source, below) and indents[1] > indents[0]
        return indents[1] if is_beside else None
    is_list = below is not None and is_item(source, below) and _is_open(source, row)
    columns = (level.column for level in _levels(source, row, item=False))
    return max((column for column in columns if not is_list or column <= indents[1]), default=None)


def _column_of_item(source: Source, below: int, indent: int) -> int | None:
    if is_item(source, below):
        return indent
    return indent - 2 if is_key_line(source, below) and indent >= 2 else None


def _is_open(source: Source, row: int) -> bool:
    """Whether the value of a key stands on the lines below it."""
    start, end = value_of_line(source, row)
    return start == end


def spaced_tabs(source: Source, first: int, at: int | None = None) -> tuple[Edit, ...]:
    """From a line on, the tabs of indentation as the spaces that they stand for, and the one at `at`."""
    width = tab_width(source)
    texts = block_rows(source)
    edits = []
    for row in range(first, source.rows):
        start, _ = source.line_bounds(row)
        indent = indent_of(source.line(row))
        if "\t" in indent and row not in texts:
            lone = _column_of_lone(source, row)
            edits.append(
                (start, start + len(indent), " " * (len(indent.expandtabs(width)) if lone is None else lone))
            )
        if at is not None and source.row(at) == row and at >= start + len(indent):
            column = len(source.text[start:at].expandtabs(width))
            edits.append((at, at + 1, " " * (width - column % width)))
    return tuple(edits)


def blank_tabs(source: Source) -> tuple[Edit, ...]:
    """Lines of nothing but spaces and tabs, which YAML allows and the parser does not, as empty ones."""
    texts = block_rows(source)
    bounds = (source.line_bounds(row) for row in range(source.rows) if row not in texts)
    blank = ((start, end) for start, end in bounds if not source.text[start:end].strip(" \t"))
    return tuple((start, end, "") for start, end in blank if "\t" in source.text[start:end])


def tab_width(source: Source) -> int:
    """How far a tab indents: as the lines that are indented with spaces, or else two."""
    lines = (source.line(row) for row in range(source.rows))
    spaces = (len(line) - len(line.lstrip(" ")) for line in lines if line.strip() and line.startswith(" "))
    return min(max(min(spaces, default=2), 2), 8)
