"""BM25 over weighted fields: which of a few named things a piece of text points to, and by which words.

Only shared stems count, shared everyday themes weakly. Equal scores keep the given order.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from agentctl.models.offline.slips import meant
from agentctl.models.offline.words import STOP_WORDS, stem, stems, themes, words

Fields: TypeAlias = tuple[tuple[str, float], ...]
"""The texts that describe one thing, each with its weight."""

_K1: Final = 1.2
_B: Final = 0.4
_THEME: Final = 0.35
_PREFIX: Final = 0.8
_SLIP: Final = 0.8
_FORM: Final = 1.0
_CLEAR: Final = 1.25
_SIGNS: Final[Mapping[str, str]] = {"percent": "%", "dollars": "$", "euros": "€", "pounds": "£"}
_SYMBOLS: Final = str.maketrans({sign: f" {word} " for word, sign in _SIGNS.items()})
_FORMED: Final = re.compile(r"\b([A-Za-z]{1,8})[-_#]\d[\w-]*|\b([A-Z]{2,8})\d[\w-]*")
_PARTED_ID: Final = re.compile(r"\b[A-Za-z]{2,}[-_#]\d[\w-]*")
_ID: Final = re.compile(r"\b([A-Za-z]{2,})[-_#]?\d[\w-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A thing with its score. `shared` are the words of the query that count, as written; `direct` says
    that a word itself is shared and not only its theme; `telling` that not everything shares all of them."""

    name: str
    score: float
    shared: tuple[str, ...]
    direct: bool
    telling: bool


@dataclass(frozen=True, slots=True)
class _Index:
    """What a set of things is ranked by: weighted term counts and lengths, and in how many a term is."""

    names: tuple[str, ...]
    counts: tuple[Mapping[str, float], ...]
    lengths: tuple[float, ...]
    spread: Mapping[str, int]


def rank(text: str, things: Sequence[tuple[str, Fields]]) -> list[Ranked]:
    """Everything with any evidence, best first."""
    index = _index(tuple(things))
    terms = _query(text, index)
    found = [_ranked(number, terms, index) for number in range(len(index.names))]
    return sorted((one for one in found if one.shared), key=lambda one: -one.score)


def evident(ranked: Sequence[Ranked]) -> Ranked | None:
    """The best, if what speaks for it does not speak for another as well."""
    if not ranked:
        return None
    best, second = ranked[0], ranked[1].score if len(ranked) > 1 else 0.0
    return best if best.score >= _CLEAR * second or (best.telling and best.score > second) else None


@lru_cache(maxsize=200)
def _index(things: tuple[tuple[str, Fields], ...]) -> _Index:
    counts = tuple(_counts(fields) for _, fields in things)
    spread = Counter(term for count in counts for term in count)
    return _Index(
        tuple(name for name, _ in things), counts, tuple(sum(count.values()) for count in counts), spread
    )


def _counts(fields: Fields) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for text, weight in fields:
        for term in stems(text):
            found[term] = found.get(term, 0.0) + weight
        for term in id_forms(text):
            found[term] = found.get(term, 0.0) + weight
    for term, weight in list(found.items()):
        for theme in themes(term):
            found[theme] = found.get(theme, 0.0) + weight
    return found


def _query(text: str, index: _Index) -> list[tuple[str, str, float]]:
    """(term, word as written, weight) for every distinct term of the query."""
    found: dict[str, tuple[str, float]] = {}
    literal = set(words(text))
    for word in words(_PARTED_ID.sub(" ", text).translate(_SYMBOLS)):
        bare = word.removesuffix("'s")
        if bare in STOP_WORDS or len(bare) < 2 or bare.isdigit():
            continue
        term = stem(bare)
        bare = bare if bare in literal or bare not in _SIGNS else _SIGNS[bare]
        if term not in index.spread and not themes(term):
            slip = meant(term, index.spread)
            if slip is not None:
                found.setdefault(slip, (bare, _SLIP))
                continue
        found.setdefault(term, (bare, 1.0))
        for theme in themes(term):
            found.setdefault(theme, (bare, _THEME))
    for form, written in id_forms(text).items():
        found.setdefault(form, (written, _FORM))
    for prefix, written in _id_prefixes(text):
        for term in index.spread:
            if term.startswith(prefix) and term.isalpha() and term not in found:
                found[term] = (written, _PREFIX)
    return [(term, word, weight) for term, (word, weight) in found.items()]


def id_forms(text: str) -> Mapping[str, str]:
    """`#acc` for `ACC-123`, with the id as written: ids of one form speak for the same thing."""
    return {f"#{(match[1] or match[2]).casefold()}": match[0] for match in _FORMED.finditer(text)}


def _id_prefixes(text: str) -> Iterable[tuple[str, str]]:
    """`ACC-123` speaks for what begins with `acc`, such as an account."""
    for match in _ID.finditer(text):
        if len(match.group(1)) >= 3:
            yield match.group(1).casefold(), match.group()


def _ranked(number: int, terms: Sequence[tuple[str, str, float]], index: _Index) -> Ranked:
    counts, total = index.counts[number], len(index.names)
    mean = sum(index.lengths) / total or 1.0
    norm = _K1 * (1 - _B + _B * index.lengths[number] / mean)
    score, shared, direct, telling = 0.0, dict[str, None](), False, False
    for term, word, weight in terms:
        count = counts.get(term, 0.0)
        if not count:
            continue
        spread = index.spread[term]
        rarity = math.log(1 + (total - spread + 0.5) / (spread + 0.5))
        score += weight * rarity * count * (_K1 + 1) / (count + norm)
        shared[word] = None
        direct = direct or not term.startswith("~")
        telling = telling or spread < total
    return Ranked(
        name=index.names[number],
        score=round(score, 9),
        shared=tuple(shared),
        direct=direct,
        telling=telling or total == 1,
    )
