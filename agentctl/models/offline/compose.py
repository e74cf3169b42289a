"""An answer in text where no tool can give it: from results, from what others said, or by extract.

It never writes anything that it was not shown, but for the few words that say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agentctl.jsontypes import JsonObject, as_list, as_object, as_text
from agentctl.models.messages import ToolSpec
from agentctl.models.offline.choose import Choice, Lack, label, purpose
from agentctl.models.offline.talk import Result, Said, Talk
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
_SHOWN: Final = 12
_WIDE: Final = 100
_LONGEST: Final = 600


def from_results(results: Sequence[Result], choice: Choice) -> str:
    """Every result stated, in order, and what could not be done asked for."""
    told = [tell(result) for result in results]
    told += [asked for asked in asks(choice) if asked not in told]
    between = "\n" if any("\n" in one or len(one) > _LONGEST for one in told) else " "
    return between.join(dict.fromkeys(told))


def asks(choice: Choice) -> list[str]:
    """One question for each call that lacks a value."""
    return list(dict.fromkeys(_asked(lack) for lack in choice.lacking))


def _asked(lack: Lack) -> str:
    properties = as_object(lack.tool.parameters.get("properties"))
    names = [_described(name, as_object(properties.get(name))) for name in lack.names]
    return f"Which {' and which '.join(names)} should {lack.tool.name} use?"


def _described(name: str, schema: JsonObject) -> str:
    listed = ", ".join(str(one) for one in as_list(schema.get("enum"))[:_SHOWN])
    told = listed or short(as_text(schema.get("description")))
    return f"{name} ({told})" if told else name


def ask_back(tools: Sequence[ToolSpec], request: str) -> str:
    """The one sentence for a request that points to nothing."""
    names = [_what(tool) for tool in tools[:_SHOWN]]
    if len(tools) > _SHOWN:
        names.append(f"{len(tools) - _SHOWN} more")
    listed = ", ".join(names[:-1]) + (f" or {names[-1]}" if len(names) > 1 else names[-1])
    if not request:
        return f"What can I do for you: {listed}?"
    return f"Which of these is it about: {listed}?" if len(names) > 1 else f"Is it about {listed}?"


def _what(tool: ToolSpec) -> str:
    told = short(purpose(tool))
    return f"{label(tool)} ({told})" if told else label(tool)


def from_words(talk: Talk) -> str:
    """An answer without tools: the others' answers, a fact of the instructions, or what was asked."""
    if not talk.request and not talk.said:
        return "What can I do for you?"
    shown = [said for said in talk.said if said.text.strip() not in ("", talk.request.strip())]
    fact = _facts(talk)
    if fact:
        return fact
    if shown:
        return _extract(talk, shown)
    return (
        f"The request was: {_quoted(talk.request)}. No language model was asked, so there is nothing to add."
    )


def composed(said: Sequence[Said]) -> str:
    """Several agents' answers as one, in order, each said once, without verdicts in one word."""
    told = list(dict.fromkeys(one.text.strip() for one in said if one.text.strip()))
    return "\n".join([one for one in told if " " in one] or told)


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


def short(description: str) -> str:
    """The first sentence, bounded, without its full stop."""
    first = _SENTENCE.split(description.strip())[0].rstrip(".")
    return first if len(first) <= _WIDE else f"{first[:_WIDE]}…"


def _quoted(text: str) -> str:
    return f'"{text.strip()}"' if len(text) <= _LONGEST else f'"{text[:_LONGEST]}…"'
