"""Syntax rules about how lines stand to each other: tabs, indentation, quotes and brackets left open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agentctl.document.events import DEEPEST
from agentctl.document.source import Source
from agentctl.document.trouble import Fault, Trouble, is_key_line, value_of_line, word_at

_MOST_TABS: Final = 20
_BLOCK_HEADER: Final = re.compile(r"(?:^|[ \t])[|>][-+0-9]*[ \t]*(?:#.*)?$")
_NO_SPACE: Final = re.compile(r"[ \t]*(?:-[ \t]+)*([\w-]+):[^\s:/]")
_CLOSING: Final = {"[": "]", "{": "}"}


def tabs(trouble: Trouble) -> tuple[Fault, ...]:
    """Every line from the trouble on that is indented with a tab, texts in blocks aside."""
    source = trouble.source
    is_indent = "\t" in _indent(source.line(trouble.row))
    if is_indent:
        return tuple(_tab(source, row) for row in _tabbed_rows(source, trouble.row))
    if trouble.character() != "\t":
        return ()
    return (
        Fault(
            code="yaml-tab",
            message="a tab stands where YAML takes only spaces",
            hint="write a space instead",
            start=trouble.at,
            end=trouble.at + 1,
        ),
    )


def _tab(source: Source, row: int) -> Fault:
    start = source.line_bounds(row)[0]
    indent = _indent(source.line(row))
    return Fault(
        code="yaml-tab",
        message="this line is indented with a tab; YAML takes only spaces",
        hint="indent with spaces, two for each level",
        start=start + indent.index("\t"),
        end=start + len(indent),
    )


def _tabbed_rows(source: Source, first: int) -> Iterator[int]:
    found = 0
    block: int | None = None
    for row in range(first, source.rows):
        line = source.line(row)
        spaces = len(line) - len(line.lstrip(" "))
        if not line.strip() or (block is not None and spaces > block):
            continue
        block = spaces if _BLOCK_HEADER.search(line) else None
        is_entry = is_key_line(source, row) or line.lstrip().startswith("- ")
        if "\t" in _indent(line) and (row == first or is_entry) and found < _MOST_TABS:
            found += 1
            yield row


def unclosed_quote(trouble: Trouble) -> tuple[Fault, ...]:
    """A quote without its second: to the end of the file, or up to the next quote some lines below."""
    source = trouble.source
    start, end = trouble.last
    if "quoted scalar" in trouble.context and "unexpected" in trouble.problem:
        start = trouble.since
    elif not _ran_over_keys(source, start, end) or source.text[end : trouble.at].strip():
        return ()
    quote = source.text[start]
    row = source.row(start)
    value = value_of_line(source, row)
    return (
        Fault(
            code="yaml-quote",
            message=f"the text that begins with {quote} here has no second {quote}",
            hint=f"end it with {quote}"
            + (", or write an apostrophe in double quotes" if quote == "'" else ""),
            start=start,
            end=max(start + 1, value[1]),
            mend=value if value[0] == start and _begins_anew(source, row + 1) else None,
        ),
    )


def _begins_anew(source: Source, row: int) -> bool:
    """Whether the text before a line surely ended: a key or an item comes next, or nothing."""
    rows = (later for later in range(row, source.rows) if source.line(later).strip())
    following = next(rows, None)
    return following is None or is_key_line(source, following) or source.line(following).lstrip()[:2] == "- "


def _ran_over_keys(source: Source, start: int, end: int) -> bool:
    """Whether a quoted text of several lines holds what looks like further keys."""
    if source.text[start : start + 1] not in ("'", '"'):
        return False
    rows = range(source.row(start) + 1, source.row(end) + 1)
    return any(is_key_line(source, row) or _KEY_AND_QUOTE.match(source.line(row)) for row in rows)


_KEY_AND_QUOTE: Final = re.compile(r"[ \t]*(?:-[ \t]+)*[\w-]+:[ \t]")


def bracket(trouble: Trouble) -> tuple[Fault, ...]:
    """`[a, b` without its end, `[a}` with the wrong one, `[a "b"]` without a comma."""
    source = trouble.source
    opening = source.text[trouble.since : trouble.since + 1]
    closing = _CLOSING.get(opening)
    if "flow" not in trouble.context or closing is None:
        return ()
    at, stop = word_at(source, trouble.at)
    found = source.text[at:stop]
    is_open = not found or source.row(at) > source.row(trouble.since)
    if is_open or found in ("]", "}"):
        told = f"ends with '{found}'" if found in ("]", "}") else f"has no '{closing}'"
        return (
            Fault(
                code="yaml-bracket",
                message=f"the '{opening}' here {told}",
                hint=f"end it with '{closing}'; if it is text, write the text in quotes",
                start=trouble.since,
                end=trouble.since + 1,
                related=((at, stop, f"'{closing}' was expected before this"),) if found else (),
            ),
        )
    return (
        Fault(
            code="yaml-bracket",
            message=f"'{found}' follows without a ',' inside '{opening} … {closing}'",
            hint="separate the items with ', '; write text with brackets, quotes or colons in quotes",
            start=at,
            end=stop,
            related=((trouble.since, trouble.since + 1, "begun here"),),
        ),
    )


def too_deep(trouble: Trouble) -> tuple[Fault, ...]:
    """The parser itself gives up on deep brackets before the composer sees them."""
    if "nesting depth" not in trouble.problem:
        return ()
    return (
        Fault(
            code="yaml-too-deep",
            message=f"the file nests more than {DEEPEST} levels here; nothing from here on is read",
            hint="if it is text, write it in quotes",
            start=trouble.at,
            end=trouble.at + 1,
        ),
    )


def directive(trouble: Trouble) -> tuple[Fault, ...]:
    """A line that begins with `%`, which YAML takes for an order to the parser."""
    source = trouble.source
    start, end = source.line_bounds(source.row(trouble.since))
    if trouble.since != start or not source.text.startswith("%", start):
        return ()
    return (
        Fault(
            code="yaml-indicator",
            message="a line that begins with '%' is a directive, and this one is not known",
            hint="delete the line; a key that begins with '%' stands in quotes",
            start=start,
            end=start + len(source.text[start:end].rstrip()),
        ),
    )


def behind_end(trouble: Trouble) -> tuple[Fault, ...]:
    """Text behind `...`, or behind a whole document in brackets or quotes."""
    if "document start" not in trouble.problem:
        return ()
    start, end = word_at(trouble.source, trouble.at)
    return (
        Fault(
            code="yaml-many-documents",
            message="the document has ended before this, and a team file holds one",
            hint="delete what follows, or the '...' or closing bracket that ends the document",
            start=start,
            end=end,
        ),
    )


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
        message=f"'{source.text[start:end][:60]}' stands among keys and has no ':'",
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
        message=f"'{found[1]}:' needs a space behind its colon",
        hint=f"write `{found[1]}: …`",
        start=start + found.start(1),
        end=start + found.end(1) + 1,
    )


def indentation(trouble: Trouble) -> tuple[Fault, ...]:
    """A line that begins where nothing above it begins, or a key where a list goes on."""
    source = trouble.source
    row = trouble.row
    if "mapping values" in trouble.problem:
        return (_key_in_text(source, row),)
    if not trouble.is_at_line_start() or not source.line(row).strip():
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
    start += len(_indent(source.text[start:end]))
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
    if column == parent:
        message = "a list item stands among keys"
        hint = "give the list a key, or write `key: value`"
    else:
        message = f"this line begins at column {column}, where nothing above it begins"
        hint = f"begin it at column {parent} like the keys around it, or like the line above"
    return Fault(
        code="yaml-indentation",
        message=message,
        hint=hint,
        start=start,
        end=end,
        related=((trouble.since, trouble.since + 1, "the mapping around it begins here"),),
    )


def _is_list_item(source: Source, at: int) -> bool:
    return source.text.startswith("- ", at)


def _column(source: Source, at: int) -> int:
    return source.span(at, at).column


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]
