"""One call or several: the arguments once for each of parallel values, such as `2 packs of A-1 and 3 of A-2`.

Values that take turns make a call each turn; a list makes a call for each of its values; what is neither, and
could be meant either way, is a doubt that is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from agentctl.jsontypes import JsonObject, as_object
from agentctl.models.offline.candidates import WEAK, Candidate, candidates
from agentctl.models.offline.fill import Filled
from agentctl.models.offline.fits import fits, resolved, type_of
from agentctl.models.offline.roles import Role, letters, purpose_of, shape
from agentctl.models.offline.words import STOP_WORDS, stem, words

_MOST: Final = 8
_SINGLE: Final[frozenset[Role]] = frozenset({"prose", "date", "time", "currency"})
_JOINED: Final = re.compile(r"[,;&/]|\b(?:and|or|vs)\b", re.IGNORECASE)
_STOPPED: Final = re.compile(r"[.!?]\s")
_CHOICE: Final = re.compile(r"\b(?:or|vs)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """The arguments of each call, or the parameters in `doubt`; `used` are the places of all their values."""

    calls: tuple[JsonObject, ...]
    doubt: tuple[str, ...] = ()
    used: tuple[tuple[int, int], ...] = ()


def repeated(schema: JsonObject, filled: Filled, text: str, *, acts: bool) -> Repeated:
    """`acts`: the tool has effects, so that of alternatives none is chosen and none is left out unasked."""
    series = _series(schema, filled, text)
    used = tuple((one.start, one.end) for places in series.values() for one in places)
    several = {name: places for name, places in series.items() if len(places) > 1}
    counts = {len(places) for places in several.values()}
    if not several:
        return Repeated(calls=(filled.arguments,), doubt=filled.tied, used=used)
    turns = _turns(several) if len(counts) == 1 else None
    if turns is None or (len(several) == 1 and not _is_list(*next(iter(several.items())), text)):
        return _unlike(filled, several, acts=acts)
    shared = [series[name][0] for name in series if name not in several]
    first_end = max(one.end for one in turns[0].values())
    last_start = min(one.start for one in turns[-1].values())
    between = [
        name
        for name in series
        if name not in several and _lies(series[name][0], several, turns, first_end, last_start)
    ]
    chosen = acts and any(
        _CHOICE.search(text[one.end : other.start])
        for places in several.values()
        for one, other in pairwise(places)
    )
    if between or chosen:
        return Repeated(calls=(), doubt=tuple(between or several), used=used)
    calls = [
        {**filled.arguments, **{name: one.value for name, one in turn.items()}} for turn in turns[:_MOST]
    ]
    tied = tuple(name for name in filled.tied if name not in several)
    kept = [(one.start, one.end) for turn in turns[:_MOST] for one in turn.values()]
    return Repeated(calls=tuple(calls), doubt=tied, used=(*kept, *((one.start, one.end) for one in shared)))


def _unlike(filled: Filled, several: Mapping[str, Sequence[Candidate]], *, acts: bool) -> Repeated:
    """Values that make no turns: one call where what it takes is clear, and nothing where it has effects."""
    used = tuple((one.start, one.end) for one in filled.places.values())
    doubt = [name for name in several if name in filled.tied or (acts and len(several) > 1)]
    return Repeated(calls=(filled.arguments,), doubt=tuple(doubt), used=used)


def _lies(
    one: Candidate,
    several: Mapping[str, object],
    turns: Sequence[Mapping[str, Candidate]],
    first_end: int,
    last_start: int,
) -> bool:
    """A value among the turns but not within the first one: it may be meant for all or for one."""
    if len(several) == 1:
        return first_end <= one.start < last_start
    return first_end <= one.start < max(each.end for each in turns[-1].values())


def _series(schema: JsonObject, filled: Filled, text: str) -> dict[str, list[Candidate]]:
    """The values in the text that each found parameter could take beside its own, in order."""
    properties = as_object(resolved(schema, schema).get("properties"))
    claims: dict[tuple[int, int], tuple[float, str, Candidate]] = {}
    for name, chosen in filled.places.items():
        one = resolved(properties.get(name, {}), schema)
        claims[chosen.start, chosen.end] = (99.0, name, chosen)
        if not _may_repeat(name, one):
            continue
        for other in candidates(name, one, text):
            place = (other.start, other.end)
            if place != (chosen.start, chosen.end) and other.start < chosen.end and chosen.start < other.end:
                continue
            if (
                _is_alike(chosen, other)
                and fits(other.value, one, schema)
                and other.score > claims.get(place, (0.0,))[0]
            ):
                claims[place] = (other.score, name, other)
    found: dict[str, list[Candidate]] = {name: [] for name in filled.places}
    for place in sorted(claims):
        _, name, claim = claims[place]
        if not any(claim.start < each.end and each.start < claim.end for each in found[name]):
            found[name].append(claim)
    return {name: _plain(places) for name, places in found.items()}


def _plain(places: list[Candidate]) -> list[Candidate]:
    """A value that is only said again is one."""
    return places[:1] if len({one.value for one in places}) == 1 and places[0].kind == "enum" else places


def _may_repeat(name: str, schema: JsonObject) -> bool:
    if type_of(schema) == "boolean":
        return False
    return (
        "enum" in schema
        or type_of(schema) in ("integer", "number")
        or purpose_of(name, schema).role not in _SINGLE
    )


def _is_alike(chosen: Candidate, other: Candidate) -> bool:
    if other.start < 0 or other.score < WEAK:
        return False
    if {other.kind, chosen.kind} == {"word", "name"}:
        return next(one for one in (other, chosen) if one.kind == "name").score > 0
    if other.kind != chosen.kind or chosen.kind == "word":
        return False
    mine, theirs = str(chosen.value), str(other.value)
    if chosen.kind == "id" and letters(mine) and letters(theirs):
        alike = letters(mine).casefold() == letters(theirs).casefold() or shape(mine) == shape(theirs)
        return alike or other.score >= chosen.score
    return True


def _is_list(name: str, places: Sequence[Candidate], text: str) -> bool:
    """Nothing between the values but what joins a list, and the words that led to the first."""
    lead = [stem(word) for word in words(text[: places[0].start])][-2:]
    known = {*purpose_of(name, {}).nouns, *lead}
    for one, other in pairwise(places):
        gap = text[one.end : other.start]
        if gap.strip() and not _JOINED.search(gap):
            return False
        if any(stem(word) not in known and word not in STOP_WORDS and word != "vs" for word in words(gap)):
            return False
        if _STOPPED.search(gap):
            return False
    return True


def _turns(several: Mapping[str, Sequence[Candidate]]) -> list[dict[str, Candidate]] | None:
    """The values by turn, each parameter once in each; None where they do not take turns."""
    placed = sorted(
        ((one.start, name, one) for name, places in several.items() for one in places),
        key=lambda each: each[0],
    )
    width = len(several)
    turns: list[dict[str, Candidate]] = []
    for start in range(0, len(placed), width):
        turn = {name: one for _, name, one in placed[start : start + width]}
        if len(turn) != width:
            return None
        turns.append(turn)
    return turns
