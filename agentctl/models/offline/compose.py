"""An answer in text where no tool can give it: from results, from what others said, or by extract.

It never writes anything that it was not shown, but for the few words that say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agentctl.models.messages import ToolSpec
from agentctl.models.offline.choose import Choice, label
from agentctl.models.offline.talk import Said, Talk
from agentctl.models.offline.tell import tell
from agentctl.models.offline.words import stems, themes

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_FACT: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|can|costs?|takes?|lasts?|opens?|closes?|means|ships?)\b"
)
_ORDER: Final = re.compile(
    r"^(?:you|your|always|never|do|don't|if|when|use|be|reply|answer|write|route|handle|given|act|please)\b"
    r"|\byou(?:'re|r)?\b",
    re.IGNORECASE,
)
_MOST: Final = 3
_LONGEST: Final = 600


def from_results(talk: Talk, choice: Choice) -> str:
    """Every result stated, in order, and what could not be done asked for."""
    told = [tell(result) for result in talk.results]
    return " ".join(dict.fromkeys([*told, *asks(choice)])) if told else ""


def asks(choice: Choice) -> list[str]:
    """One question a call that lacks a value."""
    found: list[str] = []
    for tool, names in choice.missing:
        listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
        found.append(f"Which {listed}? {tool} needs it, and the request does not say.")
    return found


def ask_back(tools: Sequence[ToolSpec], request: str) -> str:
    """The one sentence for a request that points to nothing."""
    names = [
        f"{label(tool)} ({_short(tool.description)})" if tool.description else label(tool) for tool in tools
    ]
    listed = "; ".join(names)
    if not request:
        return f"What can I do for you? There is: {listed}."
    return f"I cannot tell what is meant; there is: {listed}. Which of these is it about?"


def from_words(talk: Talk) -> str:
    """An answer without tools: the others' answers, a fact of the instructions, or what was asked."""
    if not talk.request and not talk.said:
        return "What can I do for you?"
    shown = [said for said in talk.said if said.text.strip()]
    fact = _facts(talk)
    if fact:
        return fact
    if shown:
        return _extract(talk, shown)
    return (
        f"The request was: {_quoted(talk.request)}. No language model was asked, so there is nothing to add."
    )


def composed(said: Sequence[Said]) -> str:
    """Several agents' answers as one, in order, each said once."""
    return "\n".join(dict.fromkeys(one.text.strip() for one in said if one.text.strip()))


def _facts(talk: Talk) -> str:
    """Sentences of the instructions that state something and share the request's words."""
    wanted = set(stems(talk.request))
    sentences = _SENTENCE.split(talk.instructions)
    facts = [one.strip() for one in sentences if _FACT.search(one) and not _ORDER.search(one.strip())]
    best = max((len(wanted.intersection(stems(one))) for one in facts), default=0)
    return next((one for one in facts if best and len(wanted.intersection(stems(one))) == best), "")


def _extract(talk: Talk, shown: Sequence[Said]) -> str:
    """What the others said: all of it if short, else the sentences nearest to request and instructions."""
    whole = composed(shown)
    if len(whole) <= _LONGEST:
        return whole
    wanted = {*stems(talk.request), *stems(talk.instructions)}
    wanted |= {theme for one in wanted for theme in themes(one)}
    sentences = list(dict.fromkeys(one.strip() for one in _SENTENCE.split(whole) if one.strip()))
    scored = sorted(range(len(sentences)), key=lambda number: (-_overlap(sentences[number], wanted), number))
    return " ".join(sentences[number] for number in sorted(scored[:_MOST]))


def _overlap(sentence: str, wanted: set[str]) -> float:
    found = set(stems(sentence))
    return len(found & wanted) / (len(found) + 4)


def _short(description: str) -> str:
    first = _SENTENCE.split(description.strip())[0].rstrip(".")
    return first if len(first) <= 100 else f"{first[:100]}…"


def _quoted(text: str) -> str:
    return f'"{text.strip()}"' if len(text) <= _LONGEST else f'"{text[:_LONGEST]}…"'
