"""Syntax rules about lines: the colon that each key needs, and the dash that each item needs."""

from __future__ import annotations

import re
from typing import Final

from agentctl.document.events import Edit
from agentctl.document.source import Source
from agentctl.document.syntax_levels import Level, is_item, last_of_block, nearest_level, row_above
from agentctl.document.trouble import Fault, Trouble, indent_of, is_key_line

_BLOCK: Final = re.compile(r"[ \t]*(?:-[ \t]+)*([\w-]+):[ \t]+([|>][-+0-9]*)[ \t]*$")
_PAIR: Final = re.compile(r"([a-z]+(?:_[a-z]+)*) +[^\s:]+")
_KEY: Final = re.compile(r"[ \t]*(?:-[ \t]+)*([\w-]+):(?:[ \t]|$)", re.MULTILINE)
_WORD: Final = re.compile(r"[\w-]+")
_NO_SPACE: Final = re.compile(r"[ \t]*(?:-[ \t]+)*([\w-]+):[^\s:/]")


def missing_colon(trouble: Trouble) -> tuple[Fault, ...]:
    """A line among `key: value` lines that has no colon, or no space behind it."""
    if "could not find expected ':'" not in trouble.problem:
        return ()
    source = trouble.source
    row = source.row(trouble.since)
    fault = (
        _unindented_block(source, row)
        or undashed_item(source, row)
        or without_space(source, row)
        or without_colon(source, trouble.since)
    )
    return (fault,)


def _unindented_block(source: Source, row: int) -> Fault | None:
    """`instructions: |`, and its text at the left."""
    above = row_above(source, row)
    header = None if above is None else _BLOCK.match(source.line(above))
    if above is None or header is None:
        return None
    rows = range(row + 1, source.rows)
    last = next((later - 1 for later in rows if is_key_line(source, later)), source.rows - 1)
    start, end = source.line_bounds(row)
    return Fault(
        code="yaml-indentation",
        message=f"the text of `{header[1]}: {header[2]}` is not indented, so that its lines are read as keys",
        hint=f"indent each of its lines further than `{header[1]}`",
        start=start,
        end=start + len(source.text[start:end].rstrip()),
        mend=(source.line_bounds(above)[0] + header.start(2), _visible_end(source, row, last)),
    )


def _visible_end(source: Source, first: int, last: int) -> int:
    start, end = source.line_bounds(first)[0], source.line_bounds(last)[1]
    return start + len(source.text[start:end].rstrip())


def undashed_item(source: Source, row: int) -> Fault | None:
    """`tools:refund` among `- tools:lookup`: a line that stands where items do and is no key."""
    above = row_above(source, row)
    start, end = source.line_bounds(row)
    text = source.text[start:end].strip()
    indent = indent_of(source.text[start:end])
    if above is None or not is_item(source, above) or indent_of(source.line(above)) != indent:
        return None
    if is_key_line(source, row) or is_item(source, row) or text.endswith(":"):
        return None
    begin = start + len(indent)
    return Fault(
        code="yaml-indentation",
        message=f"\"{text[:60]}\" stands among the items of a list, and does not begin with '- '",
        hint=f"write `- {text[:60]}`",
        start=begin,
        end=begin + len(text),
        edits=((begin, begin, "- "),),
    )


def dashless_item(source: Source, row: int) -> Fault | None:
    """A key at the indentation of the items above, which the last of them has already: the next item."""
    above = nearest_level(source, row, item=True)
    start, end = source.line_bounds(row)
    indent = len(indent_of(source.text[start:end]))
    key = _KEY.match(source.text, start)
    if above is None or above.column != indent or key is None or is_item(source, row):
        return None
    if key[1] not in _keys_of_item(source, above, row):
        return None
    text = source.text[start + indent : end].strip()
    return Fault(
        code="yaml-indentation",
        message=f"\"{text[:60]}\" stands among the items of a list, and does not begin with '- '",
        hint=f"write `- {text[:60]}`, and the keys below it like its first",
        start=start + indent,
        end=start + indent + len(text),
        edits=((start + indent, start + indent, "- "), *_set_in(source, row, indent)),
    )


def _keys_of_item(source: Source, item: Level, row: int) -> set[str]:
    """The keys that the item has on the lines before `row`."""
    first = _KEY.match(source.line(item.row))
    if first is None:
        return set()
    lines = (source.line(each) for each in range(item.row + 1, row))
    keys = (_KEY.match(line) for line in lines if len(indent_of(line)) == first.start(1))
    return {first[1], *(key[1] for key in keys if key is not None)}


def _set_in(source: Source, row: int, indent: int) -> list[Edit]:
    """What stands below an item as its first key stands, two columns further in, down to the next item."""
    edits: list[Edit] = []
    for below in range(row + 1, source.rows):
        line, (start, _) = source.line(below), source.line_bounds(below)
        column = len(indent_of(line))
        if line.strip() and (column < indent or (column == indent and is_item(source, below))):
            break
        if line.strip():
            edits.append((start, start, "  "))
    return edits


def without_colon(source: Source, since: int) -> Fault:
    row = source.row(since)
    start, end = since, since + len(source.text[since : source.line_bounds(row)[1]].rstrip())
    text = source.text[start:end]
    pair = _PAIR.fullmatch(text)
    if pair is not None:
        return _missing(text, start, pair.end(1))
    last = last_of_block(source, row)
    hint = "write `key: value`; if it goes on from the text above, indent it further than that text's key"
    if last > row and _WORD.fullmatch(text):
        hint = f"write `{text}:`"
    return Fault(
        code="yaml-colon",
        message=f'"{text[:60]}" stands among keys and has no colon',
        hint=hint,
        start=start,
        end=end,
        drop=(source.line_bounds(row)[0], source.line_bounds(last)[1]),
    )


def _missing(text: str, start: int, colon: int) -> Fault:
    """`model offline`: a name and one word, between which the colon is missing."""
    return Fault(
        code="yaml-colon",
        message=f'"{text[:60]}" stands among keys and has no colon',
        hint=f"write `{text[:colon]}: {text[colon:].strip()}`",
        start=start,
        end=start + len(text),
        edits=((start + colon, start + colon, ":"),),
    )


def without_space(source: Source, row: int) -> Fault | None:
    found = _NO_SPACE.match(source.line(row))
    if found is None:
        return None
    start = source.line_bounds(row)[0]
    return Fault(
        code="yaml-colon",
        message=f'"{found[1]}:" needs a space behind its colon',
        hint=f"write `{found[1]}: …`",
        start=start + found.start(1),
        end=start + found.end(1) + 1,
        edits=((start + found.end(1) + 1, start + found.end(1) + 1, " "),),
    )
