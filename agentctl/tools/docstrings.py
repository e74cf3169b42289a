"""Reads from a docstring what a tool is for and what its parameters mean: Google, NumPy and reST styles."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

_SECTIONS: Final = re.compile(
    r"^\s*(?:[:@](?:param|arg|type|raises|returns?)\b|(?:Args|Arguments|Params|Parameters|Returns|Raises|Yields)"
    r"(?::\s*$|\s*\n\s*-{3,}))",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Documentation:
    """`summary` is the first paragraph on one line, `text` the whole, `parameters` by name."""

    summary: str = ""
    text: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)


def documentation_of(function: object) -> Documentation:
    """Of a function, of what a partial calls, or of an object's `__call__`."""
    while isinstance(function, functools.partial):
        function = function.func
    if not isinstance(function, type) and not inspect.isroutine(function):
        function = getattr(type(function), "__call__", function)  # noqa: B004  the method is wanted
    written = getattr(function, "__doc__", None)
    text = inspect.cleandoc(written) if isinstance(written, str) else ""
    if not _SECTIONS.search(text):
        return Documentation(summary=_first_paragraph(text), text=text)
    return _parsed(text)


@functools.lru_cache(maxsize=256)
def _parsed(text: str) -> Documentation:
    import docstring_parser

    try:
        found = docstring_parser.parse(text)
    except Exception:  # some odd texts are an IndexError to the library
        return Documentation(summary=_first_paragraph(text), text=text)
    parameters = {param.arg_name.lstrip("*"): _line(param.description or "") for param in found.params}
    return Documentation(
        summary=_first_paragraph(found.description or ""),
        text=text,
        parameters={name: words for name, words in parameters.items() if words},
    )


def _first_paragraph(text: str) -> str:
    return _line(re.split(r"\n\s*\n", text, maxsplit=1)[0])


def _line(text: str) -> str:
    return " ".join(text.split())
