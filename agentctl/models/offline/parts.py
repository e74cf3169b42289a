"""A request as its parts: sentences, and halves joined by `and` where each half asks something of its own.

What stands in quotes is never parted, nor is a sentence at `Dr.` and the like.
"""

from __future__ import annotations

import re
from typing import Final

from agentctl.models.offline.everyday import VERBS, word_list
from agentctl.models.offline.words import words

_ABBREVIATED: Final = "".join(
    rf"(?<!\b{short}\.)" for short in ("Dr", "Mr", "Mrs", "Ms", "Prof", "St", "No", "e\\.g", "i\\.e")
)
_SENTENCE: Final = re.compile(rf"(?<=[?!;])\s+|(?<=\.){_ABBREVIATED}\s+(?=[A-Z\"'])|\n+")
_QUOTED: Final = re.compile(
    r"\"[^\"\n]+\"|«[^»\n]+»|`[^`\n]+`|(?<![^\W_])'(?:[^'\n]|(?<=\w)'(?=\w))+'(?![^\W_])"
)
_JOINT: Final = re.compile(r",?\s+(?:and also|and then|and|then|also|plus|as well as)\s+|,\s+", re.IGNORECASE)
_CLAUSE: Final = re.compile(rf",?\s+and\s+|(?<=[?!;])\s+|(?<=\.){_ABBREVIATED}\s+(?=[A-Z])", re.IGNORECASE)
_PHRASE: Final = re.compile(
    rf"\s*[,;]\s+(?:and\s+)?|\s+(?:and|plus|as well as)\s+|(?<=[?!;])\s+|(?<=\.){_ABBREVIATED}\s+(?=[A-Z])",
    re.IGNORECASE,
)
FINITE: Final = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|does|did|will|can|could|would|should|it's|isn't|doesn't"
    r"|didn't|can't|won't)\b",
    re.IGNORECASE,
)
_CLAUSE_WORDS: Final = 3
_WISH: Final = re.compile(
    r"\b(?:i|we) (?:want|need|wish|would like)\b|\b(?:i|we)'d like\b|\bplease\b", re.IGNORECASE
)
_DONE: Final = re.compile(
    r"(?:please\s+|then\s+)*([a-z]+)\s+(?=(?:the|an?|my|our|your|this|that|these|those|all|it|them|me"
    r"|us|him|her|one|two)\b"
    r"|[#\"'€$£]?\d|[a-z]*[-#]?\d|\")",
    re.IGNORECASE,
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


def masked(text: str) -> str:
    """The text, as long as before, with all that stands in quotes made one word."""
    return _QUOTED.sub(lambda match: "x" * len(match.group()), text)


def sentences(text: str) -> list[str]:
    """Parted at the ends of sentences; at least one."""
    return _split(_SENTENCE, text)


def _split(pattern: re.Pattern[str], text: str) -> list[str]:
    start = 0
    found: list[str] = []
    for match in pattern.finditer(masked(text)):
        found.append(text[start : match.start()])
        start = match.end()
    return [*found, text[start:]]


def parts(request: str) -> list[str]:
    """At least one part; a request of one part is its own only part."""
    found = [half for sentence in sentences(request.strip()) for half in _halves(sentence)]
    return [part.strip() for part in found if any(True for _ in words(part))] or [request]


def clauses(request: str) -> list[str]:
    """What `and` and sentence ends part, each of three words or more; the request alone where it has one."""
    found = [clause.strip() for clause in _split(_CLAUSE, request)]
    return (
        found
        if len(found) > 1 and all(len(list(words(each))) >= _CLAUSE_WORDS for each in found)
        else [request]
    )


def phrases(request: str) -> list[str]:
    """What commas and `and` part, however short; the request alone where it has one."""
    found = [phrase.strip() for phrase in _split(_PHRASE, request)]
    return [phrase for phrase in found if any(True for _ in words(phrase))] or [request]


def is_story(request: str) -> bool:
    """Whether a phrase of it tells something, and so is not one of a list of things that are asked for."""
    return any(FINITE.search(phrase) and not asks_something(phrase) for phrase in phrases(request))


def asks_something(part: str) -> bool:
    """Whether it is a question or an order, and not only the story around one."""
    first = next((word for word in words(part) if word not in _LINKS), "")
    return part.rstrip().endswith("?") or first in _ASKS or first in VERBS or _WISH.search(part) is not None


def _is_order(text: str) -> bool:
    """A verb with what it is done to behind it: `block the card`, `refill RX-2`."""
    match = _DONE.match(text)
    return match is not None and match.group(1).casefold() in VERBS


def _halves(sentence: str) -> list[str]:
    """Split at a joint only if what follows begins like a question or an order of its own."""
    start = 0
    found: list[str] = []
    for joint in _JOINT.finditer(masked(sentence)):
        following = sentence[joint.end() :]
        if (next(words(following[:30]), "") in _ASKS | _SUBJECTS or _is_order(following)) and len(
            sentence[start : joint.start()].split()
        ) > 1:
            found.append(sentence[start : joint.start()])
            start = joint.end()
    return [*found, sentence[start:]]
