"""Texts of numbers as numbers where a `Literal` or an `Enum` lists numbers, as an `int` would read them."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, Any, Final

from agentctl.jsontypes import Json, JsonObject

if TYPE_CHECKING:
    from pydantic import ValidationError

_LISTED: Final = ("literal_error", "enum")
_WHOLE: Final = re.compile(r"\s*[+-]?[0-9]{1,18}\s*")
_BROKEN: Final = re.compile(r"\s*[+-]?[0-9]{1,18}\.[0-9]{1,18}\s*")
_WORDS: Final[dict[str, bool]] = {"true": True, "false": False}


def loosened(arguments: JsonObject, error: ValidationError) -> JsonObject | None:
    """The arguments changed where pydantic missed one of the listed values, or None where nothing can be."""
    changed: Any = copy.deepcopy(dict(arguments))
    is_changed = False
    for found in error.errors(include_url=False, include_context=False):
        value = _number(found["input"]) if found["type"] in _LISTED else None
        if value is not None:
            is_changed = _put(changed, found["loc"], found["input"], value) or is_changed
    return changed if is_changed else None


def _number(given: object) -> int | float | None:
    if not isinstance(given, str):
        return None
    if _WHOLE.fullmatch(given):
        return int(given)
    if _BROKEN.fullmatch(given):
        return float(given)
    return _WORDS.get(given.strip().casefold())


def _put(whole: Any, place: tuple[int | str, ...], given: object, value: Json) -> bool:
    """Whether it stood there. What names a member of a union in `place` is no part of the way."""
    holder: Any = None
    last: int | str = ""
    for part in place:
        if _has(whole, part):
            holder, last, whole = whole, part, whole[part]
    if holder is None or whole != given:
        return False
    holder[last] = value
    return True


def _has(holder: Any, part: int | str) -> bool:
    if isinstance(holder, dict):
        return part in holder
    return isinstance(holder, list) and isinstance(part, int) and part < len(holder)
