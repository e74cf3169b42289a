"""JSON text into values whose numbers keep the digits they were written with: `5432.10` stays `5432.10`."""

from __future__ import annotations

import json
import re
from typing import Final, TypeAlias

from agentctl.jsontypes import Json, JsonObject, as_object

Value: TypeAlias = "None | bool | str | list[Value] | dict[str, Value]"
_AMOUNT: Final = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


class Literal(str):
    """A number as it is written."""

    __slots__ = ()


def parsed(text: str) -> Value:
    """The JSON value, or the text itself where it is none."""
    try:
        found: Value = json.loads(text, parse_float=Literal, parse_int=Literal)
    except (ValueError, RecursionError):
        return text.strip()
    return found


def looks_numeric(value: Value) -> bool:
    """A number, or a text that holds nothing but one."""
    return isinstance(value, Literal) or (isinstance(value, str) and _AMOUNT.fullmatch(value) is not None)


def fields_of(text: str) -> JsonObject:
    """The fields of a text that is a JSON object, else none."""
    try:
        found: Json = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return as_object(found)
