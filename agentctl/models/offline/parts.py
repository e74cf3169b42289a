"""A request as its parts: sentences, and halves joined by `and` where each half asks something of its own."""

from __future__ import annotations

import re
from typing import Final

from agentctl.models.offline.everyday import word_list
from agentctl.models.offline.words import words

_SENTENCE: Final = re.compile(r"(?<=[?!;])\s+|(?<=\.)\s+(?=[A-Z\"'])|\n+")
_JOINT: Final = re.compile(r",?\s+(?:and also|and then|and|then|also|plus|as well as)\s+|,\s+", re.IGNORECASE)
_CLAUSE: Final = re.compile(r",?\s+and\s+|(?<=[?!;])\s+|(?<=\.)\s+(?=[A-Z])", re.IGNORECASE)
_CLAUSE_WORDS: Final = 3
_WISH: Final = re.compile(
    r"\b(?:i|we) (?:want|need|wish|would like)\b|\b(?:i|we)'d like\b|\bplease\b", re.IGNORECASE
)
_LINKS: Final = frozenset(["and", "also", "but", "so", "then", "finally", "first", "next"])
_SUBJECTS: Final = frozenset(["i", "i'd", "i'll", "i'm"])
_ASKS: Final = word_list(
    """what what's where where's when who who's whose which why how how's is are was were do does did can
    could will would should has tell show give find check look get please let add book buy cancel change close
    compare compute convert create delete describe draft explain fetch list make open order pay plan print
    read refund remind rename reset restart return run schedule search send set start stop summarise summarize
    track transfer translate update upgrade write"""
)


def parts(request: str) -> list[str]:
    """At least one part; a request of one part is its own only part."""
    found = [half for sentence in _SENTENCE.split(request.strip()) for half in _halves(sentence)]
    return [part.strip() for part in found if any(True for _ in words(part))] or [request]


def clauses(request: str) -> list[str]:
    """What `and` and sentence ends part, each of three words or more; the request alone where it has one."""
    found = [clause.strip() for clause in _CLAUSE.split(request)]
    return (
        found
        if len(found) > 1 and all(len(list(words(each))) >= _CLAUSE_WORDS for each in found)
        else [request]
    )


def asks_something(part: str) -> bool:
    """Whether it is a question or an order, and not only the story around one."""
    first = next((word for word in words(part) if word not in _LINKS), "")
    return part.rstrip().endswith("?") or first in _ASKS or _WISH.search(part) is not None


def _halves(sentence: str) -> list[str]:
    """Split at a joint only if what follows begins like a question or an order of its own."""
    start = 0
    found: list[str] = []
    for joint in _JOINT.finditer(sentence):
        if (
            next(words(sentence[joint.end() : joint.end() + 30]), "") in _ASKS | _SUBJECTS
            and len(sentence[start : joint.start()].split()) > 1
        ):
            found.append(sentence[start : joint.start()])
            start = joint.end()
    return [*found, sentence[start:]]
