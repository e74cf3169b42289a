"""Values that stand in a text, by their form: ids, numbers, money, dates, addresses, quoted text, names.

Each keeps its place, so that nearness can decide which parameter it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from agentctl.models.offline.everyday import VERBS, word_list
from agentctl.models.offline.numerals import NUMBER, SCALED, doubtful, plain, spelt

Kind: TypeAlias = Literal[
    "quoted", "email", "url", "moment", "date", "month", "time", "handle", "id", "percent", "money", "number",
    "name", "unclear day", "unclear number",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A value as text in its plain form: a date as ISO, a number without grouping.

    `doubt` marks a number such as `1.250`, which is whole or not depending on where one comes from; `first`
    a name that may be no more than the capital a sentence begins with. What is unclear is kept as written.
    """

    kind: Kind
    value: str
    start: int
    end: int
    doubt: bool = False
    first: bool = False


_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = rf"(?P<b>{'|'.join(_MONTHS)})[a-z]*\.?"
_WRITTEN_MONTH: Final = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_NO_MORE: Final = r"(?![\w%]|[.,]\d|-\d)"
_CURRENCY: Final = (
    r"(?:(?:US|CA?|AU?)?\$|[€£¥]|(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|dollars?|euros?|pounds?|bucks"
    r"|francs?|yen|cents?)(?![^\W\d_]))"
)
_WEEKDAY: Final = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PATTERNS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("quoted", re.compile(r"\"(?P<v>[^\"\n]+)\"|«(?P<v2>[^»\n]+)»|`(?P<v3>[^`\n]+)`")),
    ("quoted", re.compile(r"(?<![^\W_])'(?P<v>(?:[^'\n]|(?<=\w)'(?=\w))+)'(?![^\W_])")),
    ("url", re.compile(r"\b(?P<v>(?:https?|ftp)://[^\s<>\"']*[^\s<>\"'.,;:!?)\]])", re.IGNORECASE)),
    ("email", re.compile(r"\b(?P<v>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)\b")),
    (
        "moment",
        re.compile(r"(?<!\w)(?P<v>\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)(?!\w)"),
    ),
    ("date", re.compile(r"(?<!\w)(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?!\w)")),
    ("date", re.compile(r"(?<!\w)(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})(?!\w)")),
    ("date", re.compile(r"(?<!\w)(?P<one>\d{1,2})(?P<s>[/-])(?P<two>\d{1,2})(?P=s)(?P<y>\d{4})(?!\w)")),
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
        "unclear day",
        re.compile(
            rf"\b(?P<v>(?:today|tomorrow|tonight|yesterday)\b|(?:next |this |on )?{_WEEKDAY}s?\b"
            rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_WRITTEN_MONTH})\b"
            rf"|(?:{_WRITTEN_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?\b)",
            re.IGNORECASE,
        ),
    ),
    (
        "time",
        re.compile(r"(?<![\w:])(?P<h>\d{1,2}):(?P<min>\d{2})(?::\d{2})?(?: ?(?P<half>[ap])\.?m\.?)?\b", re.I),
    ),
    ("time", re.compile(r"(?<![\w:])(?P<h>\d{1,2}) ?(?P<half>[ap])\.?m\.?(?!\w)", re.IGNORECASE)),
    (
        "unclear number",
        re.compile(
            rf"(?<![\w.,-])(?P<v>(?:{_CURRENCY} ?)?\d[\d.,]*(?: ?- ?| (?:to|or) ){_CURRENCY}? ?\d[\d.,]*\d?"
            rf" ?{_CURRENCY})(?!\w)",
            re.IGNORECASE,
        ),
    ),
    ("percent", re.compile(rf"(?<![\w.,]){NUMBER} ?(?:%|percent\b|per cent\b)", re.IGNORECASE)),
    ("money", re.compile(rf"(?<!\w){_CURRENCY} ?{NUMBER}{SCALED}{_NO_MORE}", re.IGNORECASE)),
    ("money", re.compile(rf"(?<![\w.,/]){NUMBER}{SCALED}(?:[.,]-)? ?{_CURRENCY}(?!\w)", re.IGNORECASE)),
    (
        "number",
        re.compile(
            rf"(?<![\w.,#/])(?<!\d:){NUMBER}(?P<scale>k(?![\w-])|[ -](?:dozen|hundred|thousand|million"
            rf"|billion)\b)"
        ),
    ),
    ("id", re.compile(r"(?<![\w-])(?P<v>[A-Za-z]+(?:[-_#/][A-Za-z]+)*[-_#/]?\d[\w]*(?:[-_/]\w+)*)(?![\w-])")),
    ("id", re.compile(r"(?<![\w-])(?P<v>\d+[A-Za-z][\w-]*|\d+(?:-\d+)+|\d+-[A-Za-z][\w-]*)(?![\w-])")),
    ("id", re.compile(r"(?<!\w)#(?P<v>\w[\w-]*)")),
    ("handle", re.compile(r"(?<![\w@.+-])@(?P<v>[^\W\d_][\w.-]*\w)")),
    ("handle", re.compile(r"(?<![\w@.+-])(?P<v>[a-z][a-z0-9]*(?:[._][a-z][a-z0-9]*)+)(?![\w@])")),
    ("unclear number", re.compile(r"(?<![\w.,/])(?P<v>\d+/\d+)(?![\w/])")),
    ("number", re.compile(rf"(?<![\w.,])(?<!\d:){NUMBER}{_NO_MORE}(?!:\d)")),
)
_TITLE: Final = r"(?:(?:Dr|Mr|Mrs|Ms|Prof|St)\. )?"
_NAME: Final = re.compile(
    rf"(?<![\w'¿-]){_TITLE}[A-ZÀ-Þ][\w'&-]*(?: (?:of |de |van |von |del |la )?[A-ZÀ-Þ][\w'&-]*)*"
)
_NO_NAME: Final = word_list(
    """i i'd i'll i'm i've what what's when where where's who who's whose which why how is are was were do
    does did don't doesn't didn't can could will would should has have tell give let please the a an my our
    your this that it in on at for from to and or but if hi hello hey thanks am not never no yes"""
)
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:;\n])[\s\"'(]*$")
_ALTERNATIVE: Final = re.compile(rf" ?(?:{_CURRENCY})? or (?:{_CURRENCY})? ?", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\bbetween\s+\S{0,4}$", re.IGNORECASE)
_CENTS: Final = re.compile(r"\bcents?$", re.IGNORECASE)
_LEADS: Final = word_list(
    """a about amount at budget charge cost costs deposit exactly for is limit of only over pay paying price
    send spend sum than to total transfer under want withdraw with"""
)


@lru_cache(maxsize=500)
def findings(text: str) -> tuple[Finding, ...]:
    """Everything found, by place; a stretch of text is one finding at most, quoted text may hold others.

    A number that is one of two alternatives, as in `10 or 20`, is unclear.
    """
    found: list[Finding] = []
    covered = bytearray(len(text))
    for kind, start, end, one in [*_formed(text), *_spelt(text), *_names(text)]:
        if not any(covered[start:end]):
            found.append(one)
            if kind != "quoted":
                covered[start:end] = b"\1" * (end - start)
    found.sort(key=lambda one: (one.start, one.end))
    return tuple(_alternatives(found, text))


def with_coin(found: Finding, text: str) -> str:
    """A finding as written, a sum of money with its currency."""
    before = (
        re.search(rf"(?:{_CURRENCY} ?)$", text[: found.start], re.IGNORECASE)
        if found.kind == "money"
        else None
    )
    after = re.match(rf" ?{_CURRENCY}", text[found.end :], re.IGNORECASE) if found.kind == "money" else None
    return text[before.start() if before else found.start : found.end + (after.end() if after else 0)]


def _alternatives(found: list[Finding], text: str) -> Iterator[Finding]:
    numbers = [one for one in found if one.kind in ("number", "money")]
    unclear: set[int] = set()
    for one, other in pairwise(numbers):
        gap = text[one.end : other.start]
        if _ALTERNATIVE.fullmatch(gap) or (
            " and " in gap and len(gap) < 12 and _BETWEEN.search(text[: one.start])
        ):
            unclear |= {one.start, other.start}
    for one in found:
        yield replace(one, kind="unclear number") if one.start in unclear and one in numbers else one


def _formed(text: str) -> Iterator[tuple[Kind, int, int, Finding]]:
    """With the stretch that each takes up: of `100 USD` all, though the number alone is its place."""
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if "number" in match.groupdict():
                yield from _number(kind, match)
                continue
            value = _value(kind, match)
            if value is not None:
                found = Finding(kind=kind, value=value, start=match.start(), end=match.end())
            elif kind == "date":
                found = Finding(kind="unclear day", value=match.group(), start=match.start(), end=match.end())
            else:
                continue
            yield found.kind, *match.span(), found


def _number(kind: Kind, match: re.Match[str]) -> Iterator[tuple[Kind, int, int, Finding]]:
    """One number, or those of a list that is written without spaces."""
    written, scale = match["number"], match.groupdict().get("scale")
    start, end = match.span("number")
    value = plain(written, scale)
    end = match.end("scale") if scale else end
    before = re.search(r"(\w+)\W*$", match.string[:start])
    if value is None and re.fullmatch(r"\d+(?:,\d+)+", written) and not scale:
        for part in re.finditer(r"\d+", written):
            place = (start + part.start(), start + part.end())
            yield kind, *place, Finding(kind=kind, value=part.group(), start=place[0], end=place[1])
        return
    apart = " " in written and before is not None and before.group(1).casefold() not in _LEADS
    if value is None or apart or _CENTS.search(match.group()):
        kind, value = "unclear number", match.group()
    yield (
        kind,
        *match.span(),
        Finding(kind=kind, value=value, start=start, end=end, doubt=doubtful(written) and not scale),
    )


def _value(kind: Kind, match: re.Match[str]) -> str | None:
    groups = {key: value for key, value in match.groupdict().items() if value is not None}
    if kind == "date":
        return _date(groups)
    if kind == "month":
        day = _date({**groups, "d": "1"})
        return day and day[:7]
    if kind == "time":
        return _time(groups)
    return next(value for key, value in groups.items() if key.startswith("v"))


def _date(groups: dict[str, str]) -> str | None:
    """None also for `03/04/2027`, which is a day in March or one in April."""
    if "one" in groups:
        day, month = sorted((groups["one"], groups["two"]), key=int, reverse=True)
        if int(day) <= 12 and day != month:
            return None
        groups = {**groups, "d": day, "m": month}
    number = int(groups["m"]) if "m" in groups else _MONTHS.index(groups["b"][:3].casefold()) + 1
    try:
        return date(int(groups["y"]), number, int(groups["d"])).isoformat()
    except ValueError:
        return None


def _time(groups: dict[str, str]) -> str | None:
    hour, minute = int(groups["h"]), int(groups.get("min", "0"))
    half = groups.get("half", "").casefold()
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else None


def _spelt(text: str) -> Iterator[tuple[Kind, int, int, Finding]]:
    for one in spelt(text):
        kind: Kind = "number" if one.value else "unclear number"
        coin = re.match(rf"\s{_CURRENCY}(?!\w)", text[one.end :], re.IGNORECASE)
        if coin and one.value:
            kind = "unclear number" if _CENTS.search(coin.group()) else "money"
        value = one.value or text[one.start : one.end]
        yield kind, one.start, one.end, Finding(kind=kind, value=value, start=one.start, end=one.end)


def _names(text: str) -> Iterator[tuple[Kind, int, int, Finding]]:
    for match in _NAME.finditer(text):
        value, start = match.group(), match.start()
        while value and is_verb(value.split()[0].casefold()):
            first, _, value = value.partition(" ")
            start += len(first) + 1
        value = value.removesuffix("'s").rstrip("'&-")
        if value:
            end = start + len(value)
            first_word = " " not in value and _SENTENCE_START.search(text[:start]) is not None
            yield (
                "name",
                start,
                end,
                Finding(kind="name", value=value, start=start, end=end, first=first_word),
            )


def is_verb(word: str) -> bool:
    """A word that begins a question or an order, and so is no name for being written with a capital."""
    bare = word.removeprefix("re-").removeprefix("re")
    return word in _NO_NAME or word in VERBS or bare in VERBS
