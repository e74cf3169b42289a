"""Hints for single values that YAML reads in another way than they were meant, such as `yes` and `"6"`."""

from __future__ import annotations

import re
from typing import Final

from agentctl.jsontypes import Json

_TRUE: Final = ("yes", "y", "on", "true", "1")
_FALSE: Final = ("no", "n", "off", "false", "0")
_NUMBER: Final = re.compile(r"[$€£]?\s*(\d{1,3}(?:[,_ ]\d{3})+|\d+)(\.\d+)?\s*(?:USD|usd|\$)?")
_THOUSANDS: Final = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)\s*([kKM])")
_TIME: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)", re.IGNORECASE)
_CLOCK: Final = re.compile(r"(\d{1,3}):([0-5]\d)(?::([0-5]\d))?")
_UNITS: Final = {
    "ms": "millisecond milliseconds millis msec",
    "s": "second seconds sec secs",
    "m": "minute minutes min mins",
    "h": "hour hours hr hrs",
}
_UNIT_NAMES: Final = {name: unit for unit, names in _UNITS.items() for name in (unit, *names.split())}


def for_literal(asked: str, value: Json) -> str | None:
    """What to write instead of `value`, where it is clear; `asked` are the words for what belongs there."""
    if isinstance(value, str) and "duration" in asked:
        return _duration(value.strip())
    if "true or false" in asked and not isinstance(value, bool):
        return _truth(value)
    if isinstance(value, str) and "number" in asked:
        return _number(value.strip())
    if isinstance(value, bool | int | float) and ("text" in asked or "string" in asked):
        written = str(value).lower() if isinstance(value, bool) else str(value)
        return f'if it is text, write it in quotes: "{written}"'
    return None


def _truth(value: Json) -> str | None:
    word = str(value).casefold() if isinstance(value, str | int) else ""
    if word not in _TRUE + _FALSE:
        return None
    meant = "true" if word in _TRUE else "false"
    if not isinstance(value, str):
        return f"write `{meant}`"
    return f"write `{meant}`" + (", without quotes" if word == meant else f": `{value}` is read as text")


def _number(text: str) -> str | None:
    found = _NUMBER.fullmatch(text)
    if found is None:
        return _thousands(text)
    plain = re.sub(r"[,_ ]", "", found[1]) + (found[2] or "")
    return f"write `{plain}`, without quotes" if plain == text else f"write `{plain}`"


def _thousands(text: str) -> str | None:
    """`1k` and `1.5M` written out."""
    found = _THOUSANDS.fullmatch(text)
    if found is None:
        return None
    number = float(found[1]) * (1_000 if found[2] in "kK" else 1_000_000)
    return f"write `{number:.0f}`"


def _duration(text: str) -> str | None:
    found = _TIME.fullmatch(text)
    unit = _UNIT_NAMES.get(found[2].casefold()) if found else None
    if found is not None and unit is not None:
        return f"write `{found[1]}{unit}`"
    clock = _CLOCK.fullmatch(text)
    if clock is None:
        return None
    parts = [int(part) for part in clock.groups() if part is not None]
    if len(parts) == 2:
        minutes, seconds = parts
        return f"{minutes} minutes and {seconds} seconds are `{minutes * 60 + seconds}s`"
    return f"in seconds this is `{parts[0] * 3600 + parts[1] * 60 + parts[2]}s`"
