"""JSON in what a model wrote: the value alone, in a fence, or with words around it; never guessed at."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from agentctl.jsontypes import Json
from agentctl.tools.outputs import OutputShape
from agentctl.tools.schema import Unfit

_FENCE: Final = re.compile(r"```[a-zA-Z0-9_-]*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
_PAIRS: Final = (("{", "}"), ("[", "]"))
_NONE: Final = "there is no JSON value in it"


def fitting(text: str, shape: OutputShape) -> Json:
    """The first JSON value in `text` that has the shape, or the text itself where that is one.

    Raises `Unfit`: what is wrong with the value that was most likely meant.
    """
    wrong = ""
    for value in (*found_values(text), text.strip()):
        try:
            return shape.read(value)
        except Unfit as unfit:
            wrong = wrong or (str(unfit) if value != text.strip() else _NONE)
    raise Unfit(wrong)


def found_values(text: str) -> Iterator[Json]:
    """Every reading of the text as one JSON value, the strictest first."""
    parts = [text, *(match[1] for match in _FENCE.finditer(text))]
    for start, end in _PAIRS:
        first, last = text.find(start), text.rfind(end)
        if 0 <= first < last:
            parts.append(text[first : last + 1])
    for part in dict.fromkeys(parts):
        try:
            yield json.loads(part.strip(), parse_constant=_refuse)
        except (ValueError, RecursionError):
            continue


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
