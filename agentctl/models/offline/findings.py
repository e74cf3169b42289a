"""Values that stand in a text, by their form: ids, numbers, money, dates, addresses, quoted text, names.

Each keeps its place, so that nearness can decide which parameter it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from agentctl.models.offline.everyday import word_list

Kind: TypeAlias = Literal[
    "quoted", "email", "url", "date", "month", "time", "id", "percent", "money", "number", "name"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A value as text in its plain form: a date as ISO, a number without grouping."""

    kind: Kind
    value: str
    start: int
    end: int


_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = rf"(?P<b>{'|'.join(_MONTHS)})[a-z]*\.?"
_NUMBER: Final = r"(?P<number>-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)"
_CURRENCY: Final = r"(?:[$€£¥]|USD|EUR|GBP|CHF|JPY|dollars?|euros?|pounds?|bucks|cents?)"
_PATTERNS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("quoted", re.compile(r"\"(?P<v>[^\"\n]+)\"|«(?P<v2>[^»\n]+)»|`(?P<v3>[^`\n]+)`")),
    ("quoted", re.compile(r"(?<![^\W_])'(?P<v>[^'\n]+)'(?![^\W_])")),
    ("url", re.compile(r"\b(?P<v>(?:https?|ftp)://[^\s<>\"']*[^\s<>\"'.,;:!?)\]])", re.IGNORECASE)),
    ("email", re.compile(r"\b(?P<v>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)\b")),
    ("date", re.compile(r"(?<!\w)(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?!\w)")),
    ("date", re.compile(r"(?<!\w)(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})(?!\w)")),
    ("date", re.compile(r"(?<!\w)(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4})(?!\w)")),
    (
        "date",
        re.compile(
            r"\b(?P<d>\d{1,2})(?:st|nd|rd|th)?(?: of)? " + _MONTH + r",? (?P<y>\d{4})\b",
            re.IGNORECASE,
        ),
    ),
    (
        "date",
        re.compile(r"\b" + _MONTH + r" (?P<d>\d{1,2})(?:st|nd|rd|th)?,? (?P<y>\d{4})\b", re.IGNORECASE),
    ),
    ("month", re.compile(r"(?<![\w-])(?P<y>\d{4})-(?P<m>0[1-9]|1[0-2])(?![\w-])")),
    ("month", re.compile(r"\b" + _MONTH + r",? (?P<y>\d{4})\b", re.IGNORECASE)),
    (
        "time",
        re.compile(r"(?<![\w:])(?P<h>\d{1,2}):(?P<min>\d{2})(?::\d{2})?(?: ?(?P<half>[ap])\.?m\.?)?\b", re.I),
    ),
    ("time", re.compile(r"(?<![\w:])(?P<h>\d{1,2}) ?(?P<half>[ap])\.?m\.?(?!\w)", re.IGNORECASE)),
    ("id", re.compile(r"(?<![\w-])(?P<v>[A-Za-z]+(?:[-_#/][A-Za-z]+)*[-_#/]?\d[\w]*(?:[-_/]\w+)*)(?![\w-])")),
    ("id", re.compile(r"(?<![\w-])(?P<v>\d+[A-Za-z][\w-]*|\d+(?:-\d+)+|\d+-[A-Za-z][\w-]*)(?![\w-])")),
    ("id", re.compile(r"(?<!\w)#(?P<v>\w[\w-]*)")),
    ("percent", re.compile(r"(?<![\w.,])" + _NUMBER + r" ?(?:%|percent\b|per cent\b)")),
    ("money", re.compile(r"(?<!\w)" + _CURRENCY + r" ?" + _NUMBER + r"(?![\w%])", re.IGNORECASE)),
    ("money", re.compile(r"(?<![\w.,])" + _NUMBER + r" ?" + _CURRENCY + r"(?!\w)", re.IGNORECASE)),
    ("number", re.compile(r"(?<![\w.,])(?<!\d:)" + _NUMBER + r"(?![\w%]|:\d)")),
)
_SMALL: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_SPELT: Final = re.compile(rf"\b(?:{'|'.join(_SMALL[1:])})\b", re.IGNORECASE)
_NAME: Final = re.compile(r"(?<![\w'-])[A-ZÀ-Þ][\w'&-]*(?: (?:of |de |van |von |del |la )?[A-ZÀ-Þ][\w'&-]*)*")
_NO_NAME: Final = word_list(
    """i i'd i'll i'm i've what what's when where where's who who's whose which why how is are was were do
    does did can could will would should has have tell show give find check look get please let add book buy
    cancel change compare compute convert create delete draft explain fetch list make open order pay plan
    print read refund remind reset run schedule search send set start stop summarise summarize track transfer
    translate update upgrade write the a an my our your this that it in on at for from to and or but if hi
    hello hey thanks am"""
)


@lru_cache(maxsize=500)
def findings(text: str) -> tuple[Finding, ...]:
    """Everything found, by place; a stretch of text is one finding at most, quoted text may hold others."""
    found: list[Finding] = []
    covered = bytearray(len(text))
    for kind, start, end, one in [*_formed(text), *_spelt(text), *_names(text)]:
        if not any(covered[start:end]):
            found.append(one)
            if kind != "quoted":
                covered[start:end] = b"\1" * (end - start)
    return tuple(sorted(found, key=lambda one: (one.start, one.end)))


def _formed(text: str) -> Iterator[tuple[Kind, int, int, Finding]]:
    """With the stretch that each takes up: of `100 USD` all, though the number alone is its place."""
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            value = _value(kind, match)
            if value is not None:
                group = "number" if "number" in match.groupdict() else 0
                start, end = match.span(group)
                yield kind, *match.span(), Finding(kind=kind, value=value, start=start, end=end)


def _value(kind: Kind, match: re.Match[str]) -> str | None:
    groups = {key: value for key, value in match.groupdict().items() if value is not None}
    if kind == "date":
        return _date(groups)
    if kind == "month":
        day = _date({**groups, "d": "1"})
        return day and day[:7]
    if kind == "time":
        return _time(groups)
    if "number" in groups:
        return groups["number"].replace(",", "")
    return next(value for key, value in groups.items() if key.startswith("v"))


def _date(groups: dict[str, str]) -> str | None:
    month = int(groups["m"]) if "m" in groups else _MONTHS.index(groups["b"][:3].casefold()) + 1
    try:
        return date(int(groups["y"]), month, int(groups["d"])).isoformat()
    except ValueError:
        return None


def _time(groups: dict[str, str]) -> str | None:
    hour, minute = int(groups["h"]), int(groups.get("min", "0"))
    half = groups.get("half", "").casefold()
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else None


def _spelt(text: str) -> Iterator[tuple[Kind, int, int, Finding]]:
    for match in _SPELT.finditer(text):
        value = str(_SMALL.index(match.group().casefold()))
        start, end = match.span()
        yield "number", start, end, Finding(kind="number", value=value, start=start, end=end)


def _names(text: str) -> Iterator[tuple[Kind, int, int, Finding]]:
    for match in _NAME.finditer(text):
        value, start = match.group(), match.start()
        while value and value.split()[0].casefold() in _NO_NAME:
            first, _, value = value.partition(" ")
            start += len(first) + 1
        value = value.removesuffix("'s").rstrip("'&-")
        if value:
            end = start + len(value)
            yield "name", start, end, Finding(kind="name", value=value, start=start, end=end)
