"""The text of an untagged or core-tagged scalar into its JSON value, by the YAML 1.2 core schema.

`no`, `off`, `12:30` and dates are strings; `0123` is 123; `.inf` and `.nan` are no JSON and refused.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Value: TypeAlias = "None | bool | int | float | str"
Kind: TypeAlias = Literal["null", "bool", "int", "float", "str"]

_NULL: Final = frozenset({"", "~", "null", "Null", "NULL"})
_BOOL: Final = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT: Final = re.compile(r"[-+]?[0-9]+")
_OCTAL: Final = re.compile(r"0o[0-7]+")
_HEX: Final = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_SPECIAL: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
# Every number starts with one of these, so that most text is known at a glance.
_FIRST: Final = frozenset("0123456789+-.")
_NUMBERS: Final[tuple[Kind, ...]] = ("int", "float")
_MOST_DIGITS: Final = 400


@dataclass(frozen=True, slots=True)
class NotJson:
    """A number that YAML knows and JSON does not: why."""

    reason: str


def plain_value(text: str) -> Value | NotJson:
    """The value of an unquoted scalar."""
    if text in _BOOL:
        return _BOOL[text]
    if text in _NULL:
        return None
    if text[0] not in _FIRST:
        return text
    for kind in _NUMBERS:
        found = read_as(kind, text)
        if found is not None:
            return found[0]
    return text


def read_as(kind: Kind, text: str) -> tuple[Value | NotJson] | None:
    """`text` read as one core type, or None where it is not written as one."""
    match kind:
        case "str":
            return (text,)
        case "null":
            return (None,) if text in _NULL else None
        case "bool":
            return (_BOOL[text],) if text in _BOOL else None
        case "int":
            number = _integer(text)
            return None if number is None else (number,)
        case "float":
            return _float(text)


def _integer(text: str) -> int | NotJson | None:
    for form, base, skip in ((_INT, 10, 0), (_OCTAL, 8, 2), (_HEX, 16, 2)):
        if form.fullmatch(text):
            if len(text) > _MOST_DIGITS:
                return NotJson(f"the number has more than {_MOST_DIGITS} digits")
            return int(text[skip:], base)
    return None


def _float(text: str) -> tuple[float | NotJson] | None:
    if _SPECIAL.fullmatch(text):
        return (NotJson(f'"{text}" is no JSON number'),)
    if not _FLOAT.fullmatch(text):
        return None
    number = float(text)
    return (number if math.isfinite(number) else NotJson("the number is too large for a float"),)
