"""Syntax rules about indentation: where each line may begin, and where it was most likely meant to."""

from __future__ import annotations

import re
from typing import Final

from agentctl.document.events import Edit, Stretch
from agentctl.document.source import Source
from agentctl.document.syntax_levels import (
    is_item,
    last_beside,
    last_deeper,
    moved_to,
    nearest_level,
    row_above,
)
from agentctl.document.syntax_lines import dashless_item, undashed_item, without_colon, without_space
from agentctl.document.trouble import Fault, Trouble, indent_of, is_key_line, value_of_line, word_at

_NAME: Final = re.compile(r"[ \t]*([a-z][a-z_]*):(?:[ \t]|$)")
_KEY_OF_LINE: Final = re.compile(r"[ \t]*(?:-[ \t]+)*([^\s:]+):[ \t]+(.*)")
_DASH_AND_NAME: Final = re.compile(r"[ \t]*(?:-[ \t]+)*(-)([\w-]+)(?::(?:[ \t]|$))")
_NO_TEXT: Final = "\"'[{|>&*!"


def list_beside_key(trouble: Trouble) -> tuple[Fault, ...]:
    """`tools: - a`: a list begins in the line of its key. All of it is read as one text."""
    if "sequence entries" not in trouble.problem:
        return ()
    source = trouble.source
    last = last_deeper(source, source.row(trouble.at))
    return (
        Fault(
            code="yaml-indentation",
            message="a list of '- ' items cannot begin on the line of its key",
            hint="begin it on the next line, or write it as `[a, b]`; if it is text, write it in quotes",
            start=trouble.at,
            end=trouble.at + 1,
            mend=(trouble.at, _visible_end(source, last)),
        ),
    )


def indentation(trouble: Trouble) -> tuple[Fault, ...]:
    """A line that begins where nothing above it begins, or a key where a list goes on."""
    source = trouble.source
    if "mapping values" in trouble.problem:
        return (_key_in_text(source, trouble.row),)
    if not trouble.is_at_line_start() or not trouble.character():
        return ()
    if "'-' indicator" in trouble.problem or source.text.startswith("- ", trouble.since):
        row = trouble.row
        dashed = _dash_without_space(source, row, row + 1)
        return (dashed or undashed_item(source, row) or dashless_item(source, row) or _in_list(trouble),)
    if "expected key" in trouble.problem or "block end" in trouble.problem:
        return (_between_levels(trouble),)
    return ()


def _key_in_text(source: Source, row: int) -> Fault:
    above = row_above(source, row)
    fault = None if above is None else _fault_above(source, above, row)
    if fault is not None:
        return fault
    start, end = source.line_bounds(row)
    start += len(indent_of(source.text[start:end]))
    end = start + len(source.text[start:end].rstrip())
    level = None if above is None else nearest_level(source, row, item=False)
    is_key = level is not None and level.row == above and _NAME.match(source.line(row)) is not None
    return Fault(
        code="yaml-indentation",
        message="a key cannot stand here: the line is indented so that it goes on with the text above",
        hint=_hint_in_text(source, above),
        start=start,
        end=end,
        mend=None if is_key else _joined(source, row),
        edits=moved_to(source, row, level.column) if is_key and level is not None else (),
        related=() if above is None else ((*value_of_line(source, above), "the text above"),),
    )


def _hint_in_text(source: Source, above: int | None) -> str:
    found = _KEY_OF_LINE.match(source.line(above)) if above is not None else None
    if found is None:
        return "indent it like the key above; if it is part of the text, write that as a block: `key: |`"
    name, value = found[1], found[2].strip()
    if re.fullmatch(r"[\w./-]+", value):
        return f"indent it like `{name}`; if it belongs to `{name}`, write `{name}:` and its keys below that"
    return f"indent it like `{name}`; if it is part of the text, write that as a block: `{name}: |`"


def _fault_above(source: Source, above: int, row: int) -> Fault | None:
    """What is wrong with the line above, so that this one cannot follow it."""
    return _dash_without_space(source, above, row) or (
        without_space(source, above)
        or (without_colon(source, value_of_line(source, above)[0]) if _is_bare(source, above, row) else None)
    )


def _dash_without_space(source: Source, above: int, row: int | None) -> Fault | None:
    """`-name: x`; `row` is the line of keys that follows it."""
    dash = _DASH_AND_NAME.match(source.line(above))
    if dash is not None:
        start = source.line_bounds(above)[0] + dash.start(1)
        return Fault(
            code="yaml-indentation",
            message=f"`-{dash[2]}` is read as a name: the '-' of a list item needs a space behind it",
            hint=f"write `- {dash[2]}:`",
            start=start,
            end=start + 1,
            edits=((start + 1, start + 1, " "), *_aligned(source, row, dash.start(1))),
        )
    return None


def _aligned(source: Source, row: int | None, dash: int) -> tuple[Edit, ...]:
    """The keys below a dash without its space, moved with what stands behind it."""
    if row is None or row >= source.rows or len(indent_of(source.line(row))) != dash + 1:
        return ()
    return moved_to(source, row, dash + 2)


def _is_bare(source: Source, above: int, row: int) -> bool:
    """Whether the line above has no key at all and stands, behind its dashes, where the key below it does."""
    if is_key_line(source, above):
        return False
    begins = value_of_line(source, above)[0] - source.line_bounds(above)[0]
    return begins == len(indent_of(source.line(row)))


def _in_list(trouble: Trouble) -> Fault:
    source, row = trouble.source, trouble.row
    if is_item(source, row):
        return _between_levels(trouble)
    start, end = word_at(source, trouble.at)
    column = _column(source, trouble.since)
    above = nearest_level(source, row, item=True)
    is_key = above is not None and is_key_line(source, row)
    return Fault(
        code="yaml-indentation",
        message="this stands at the indentation of a list and is no item of it",
        hint=f"begin it at column {column + 2} to belong to the item above, with '- ' to be an item, "
        "or further left to end the list",
        start=start,
        end=end,
        edits=moved_to(source, row, above.column + 2) if is_key and above is not None else (),
        related=((trouble.since, trouble.since + 1, "the list begins here"),),
    )


def _between_levels(trouble: Trouble) -> Fault:
    source, row = trouble.source, trouble.row
    start, end = word_at(source, trouble.at)
    column, parent = _column(source, start), _column(source, trouble.since)
    around = (trouble.since, trouble.since + 1, "the mapping around it begins here")
    block = trouble.last[0]
    if source.text.startswith((":", "-"), start) and column == parent:
        return _among_keys(source, (start, end), around)
    if source.text.startswith(("|", ">"), block) and not source.text[trouble.last[1] : start].strip():
        return Fault(
            code="yaml-indentation",
            message="this line is indented less than the text above, of which it seems to be part",
            hint="indent all lines of the text alike",
            start=start,
            end=end,
            mend=(block, _visible_end(source, last_beside(source, row))),
            related=((block, block + 1, "the text begins here"),),
        )
    return _moved(source, row, (start, end), around)


def _among_keys(source: Source, place: Stretch, around: tuple[int, int, str]) -> Fault:
    is_colon = source.text[place[0]] == ":"
    return Fault(
        code="yaml-key" if is_colon else "yaml-indentation",
        message="a key is missing before ':'" if is_colon else "a list item stands among keys",
        hint="write `key: value`" if is_colon else "give the list a key, or write `key: value`",
        start=place[0],
        end=place[1],
        mend=_joined(source, source.row(place[0])),
        related=(around,),
    )


def _moved(source: Source, row: int, place: Stretch, around: tuple[int, int, str]) -> Fault:
    """A line between two levels, read on at the one that it comes nearest to."""
    item = is_item(source, row)
    level = nearest_level(source, row, item=item)
    column = _column(source, place[0])
    kind = "items" if item else "keys"
    hint = f"begin it at column {around[0] + 1} like the {kind} around it, or like the line above"
    if level is not None:
        begins = source.line_bounds(level.row)[0] + level.column
        around = (begins, begins + 1, f"the {kind} here begin at column {level.column + 1}")
        hint = f"begin it at column {level.column + 1} like the {kind} above"
    return Fault(
        code="yaml-indentation",
        message=f"this line begins at column {column}, where nothing above it begins",
        hint=hint,
        start=place[0],
        end=place[1],
        mend=_joined(source, row) if level is None else None,
        edits=moved_to(source, row, level.column) if level is not None else (),
        related=(around,),
    )


def _joined(source: Source, row: int) -> Stretch | None:
    """The value above with a line that stands wrongly below it, as one text: so the rest is read on."""
    above = row_above(source, row)
    if above is None or not is_key_line(source, row):
        return None
    start, end = value_of_line(source, above)
    if start == end or source.text[start] in _NO_TEXT:
        return None
    return start, _visible_end(source, row)


def _visible_end(source: Source, row: int) -> int:
    return source.line_bounds(row)[0] + len(source.line(row).rstrip())


def _column(source: Source, at: int) -> int:
    return source.span(at, at).column
