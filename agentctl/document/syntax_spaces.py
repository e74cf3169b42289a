"""Syntax rule: spaces that look like others and are none to YAML, where it needs plain ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from agentctl.document.events import Stretch, Unreadable
from agentctl.document.source import Source
from agentctl.document.syntax_levels import block_rows, row_above
from agentctl.document.trouble import Fault, Trouble

_SPACES: Final = "\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000"
_INDENT: Final = re.compile(f"[ \\t]*([{_SPACES}][ {_SPACES}]*)(?:-[ \\t]|[\\w-]+:)")
_BEHIND: Final = re.compile(f"[ \\t{_SPACES}]*(?:-[ \\t]+)*(?:[\\w-]+:|-)([{_SPACES}]+)")
_FIRST: Final = re.compile(f"[{_SPACES}]")
_PROBLEM: Final = "foreign space"


def begins_with_space(text: str) -> bool:
    """Whether an unquoted text begins with what looks like a space and belongs to it."""
    return _FIRST.match(text) is not None


def refuse_key(text: str, at: int) -> None:
    """Raises `Unreadable` for an unquoted key that begins with such a space."""
    if begins_with_space(text):
        raise Unreadable(_PROBLEM, "", at, at)


def foreign_spaces(trouble: Trouble) -> tuple[Fault, ...]:
    """`name:` and a no-break space, or lines that are indented with such."""
    source = trouble.source
    rows = (trouble.row, source.row(trouble.since), row_above(source, trouble.row))
    if not any(row is not None and _of_line(source, row) for row in rows):
        return ()
    first = min(row for row in rows if row is not None)
    return tuple(_told(source, place) for place in _places(source, first))


def _places(source: Source, first: int) -> Iterator[Stretch]:
    texts = block_rows(source)
    return (place for row in range(first, source.rows) if row not in texts for place in _of_line(source, row))


def _of_line(source: Source, row: int) -> tuple[Stretch, ...]:
    start, line = source.line_bounds(row)[0], source.line(row)
    found = (pattern.match(line) for pattern in (_INDENT, _BEHIND))
    return tuple((start + each.start(1), start + each.end(1)) for each in found if each)


def _told(source: Source, place: Stretch) -> Fault:
    sign = next(sign for sign in source.text[slice(*place)] if sign != " ")
    name = unicodedata.name(sign, f"U+{ord(sign):04X}").casefold()
    return Fault(
        code="yaml-character",
        message=f"a {name} stands here, which is no space to YAML",
        hint="write plain spaces instead; such characters come with text that is copied from a page",
        start=place[0],
        end=place[1],
        edits=((*place, " " * (place[1] - place[0])),),
    )
