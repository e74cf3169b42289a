"""Text into stems that can be compared: words split at case and `_`, stop words dropped, stems of English.

Everyday words count for their theme too (`everyday`), so that "package" is evidence for "order".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, Protocol

from agentctl.models.offline.everyday import THEMES, word_list

_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NUMBERED: Final = re.compile(r"\b\w*\d[\w-]*|\b[A-Za-z]+[-_#]\d[\w-]*")
STOP_WORDS: Final = word_list("""
    a about above across actually after again against agent agents all almost along already also
    although always am among an and another answer answers any anybody anyone anything are aren't
    around as ask asked assistant at away back be became because been before begin being below
    between bot both but by call can can't cannot could couldn't currently did didn't do does
    doesn't doing don't done down during each either else ever every everything few find first for
    from full function further gave get gets getting give given gives go goes going gone got had
    handle handles has have haven't having he hello help helper helpful helps her here hers hey hi
    him his how however i i'd i'll i'm i've if in instead into is isn't it it's its itself just keep
    kind kindly know let let's like likely look looking lot made make makes many may maybe me might
    mine more most much must my myself need needed needs neither never new next no nor not now of
    off often ok okay on once one only onto or other others ought our ours out over own per perhaps
    please put question questions quite rather really request requests right said same say says see
    seem seems shall she should show simply since so some somebody someone something soon specialist
    still string such sure take tell than thank thanks that that's the their theirs them then there
    there's these they they're thing things this those though through till to together too tool
    tools toward try under until up upon us use used user using value very via want wanted wants was
    wasn't way we we'd we'll we're we've well were what what's whatever when where where's whether
    which while who who's whole whom whose why will with within without won't would yes yesterday
    yet you you'd you'll you're you've your yours yourself
""")


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802  the library's name


def _stemmer() -> _Stemmer:
    """A new one for each word: it keeps the word it is at in itself, and teams may run in several threads."""
    import snowballstemmer

    stemmer: _Stemmer = snowballstemmer.stemmer("english")
    return stemmer


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of one word in small letters; words with digits stay as they are."""
    if any(char.isdigit() for char in word):
        return word
    return _stemmer().stemWord(word)


def words(text: str) -> Iterator[str]:
    """All words in small letters, names in code split: `checkBalance_now` is check, balance, now."""
    return iter(_words(text))


@lru_cache(maxsize=4_000)
def _words(text: str) -> tuple[str, ...]:
    return tuple(match.group().casefold() for match in _WORD.finditer(_CAMEL.sub(" ", text)))


def without_ids(text: str) -> str:
    """The text without the words that have digits."""
    return _NUMBERED.sub(" ", text)


@lru_cache(maxsize=2_000)
def stems(text: str) -> tuple[str, ...]:
    """The stems of what carries meaning, in order, repetitions kept."""
    found = (word.removesuffix("'s") for word in words(text) if word not in STOP_WORDS)
    return tuple(stem(word) for word in found if len(word) > 1 and word not in STOP_WORDS)


@cache
def _themes() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for theme, members in THEMES.items():
        for word in members.split():
            key = stem(word)
            found[key] = (*found.get(key, ()), f"~{theme}")
    return found


def themes(stemmed: str) -> tuple[str, ...]:
    """The everyday themes that a stem belongs to, as `~money`; they never equal a stem."""
    return _themes().get(stemmed, ())
