"""Syntax rules about lines: where each may begin, and the colon that each key needs."""

from __future__ import annotations

import re
from typing import Final

from agentctl.document.source import Source
from agentctl.document.trouble import Fault, Trouble, indent_of, value_of_line, word_at

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
    return (_without_space(source, source.row(trouble.since)) or _without_colon(source, trouble.since),)


def _without_colon(source: Source, since: int) -> Fault:
    start, end = since, source.line_bounds(source.row(since))[1]
    end = start + len(source.text[start:end].rstrip())
    return Fault(
        code="yaml-colon",
        message=f'"{source.text[start:end][:60]}" stands among keys and has no colon',
        hint="write `key: value`; if it goes on from the text above, indent it further than that text's key",
        start=start,
        end=end,
    )


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
    above = next((before for before in range(row - 1, -1, -1) if source.line(before).strip()), None)
    unspaced = None if above is None else _without_space(source, above)
    if unspaced is not None:
        return unspaced
    start, end = source.line_bounds(row)
    start += len(indent_of(source.text[start:end]))
    end = start + len(source.text[start:end].rstrip())
    return Fault(
        code="yaml-indentation",
        message="a key cannot stand here: the line is indented so that it goes on with the text above",
        hint="indent it like the key above; if it is part of the text, write that as a block: `key: |`",
        start=start,
        end=end,
        related=() if above is None else ((*value_of_line(source, above), "the text above"),),
    )


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
    return Fault(code=code, message=message, hint=hint, start=start, end=end, related=(around,))


def _is_list_item(source: Source, at: int) -> bool:
    return source.text.startswith("- ", at)


def _column(source: Source, at: int) -> int:
    return source.span(at, at).column
