"""JSON in what a model wrote: the value alone, in a fence, or with words around it; never guessed at."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from agentctl.jsontypes import Json
from agentctl.models.sound import sound_json
from agentctl.models.thinking import after_thoughts
from agentctl.tools.outputs import OutputShape
from agentctl.tools.schema import Unfit

_FENCE: Final = re.compile(r"```[a-zA-Z0-9_-]*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
_OPENED: Final = re.compile(r"[{\[]")
_PAIRS: Final = (("{", "}"), ("[", "]"))
_NONE: Final = "there is no JSON value in it"
_SEVERAL: Final = "there are several JSON values in it"


def fitting(text: str, shape: OutputShape) -> Json:
    """The first JSON value in `text` that has the shape, or the text itself where that is one.

    Raises `Unfit`: what is wrong with the value that was most likely meant.
    """
    text = after_thoughts(text)
    wrong = ""
    for value in (*found_values(text), text.strip()):
        try:
            return shape.read(value)
        except Unfit as unfit:
            wrong = wrong or (str(unfit) if value != text.strip() else _no_value(text))
    raise Unfit(wrong)


def _no_value(text: str) -> str:
    """Why nothing was read in a text: it holds more than one value, one that is not sound, or none."""
    decoder = json.JSONDecoder()
    ends, at = 0, 0
    while match := _OPENED.search(text, at):
        try:
            _, at = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            at = match.end()
        else:
            ends += 1
    if ends > 1:
        return _SEVERAL
    return _unsound(text) if ends else _NONE


def _unsound(text: str) -> str:
    for part in _parts(text):
        try:
            json.loads(part)
            sound_json(part)
        except (ValueError, RecursionError) as error:
            if not isinstance(error, json.JSONDecodeError | RecursionError):
                return str(error)
    return _NONE


def found_values(text: str) -> Iterator[Json]:
    """Every reading of the text as one JSON value, the strictest first."""
    for part in _parts(text):
        try:
            yield sound_json(part)
        except (ValueError, RecursionError):
            continue


def _parts(text: str) -> Iterator[str]:
    parts = [text, *(match[1] for match in _FENCE.finditer(text))]
    for start, end in _PAIRS:
        first, last = text.find(start), text.rfind(end)
        if 0 <= first < last:
            parts.append(text[first : last + 1])
    return (part.strip() for part in dict.fromkeys(parts))
