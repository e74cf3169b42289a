"""Syntax rules: quotes and brackets that are not closed as they should be."""

from __future__ import annotations

import re
from typing import Final

from agentctl.document.events import Stretch
from agentctl.document.source import Source
from agentctl.document.trouble import Fault, Trouble, indent_of, is_key_line, value_of_line, word_at

_VARIABLE: Final = re.compile(r"(?:[^,\[\]{}#\n]*\$\{[^{}\n]*\})+(?:[^,\[\]{}#\n]*[^,\[\]{}#\s])?")
_CLOSING: Final = {"[": "]", "{": "}"}
# A further key, even one whose own quotes are upset by the open one.
_KEY: Final = re.compile(r"[ \t]*(?:-[ \t]+)*[\w-]+:[ \t]")


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
    return any(is_key_line(source, row) or _KEY.match(source.line(row)) for row in rows)


def variable(trouble: Trouble) -> tuple[Fault, ...]:
    """`[${NAME}]`: inside brackets, YAML takes the brace of an unquoted variable for a mapping."""
    text = trouble.source.text
    start, end = trouble.last
    if not text.startswith("{", trouble.at) or end != trouble.at or not text[start:end].endswith("$"):
        return ()
    found = _VARIABLE.match(text, start)
    mend = (start, found.end() if found else trouble.at + 1)
    return (
        Fault(
            code="yaml-variable",
            message=f'"{text[slice(*mend)]}" is not in quotes, which a variable inside brackets needs',
            hint=f'write it in quotes: "{text[slice(*mend)]}"',
            start=mend[0],
            end=mend[1],
            mend=mend if found else None,
        ),
    )


def _is_outside(source: Source, at: int, since: int) -> bool:
    """Whether `at` stands on a later line than the bracket, and is not indented as what is in it would be."""
    row, opened = source.row(at), source.row(since)
    return row > opened and len(indent_of(source.line(row))) <= len(indent_of(source.line(opened)))


def _rest_of_line(source: Source, since: int) -> Stretch | None:
    """What is read as text where a bracket was not closed in its line, and a new key or item follows."""
    row = source.row(since)
    end = source.line_bounds(row)[0] + len(source.line(row).rstrip())
    return (since, end) if _begins_anew(source, row + 1) else None


def bracket(trouble: Trouble) -> tuple[Fault, ...]:
    """`[a, b` without its end, `[a}` with the wrong one, `[a "b"]` without a comma."""
    source = trouble.source
    opening = source.text[trouble.since : trouble.since + 1]
    closing = _CLOSING.get(opening)
    if "flow" not in trouble.context or closing is None:
        return ()
    at, stop = word_at(source, trouble.at)
    found = source.text[at:stop]
    is_open = not found or _is_outside(source, at, trouble.since)
    if is_open or found in ("]", "}"):
        told = f"ends with '{found}'" if found in ("]", "}") else f"has no '{closing}'"
        line_end = source.line_bounds(source.row(trouble.since))[1]
        comment = source.text.find(" #", trouble.since, line_end)
        hint = f"end it with '{closing}'; if it is text, write the text in quotes"
        if comment >= 0:
            hint = (
                "' #' begins a comment, which hides the rest of the line: write the text with '#' in quotes"
            )
        return (
            Fault(
                code="yaml-bracket",
                message=f"the '{opening}' here {told}",
                hint=hint,
                start=trouble.since,
                end=trouble.since + 1,
                mend=_rest_of_line(source, trouble.since) if is_open else None,
                edits=() if is_open else ((at, stop, closing),),
                related=((at, stop, f"'{closing}' was expected before this"),) if found else (),
            ),
        )
    return (
        Fault(
            code="yaml-bracket",
            message=f"`{found}` follows without a comma inside `{opening} … {closing}`",
            hint="separate the items with ', '; write text with brackets, quotes or colons in quotes",
            start=at,
            end=stop,
            edits=((at, at, ", "),),
            related=((trouble.since, trouble.since + 1, "begun here"),),
        ),
    )
