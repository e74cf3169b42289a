"""The values in one text that a parameter could take, each with how much speaks for it.

From 3 on, a value is good enough for an optional parameter; from 1 on, for a required one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_list
from agentctl.models.offline.everyday import word_list
from agentctl.models.offline.findings import Finding, Kind, findings, is_verb
from agentctl.models.offline.fits import type_of
from agentctl.models.offline.roles import Purpose, Role, letters, purpose_of, shape
from agentctl.models.offline.words import STOP_WORDS, stem, stems, words

STRONG: Final = 3.0
WEAK: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """`kind` says how a value is written, so that others of a list can be told by it."""

    value: None | bool | int | float | str
    score: float
    start: int
    end: int
    kind: str = ""


_KINDS: Final[Mapping[Role, Mapping[Kind, float]]] = {
    "date": {"date": 4.0, "moment": 4.0},
    "month": {"month": 4.0, "quoted": 3.0, "name": 1.0},
    "time": {"time": 4.0},
    "email": {"email": 4.0},
    "url": {"url": 4.0},
    "id": {"id": 2.0, "quoted": 2.0},
    "place": {"quoted": 3.0, "name": 1.5},
    "person": {"quoted": 2.0, "name": 2.0, "handle": 3.0, "email": 2.5},
    "prose": {"quoted": 4.0},
    "word": {"quoted": 3.0, "name": 1.0, "handle": 1.0},
    "currency": {},
    "percent": {},
    "money": {},
}
_NUMERIC: Final[Mapping[Kind, float]] = {"number": 1.0, "money": 1.0, "percent": 0.5}
_KNOWN_PREFIXES: Final[Mapping[str, str]] = {
    "acc": "account", "acct": "account", "ord": "order", "inv": "invoice", "emp": "employee",
    "cust": "customer", "tkt": "ticket", "prod": "product", "usr": "user", "trk": "tracking",
}  # fmt: skip
_CURRENCIES: Final[Mapping[str, str]] = {
    "$": "USD", "us$": "USD", "c$": "CAD", "ca$": "CAD", "a$": "AUD", "au$": "AUD", "€": "EUR", "£": "GBP",
    "¥": "JPY", "dollar": "USD", "dollars": "USD", "bucks": "USD",
    "euro": "EUR", "euros": "EUR", "pound": "GBP", "pounds": "GBP", "yen": "JPY",
    "franc": "CHF", "francs": "CHF",
}  # fmt: skip
_CODE: Final = re.compile(
    r"\b(?:US|CA?|AU?)\$|[$€£¥]|\b(?:USD|EUR|GBP|JPY|CHF|CAD|AUD|NZD|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF"
    r"|BRL|MXN|ZAR|KRW|SGD|HKD|TRY"
    r"|dollars?|bucks|euros?|pounds?|yen|francs?)\b",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(r"([\w']+)\W*$")
_NEGATIONS: Final = word_list("no not without don't dont never isn't exclude excluding skip disable")


_WORDS: Final = re.compile(
    r"(?:\s*:\s*|\s+)((?:[\w-]+|\"[\w -]+\")(?:\s*,\s*(?:and\s+)?[\w-]+"
    r"|\s+and\s+[\w-]+(?=\s*(?:[.?!,;]|$)))*)(?=\s*(?:[.?!;,]|$|\s(?:and|to|for|on|due|with|until|in|at)\b))",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(
    r"\b(?:not|except|excluding|instead of|rather than|other than)\s+(?:(?:the|a|an|for|to|on|in|from"
    r"|of)\s+)*[\"']?$",
    re.IGNORECASE,
)


def candidates(name: str, schema: JsonObject, text: str) -> list[Candidate]:
    """In the order of the text; scores at or below 0 are left out, and so is what the text denies."""
    if "enum" in schema:
        found = list(_listed(name, schema, text))
    elif type_of(schema) == "boolean":
        found = list(_truth(name, text))
    elif type_of(schema) in ("integer", "number"):
        found = list(_numbers(name, schema, text))
    else:
        found = _apart(list(_texts(purpose_of(name, schema), schema, text)), text)
    return [
        one for one in found if one.score > 0 and not (one.start > 0 and _DENIED.search(text[: one.start]))
    ]


def unclear(name: str, schema: JsonObject, text: str) -> str:
    """What the text says for this parameter in a way that can be read as more than one value, or empty."""
    role = purpose_of(name, schema).role
    numeric = type_of(schema) in ("integer", "number")
    if "enum" in schema or not (numeric or role == "date"):
        return ""
    kind = "unclear number" if numeric else "unclear day"
    return next(
        (
            one.value
            for one in findings(text)
            if one.kind == kind or (numeric and _is_doubtful(one, schema, role))
        ),
        "",
    )


def _is_doubtful(one: Finding, schema: JsonObject, role: Role) -> bool:
    """`1.250` is read as in English, but not where money or a whole number is meant."""
    return one.doubt and (one.kind == "money" or role == "money" or type_of(schema) == "integer")


def _apart(found: list[Candidate], text: str) -> list[Candidate]:
    """Without words that are a piece of something written whole, such as `anna` of an e-mail address."""
    whole = [one for one in findings(text) if one.kind not in ("quoted", "name", "unclear day")]
    return [
        one
        for one in found
        if one.kind != "word"
        or not any(
            each.start <= one.start and one.end <= each.end and each.end - each.start > one.end - one.start
            for each in whole
        )
    ]


def _listed(name: str, schema: JsonObject, text: str) -> Iterator[Candidate]:
    purpose = purpose_of(name, schema)
    coins = _coins(schema)
    for one in _currencies(purpose, text) if coins else ():
        if one.value in coins:
            yield replace(one, kind="enum")
    written = [
        (match.start(), match.end(), match.group().casefold()) for match in re.finditer(r"[\w']+", text)
    ]
    for value in as_list(schema["enum"]):
        if not (value is None or isinstance(value, str | int | float)):
            continue
        wanted = [stem(word) for word in words(str(value))]
        for place in range(len(written) - len(wanted) + 1):
            part = written[place : place + len(wanted)]
            if wanted and [stem(word) for _, _, word in part] == wanted:
                start, end = part[0][0], part[-1][1]
                score = 4.0 + _near(purpose, text, start, end)
                yield Candidate(value=value, score=score, start=start, end=end, kind="enum")


def _coins(schema: JsonObject) -> frozenset[Json]:
    """The currencies among the choices, but for dollars where there are several."""
    listed = {one for one in as_list(schema["enum"]) if isinstance(one, str) and _CODE.fullmatch(one)}
    return frozenset(
        listed - ({"USD"} if len(listed & {"USD", "CAD", "AUD", "NZD", "SGD", "HKD"}) > 1 else set())
    )


def _truth(name: str, text: str) -> Iterator[Candidate]:
    wanted = set(stems(name))
    if not wanted or not wanted.issubset(stems(text)):
        return
    told = list(words(text))
    place = next(number for number, word in enumerate(told) if stem(word.removesuffix("'s")) in wanted)
    negated = not _NEGATIONS.isdisjoint(told[max(place - 3, 0) : place])
    yield Candidate(value=not negated, score=STRONG, start=-1, end=-1)


def _numbers(name: str, schema: JsonObject, text: str) -> Iterator[Candidate]:
    purpose = purpose_of(name, schema)
    for found in findings(text):
        base = _NUMERIC.get(found.kind)
        if base is None and not (found.kind == "id" and found.value.isdigit()):
            continue
        if _is_doubtful(found, schema, purpose.role):
            continue
        number = float(found.value)
        if type_of(schema) == "integer" and not number.is_integer():
            continue
        value = int(number) if number.is_integer() and "." not in found.value else number
        score = (base or 2.0) + _near(purpose, text, found.start, found.end)
        score += 2.5 if purpose.role == found.kind else 0.0
        yield Candidate(value=value, score=score, start=found.start, end=found.end, kind="number")


def _texts(purpose: Purpose, schema: JsonObject, text: str) -> Iterator[Candidate]:
    kinds = _KINDS[purpose.role]
    for found in findings(text):
        if found.kind in kinds:
            yield _scored(purpose, schema, text, found, kinds[found.kind])
        elif purpose.role == "id" and found.kind == "number" and found.value.isdigit():
            near = _near(purpose, text, found.start, found.end)
            score = 2.0 + near if near else (WEAK if len(found.value) >= 4 else 0.0)
            yield Candidate(value=found.value, score=score, start=found.start, end=found.end, kind="id")
        elif found.kind == "id" and purpose.nouns and _prefix(purpose, found.value) > 0:
            yield _scored(purpose, schema, text, found, 2.0)
    if purpose.role == "currency":
        yield from _currencies(purpose, text)
    elif purpose.role == "prose":
        yield Candidate(value=text, score=WEAK, start=-1, end=-1)
    elif purpose.role != "id" or not purpose.shapes:
        yield from _beside(purpose, text)
        yield from _led(purpose, text)


def _scored(purpose: Purpose, schema: JsonObject, text: str, found: Finding, base: float) -> Candidate:
    score = base + _near(purpose, text, found.start, found.end) + _direction(purpose, text, found.start)
    if found.kind == "id":
        score += _prefix(purpose, found.value)
    if found.first:
        score -= 1.5 if purpose.role in ("person", "word") else 0.5
    if found.kind == "name" and purpose.titles.intersection(found.value.split()[:1]):
        score += STRONG + 0.5
    if "pattern" in schema:
        score += STRONG
    value = _dated(schema, text, found) if found.kind in ("date", "moment") else found.value
    return Candidate(value=value, score=score, start=found.start, end=found.end, kind=found.kind)


_CLOCK: Final = re.compile(r"\s*(?:,|at|on|T)?\s*", re.IGNORECASE)


def _dated(schema: JsonObject, text: str, found: Finding) -> str:
    """A day; where a point in time is asked for, with the time that stands beside it."""
    if schema.get("format") != "date-time":
        return found.value[:10]
    for other in findings(text):
        between = (
            text[found.end : other.start] if other.start > found.start else text[other.end : found.start]
        )
        if other.kind == "time" and found.kind == "date" and _CLOCK.fullmatch(between):
            return f"{found.value}T{other.value}:00"
    return found.value


def _prefix(purpose: Purpose, value: str) -> float:
    """What an id's letters and form say: an example's or the parameter's own, or another thing's."""
    start = letters(value).casefold()
    if start and start in purpose.prefixes:
        return 4.0
    if len(start) >= 2 and any(noun.startswith(start) for noun in purpose.nouns):
        return 4.0
    other = _KNOWN_PREFIXES.get(start)
    if other and (purpose.nouns or purpose.shapes) and stem(other) not in purpose.nouns:
        return -9.0
    if start and purpose.schemed:
        return -9.0
    if not purpose.shapes:
        return 0.0
    return 1.0 if shape(value) in purpose.shapes else -1.5


def _near(purpose: Purpose, text: str, start: int, end: int) -> float:
    """Whether the parameter's noun stands just before or just after."""
    before = [stem(word) for word in words(text[max(start - 40, 0) : start])][-3:]
    after = [stem(word) for word in words(text[end : end + 25])][:1]
    if purpose.nouns.intersection(before[-2:]) or purpose.nouns.intersection(after):
        return 3.0
    return 1.5 if purpose.nouns.intersection(before) else 0.0


def _direction(purpose: Purpose, text: str, start: int) -> float:
    if purpose.way is None:
        return 0.0
    lead = _BEFORE.search(text[:start])
    word = lead.group(1).casefold() if lead else ""
    ways = {
        "from": "from",
        "to": "to",
        "into": "to",
        "in": "to",
        "since": "from",
        "until": "to",
        "till": "to",
    }
    said = ways.get(word)
    return 0.0 if said is None else (4.0 if said == purpose.way else -3.0)


def _currencies(purpose: Purpose, text: str) -> Iterator[Candidate]:
    """The currency of an amount is the one to convert from."""
    for match in _CODE.finditer(text):
        written = match.group()
        value = _CURRENCIES.get(written.casefold(), written.upper())
        way = _direction(purpose, text, match.start())
        if purpose.way and (
            re.search(r"\d\s*$", text[: match.start()]) or re.match(r"\s*\d", text[match.end() :])
        ):
            way = 2.0 if purpose.way == "from" else -2.0
        yield Candidate(value=value, score=STRONG + way, start=match.start(), end=match.end(), kind="enum")


def _beside(purpose: Purpose, text: str) -> Iterator[Candidate]:
    """`the Pro plan`, `plan Pro`, `a plan called Pro`: the word that stands at the parameter's noun."""
    found = [(match.start(), match.end(), match.group()) for match in re.finditer(r"[\w'-]+", text)]
    for place, (_, _, word) in enumerate(found):
        if stem(word.casefold()) not in purpose.nouns:
            continue
        if place and _meant(found[place - 1][2]):
            yield _word(found[place - 1], 4.0)
        rest = found[place + 1 : place + 3]
        if rest and rest[0][2].casefold() in ("called", "named"):
            yield _word(rest[-1], 5.0)
        elif rest and _meant(rest[0][2]) and rest[0][2][:1].isupper():
            yield _word(rest[0], 4.0)
        elif rest and _meant(rest[0][2]) and purpose.role == "person":
            yield _word(rest[0], 2.0)


def _led(purpose: Purpose, text: str) -> Iterator[Candidate]:
    """A word after a preposition, for places and people that are not written as names."""
    if purpose.role not in ("place", "person") and purpose.way is None:
        return
    if purpose.role == "person":
        for match in re.finditer(r"\b([^\W\d_]\w+)'s\b", text):
            if _meant(match.group()):
                yield _word((match.start(1), match.end(1), match.group(1)), 1.5)
    for match in re.finditer(
        r"\b(in|at|for|to|from|into|near|with)\s+([^\W\d_][\w'-]*)", text, re.IGNORECASE
    ):
        infinitive = match.group(1).casefold() == "to" and purpose.way is None and match.group(2).islower()
        if _meant(match.group(2)) and not infinitive and stem(match.group(2).casefold()) not in purpose.nouns:
            score = WEAK + _direction(purpose, text, match.start(2))
            yield _word((match.start(2), match.end(2), match.group(2)), score)


def _meant(word: str) -> bool:
    return word.casefold() not in STOP_WORDS and not word.isdigit() and not is_verb(word.casefold())


def _word(found: tuple[int, int, str], score: float) -> Candidate:
    start, end, value = found
    bonus = 1.0 if value[:1].isupper() and start else 0.0
    return Candidate(value=value, score=score + bonus, start=start, end=end, kind="word")


def named_list(name: str, text: str) -> list[Candidate]:
    """Single words that stand as a list behind a parameter's noun: `with labels bug, ui and docs`."""
    nouns = purpose_of(name, {}).nouns
    for lead in re.finditer(r"[^\W\d_]+", text):
        if stem(lead.group().casefold()) not in nouns:
            continue
        listed = _WORDS.match(text, lead.end())
        if listed:
            told = re.finditer(r"[^\s,;:&\"']+", listed.group(1))
            return [
                Candidate(value=one.group().rstrip("."), score=STRONG, kind="word",
                          start=listed.start(1) + one.start(), end=listed.start(1) + one.end())
                for one in told
                if one.group().casefold() not in ("and", "or")
            ]  # fmt: skip
    return []
