"""Regular expressions that people write: what is wrong with one, or with what is to replace its finds."""

from __future__ import annotations

import re
from typing import Final

_BRACKET: Final = r"a bracket or dot that is meant as such is written with a backslash, as \( or \."
_SIGN: Final = r"a sign that is meant as such is written with a backslash, as \* or \+"
_HINTS: Final = (
    (
        "nothing to repeat",
        r"the sign repeats what stands before it: `.*` is any text, and `\*` the sign itself",
    ),
    ("multiple repeat", f"one sign of repetition is enough: take one out; {_SIGN}"),
    ("look-behind requires", "give what stands in `(?<=…)` one length, without `*`, `+`, `?` and `{…}`"),
    ("bad character range", r"write the lower end of a range first, as `a-z`; a `-` itself is written `\-`"),
    ("min repeat greater", "write the smaller number first, as `{2,5}`"),
    ("redefinition of group", "give each group a name of its own"),
    ("unknown extension", r"a named group is written `(?P<name>…)`, and a `(` itself `\(`"),
    ("unknown group name", "name a group of this expression, which is written `(?P<name>…)`"),
    ("invalid group reference", "name a group that stands before, by its number from 1"),
    (" escape ", r"a backslash itself is written `\\`; else take it out, or end what it begins"),
)
_FLAGS: Final = re.compile(r"\(\?([aiLmsux]+)\)")


def regex_problem(pattern: str) -> str | None:
    """What keeps `pattern` from being a regular expression, as `is no regular expression: …`."""
    wrong = _wrong(pattern)
    return None if wrong is None else f"is no regular expression: {wrong}"


def regex_hint(pattern: str) -> str:
    """How to mend an expression that is none, by what is wrong with it."""
    wrong = _wrong(pattern) or ""
    flags = _FLAGS.search(pattern)
    if flags and wrong.startswith("global flags"):
        return f"write the flags first: `{flags[0]}{_FLAGS.sub('', pattern)}`"
    if wrong.startswith("nothing to repeat") and re.match(r"\*[^*+?]", pattern) and not _wrong(f".{pattern}"):
        mended = re.sub(r"^\*\.", r".*\.", pattern) if pattern.startswith("*.") else f".{pattern}"
        return rf"`.*` is any text and `\.` a dot: write `{mended}`"
    return next((hint for words, hint in _HINTS if words in wrong), _BRACKET)


def replacement_problem(pattern: str, replacement: str) -> str | None:
    r"""What keeps `replacement` from standing for the finds of `pattern`, as a `\2` without such a group."""
    try:
        re.sub(pattern, replacement, "")
    except (re.error, IndexError) as error:
        return str(error)
    return None


def _wrong(pattern: str) -> str | None:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return str(error)
    return None
