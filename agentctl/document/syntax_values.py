"""Syntax rules about one value: text that begins or goes on with what YAML reads as its own.

All of these are mended by reading the value as the text that it was meant to be.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Final

from agentctl.document.events import Stretch
from agentctl.document.syntax_levels import last_deeper
from agentctl.document.trouble import Fault, Trouble, value_of_line, word_at

_MEANINGS: Final = {
    "@": "is reserved by YAML",
    "`": "is reserved by YAML",
    "%": "begins a directive",
    "*": "begins an alias, the use of an anchor",
    "&": "begins an anchor",
    "!": "begins a tag",
    "|": "begins a block of text on the lines below",
    ">": "begins a block of text on the lines below",
    ",": "separates the items of a list in brackets",
    "]": "ends a list",
    "}": "ends a mapping",
    "?": "begins a key",
}
_PLAIN_IN_BRACKETS: Final = re.compile(r"[^,\[\]{}#\n]*[^,\[\]{}#\n\s]")
_SIGN: Final = re.compile(r"([|>][-+0-9]{0,2})[ \t]+(?=[^\s#])")
_ESCAPE: Final = re.compile("escape|hexa?decimal")
_OF_FUNCTION: Final = re.compile(r"\b(?:function|by|choose|when)\s*:\s*$")
_SPACED_FUNCTION: Final = re.compile(r"[\w./-]+: [A-Za-z_]\w*")
_KEYS_IN_A_ROW: Final = re.compile(r"[^\s,]+,\s*[a-z_]+: ")
_CLOSING: Final = {"[": "]", "{": "}"}
_MOST_SHOWN: Final = 60


def template(trouble: Trouble) -> tuple[Fault, ...]:
    value = trouble.value()
    if value is None or not trouble.source.text.startswith("{{", value[0]):
        return ()
    message = "'{{' at the beginning of an unquoted text is read as a mapping"
    return (_as_text(trouble, value, "yaml-template", message),)


def indicator(trouble: Trouble) -> tuple[Fault, ...]:
    """A text that begins with a character which YAML keeps for itself."""
    value = trouble.value()
    text = trouble.source.text
    if value is None or text[value[0]] not in _MEANINGS:
        start = trouble.at
        if trouble.character() not in ("@", "`", "%"):
            start = trouble.since
            if text[start : start + 1] not in ("*", "&", "!") or "scanning" not in trouble.context:
                return ()
        found = _PLAIN_IN_BRACKETS.match(text, start)
        value = (start, found.end() if found else start + 1)
    first = text[value[0]]
    if first in "|>" and (block := _text_behind_sign(trouble, value)):
        return (block,)
    message = f"unquoted text cannot begin with '{first}', which {_MEANINGS[first]}"
    return (_as_text(trouble, value, "yaml-indicator", message),)


def _text_behind_sign(trouble: Trouble, value: Stretch) -> Fault | None:
    """`key: | Hello`, and more text below: the text of a block begins on the next line."""
    source = trouble.source
    row = source.row(value[0])
    found = _SIGN.match(source.text, *value)
    last = last_deeper(source, row)
    if found is None or last == row:
        return None
    sign = found[1]
    return Fault(
        code="yaml-indicator",
        message=f"the text of a block begins on the line below '{sign}', and here it begins beside it",
        hint=f"end the line behind '{sign}', and begin the text on the next, indented like the rest of it",
        start=found.end(),
        end=value[1],
        mend=(
            value[0],
            source.line_bounds(row)[1]
            + len(source.text[source.line_bounds(row)[1] : source.line_bounds(last)[1]].rstrip()),
        ),
    )


def bracket_before_text(trouble: Trouble) -> tuple[Fault, ...]:
    """`[urgent] answer first`: the bracket closes, and text follows."""
    value = trouble.value()
    if value is None:
        return ()
    start, end = value
    text = trouble.source.text
    closing = _CLOSING.get(text[start])
    if closing is None or trouble.since == start or not text[start : trouble.at].rstrip().endswith(closing):
        return ()
    kind = "list" if closing == "]" else "mapping"
    message = f"'{text[start]}' begins a {kind}, and more text follows behind its '{closing}'"
    return (_as_text(trouble, (start, end), "yaml-bracket", message),)


def quote_in_quotes(trouble: Trouble) -> tuple[Fault, ...]:
    """`"so" she said`, `'don't'`: the quotes close, and text follows in the same line."""
    value = trouble.value()
    start, end = trouble.last
    text = trouble.source.text
    if value is None or start != value[0] or text[start] not in "\"'" or not end <= trouble.at <= value[1]:
        return ()
    quote = text[start]
    inside = "write '' for an apostrophe inside" if quote == "'" else 'write \\" for a quote inside'
    at, stop = word_at(trouble.source, trouble.at)
    return (
        Fault(
            code="yaml-quote",
            message=f"the text ends at its second {quote}, and more follows",
            hint=f"put quotes around the whole text, and {inside}",
            start=at,
            end=stop,
            mend=value,
            related=((start, start + 1, "the text begins here"),),
        ),
    )


def escape(trouble: Trouble) -> tuple[Fault, ...]:
    """`"C:\\dir"`: a backslash in double quotes that is no escape."""
    text = trouble.source.text
    backslash = text.rfind("\\", trouble.since, trouble.at + 2)
    if not _ESCAPE.search(trouble.problem) or backslash < 0:
        return ()
    value = value_of_line(trouble.source, trouble.source.row(trouble.since))
    is_whole = value[0] == trouble.since and text[value[1] - 1] == '"' and value[1] - 1 > backslash
    if "Unicode" in trouble.problem:
        hint = "write the character itself; what lies beyond U+FFFF is one \\U and eight digits"
    else:
        hint = "double the backslash, or use single quotes, in which it is plain text"
    return (
        Fault(
            code="yaml-escape",
            message=f"`{text[backslash : backslash + 2]}` is no escape that YAML knows here",
            hint=hint,
            start=backslash,
            end=min(backslash + 2, len(text)),
            mend=value if is_whole else None,
        ),
    )


def colon_in_text(trouble: Trouble) -> tuple[Fault, ...]:
    """`description: Billing: refunds`: a colon and a space inside unquoted text."""
    value = trouble.value()
    if "mapping values" not in trouble.problem or value is None or trouble.at < value[0]:
        return ()
    message = "': ' inside unquoted text is read as a second key"
    fault = _as_text(trouble, value, "yaml-colon", message, at=(trouble.at, trouble.at + 1))
    if _KEYS_IN_A_ROW.match(trouble.source.text[slice(*value)]):
        return (replace(fault, hint="write each `key: value` on a line of its own, without commas"),)
    written = trouble.source.text[slice(*value)]
    line = trouble.source.text.rfind("\n", 0, value[0]) + 1
    if _OF_FUNCTION.search(trouble.source.text[line : value[0]]) and _SPACED_FUNCTION.fullmatch(written):
        return (replace(fault, hint=f"write `{written.replace(': ', ':')}`, without the space"),)
    return (fault,)


def _as_text(trouble: Trouble, value: Stretch, code: str, message: str, at: Stretch | None = None) -> Fault:
    start, end = at or value
    return Fault(
        code=code,
        message=message,
        hint=f"write it in quotes: {_quoted(trouble.source.text[slice(*value)])}",
        start=start,
        end=end,
        mend=value,
    )


def _quoted(text: str) -> str:
    if len(text) > _MOST_SHOWN:
        return '"…"'
    return json.dumps(text, ensure_ascii=False) if "'" in text or '"' not in text else f"'{text}'"
