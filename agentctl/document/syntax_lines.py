"""Syntax rules about lines: where each may begin, and the colon that each key needs."""

from __future__ import annotations

import re
from typing import Final

from agentctl.document.events import Stretch
from agentctl.document.source import Source
from agentctl.document.trouble import Fault, Trouble, indent_of, is_key_line, value_of_line, word_at

_BLOCK: Final = re.compile(r"[ \t]*(?:-[ \t]+)*([\w-]+):[ \t]+([|>][-+0-9]*)[ \t]*$")
_WORD: Final = re.compile(r"[\w-]+")
_NO_SPACE: Final = re.compile(r"[ \t]*(?:-[ \t]+)*([\w-]+):[^\s:/]")


def list_beside_key(trouble: Trouble) -> tuple[Fault, ...]:
    """`tools: - a`: a list begins in the line of its key."""
    if "sequence entries" not in trouble.problem:
        return ()
    return (
        Fault(
            code="yaml-indentation",
            message="a list of '- ' items cannot begin on the line of its key",
            hint="begin it on the next line, or write it as `[a, b]`",
            start=trouble.at,
            end=trouble.at + 1,
        ),
    )


def missing_colon(trouble: Trouble) -> tuple[Fault, ...]:
    """A line among `key: value` lines that has no colon, or no space behind it."""
    if "could not find expected ':'" not in trouble.problem:
        return ()
    source = trouble.source
    row = source.row(trouble.since)
    block = _unindented_block(source, row)
    return (block or _without_space(source, row) or _without_colon(source, trouble.since),)


def _unindented_block(source: Source, row: int) -> Fault | None:
    """`instructions: |`, and its text at the left."""
    above = _row_above(source, row)
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


def _row_above(source: Source, row: int) -> int | None:
    return next((before for before in range(row - 1, -1, -1) if source.line(before).strip()), None)


def _joined(source: Source, row: int) -> Stretch | None:
    """The value above with a line that stands wrongly below it, as one text: so the rest is read on."""
    above = _row_above(source, row)
    if above is None or not is_key_line(source, row):
        return None
    start, end = value_of_line(source, above)
    if start == end or source.text[start] in "\"'[{|>&*!":
        return None
    return start, source.line_bounds(row)[0] + len(source.line(row).rstrip())


def _without_colon(source: Source, since: int) -> Fault:
    row = source.row(since)
    start, end = since, since + len(source.text[since : source.line_bounds(row)[1]].rstrip())
    text = source.text[start:end]
    last = _last_of_block(source, row)
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


def _last_of_block(source: Source, row: int) -> int:
    """The last line of what is indented below a line, or listed at its own indentation."""
    indent, last = len(indent_of(source.line(row))), row
    for later in range(row + 1, source.rows):
        line = source.line(later)
        is_item = line.lstrip().startswith("- ") and len(indent_of(line)) >= indent
        if line.strip() and len(indent_of(line)) <= indent and not is_item:
            break
        last = later if line.strip() else last
    return last


def _without_space(source: Source, row: int) -> Fault | None:
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
    )


def indentation(trouble: Trouble) -> tuple[Fault, ...]:
    """A line that begins where nothing above it begins, or a key where a list goes on."""
    source = trouble.source
    if "mapping values" in trouble.problem:
        return (_key_in_text(source, trouble.row),)
    if not trouble.is_at_line_start() or not trouble.character():
        return ()
    if "'-' indicator" in trouble.problem or _is_list_item(source, trouble.since):
        return (_key_in_list(trouble),)
    if "expected key" in trouble.problem or "block end" in trouble.problem:
        return (_between_levels(trouble),)
    return ()


def _key_in_text(source: Source, row: int) -> Fault:
    above = _row_above(source, row)
    unspaced = None if above is None else _without_space(source, above)
    if unspaced is not None:
        return unspaced
    if above is not None and _is_bare(source, above, row):
        return _without_colon(source, source.line_bounds(above)[0])
    start, end = source.line_bounds(row)
    start += len(indent_of(source.text[start:end]))
    end = start + len(source.text[start:end].rstrip())
    return Fault(
        code="yaml-indentation",
        message="a key cannot stand here: the line is indented so that it goes on with the text above",
        hint="indent it like the key above; if it is part of the text, write that as a block: `key: |`",
        start=start,
        end=end,
        mend=_joined(source, row),
        related=() if above is None else ((*value_of_line(source, above), "the text above"),),
    )


def _is_bare(source: Source, above: int, row: int) -> bool:
    """Whether the line above has no key at all and stands where the key below it does."""
    begins = value_of_line(source, above)[0] - source.line_bounds(above)[0]
    indents = [len(indent_of(source.line(each))) for each in (above, row)]
    return begins == indents[0] == indents[1]


def _key_in_list(trouble: Trouble) -> Fault:
    source = trouble.source
    start, end = word_at(source, trouble.at)
    column = _column(source, trouble.since)
    return Fault(
        code="yaml-indentation",
        message="this stands at the indentation of a list and is no item of it",
        hint=f"begin it at column {column + 2} to belong to the item above, with '- ' to be an item, "
        "or further left to end the list",
        start=start,
        end=end,
        related=((trouble.since, trouble.since + 1, "the list begins here"),),
    )


def _between_levels(trouble: Trouble) -> Fault:
    source = trouble.source
    start, end = word_at(source, trouble.at)
    column, parent = _column(source, start), _column(source, trouble.since)
    code = "yaml-indentation"
    around = (trouble.since, trouble.since + 1, "the mapping around it begins here")
    block = trouble.last[0]
    if source.text.startswith((":", "-"), start) and column == parent:
        is_colon = source.text[start] == ":"
        code = "yaml-key" if is_colon else code
        message = "a key is missing before ':'" if is_colon else "a list item stands among keys"
        hint = "write `key: value`" if is_colon else "give the list a key, or write `key: value`"
    elif source.text.startswith(("|", ">"), block) and not source.text[trouble.last[1] : start].strip():
        message = "this line is indented less than the text above, of which it seems to be part"
        hint = "indent all lines of the text alike"
        around = (block, block + 1, "the text begins here")
    else:
        message = f"this line begins at column {column}, where nothing above it begins"
        hint = f"begin it at column {parent} like the keys around it, or like the line above"
    mend = _joined(source, source.row(start))
    return Fault(code=code, message=message, hint=hint, start=start, end=end, mend=mend, related=(around,))


def _is_list_item(source: Source, at: int) -> bool:
    return source.text.startswith("- ", at)


def _column(source: Source, at: int) -> int:
    return source.span(at, at).column
