"""Words typed with one slip: which of the known words one is most likely meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_SHORTEST: Final = 4
"""Letters: in shorter words one slip makes another word too easily."""


def meant(word: str, known: Iterable[str]) -> str | None:
    """The only known word that is one slip away and begins alike; None where there is none, or several."""
    if len(word) < _SHORTEST or not word.isalpha():
        return None
    near = [other for other in known if other[:1] == word[:1] and other.isalpha() and is_slip(word, other)]
    return near[0] if len(near) == 1 else None


def is_slip(word: str, other: str) -> bool:
    """One letter too many, one missing, two swapped, or (in words of five letters and more) one wrong."""
    if len(other) < _SHORTEST or abs(len(word) - len(other)) > 1 or word == other:
        return False
    start = _shared(word, other)
    if len(word) == len(other):
        if word[start + 1 :] == other[start + 1 :]:
            return len(word) > _SHORTEST
        swapped = word[start : start + 2] == other[start : start + 2][::-1]
        return swapped and word[start + 2 :] == other[start + 2 :]
    longer, shorter = (word, other) if len(word) > len(other) else (other, word)
    return longer[start + 1 :] == shorter[start:]


def _shared(word: str, other: str) -> int:
    """How many letters both begin with."""
    pairs = zip(word, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(word), len(other)))
