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
from agentctl.models.offline.parts import sentences
from agentctl.models.offline.talk import Result, Said, Talk
from agentctl.models.offline.tell import tell
from agentctl.models.offline.words import stems, themes

_FACT: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|can|costs?|takes?|lasts?|opens?|closes?|means|ships?)\b"
)
_ORDER: Final = re.compile(
    r"^(?:you|your|always|never|do|don't|if|when|use|be|reply|answer|write|route|handle|given|act|please)\b"
    r"|\byou(?:'re|r)?\b",
    re.IGNORECASE,
)
_LEFT: Final = "Not dealt with:"
_UNDONE: Final = "Left undone, as asked:"
_NOTE: Final = re.compile(rf'\s*({_LEFT}|{_UNDONE}) "(.*?)"\.(?=\s|$)', re.DOTALL)
_MOST: Final = 3
_SHOWN: Final = 12
_WIDE: Final = 100
_LONGEST: Final = 600


def from_results(results: Sequence[Result], choice: Choice) -> str:
    """Every result stated, in order, what could not be done asked for, and what was not dealt with named."""
    told: list[str] = []
    left, refused = list(choice.left), list(choice.refused)
    for result in results:
        text, theirs, undone = _parted(tell(result))
        told.append(text)
        left += [one for one in theirs if not _is_anothers(one, result, choice)]
        refused += [one for one in undone if one not in refused]
    told += [asked for asked in asks(choice) if asked not in told]
    told += notes(list(dict.fromkeys(left)), refused)
    told = [one for one in told if one]
    between = "\n" if any("\n" in one or len(one) > _LONGEST for one in told) else " "
    return between.join(dict.fromkeys(told))


def notes(left: Sequence[str], refused: Sequence[str]) -> list[str]:
    """What of a request nothing was done about, and why."""
    found = [f"{_UNDONE} {_listed(refused)}."] if refused else []
    return [*found, f"{_LEFT} {_listed(left)}."] if left else found


def _listed(items: Sequence[str]) -> str:
    return " and ".join(f'"{one}"' for one in items)


def _parted(told: str) -> tuple[str, list[str], list[str]]:
    """An answer without its notes, and what they name."""
    found: dict[str, list[str]] = {_LEFT: [], _UNDONE: []}
    for match in _NOTE.finditer(told):
        found[match[1]] += re.split('" and "', match[2])
    return _NOTE.sub("", told).strip(), found[_LEFT], found[_UNDONE]


def _is_anothers(left: str, result: Result, choice: Choice) -> bool:
    """Whether what one agent did not deal with was another's to do."""
    mine = [part for name, part in choice.parts if name == result.call.name]
    return any(left in part for name, part in choice.parts if name != result.call.name) and not (
        len(choice.parts) == 1 and any(left in part for part in mine)
    )


def asks(choice: Choice) -> list[str]:
    """One question for each call that lacks a value."""
    return list(dict.fromkeys(_asked(lack) for lack in choice.lacking))


def _asked(lack: Lack) -> str:
    properties = as_object(lack.tool.parameters.get("properties"))
    names = [_described(name, as_object(properties.get(name))) for name in lack.names]
    told = short(purpose(lack.tool))
    to = f'"{told}"' if told else words_of(label(lack.tool))
    return f"For {to}: which {' and which '.join(names)}?"


def words_of(name: str) -> str:
    """A name in code as words."""
    return name.replace("_", " ").replace(".", " ").strip() or name


def _described(name: str, schema: JsonObject) -> str:
    values = [str(one) for one in as_list(schema.get("enum"))[:_SHOWN]]
    listed = ", ".join(values[:-1]) + (f" or {values[-1]}" if len(values) > 1 else "".join(values))
    told = listed or short(as_text(schema.get("description")))
    return f"{words_of(name)} ({told})" if told else words_of(name)


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
    told = sentences(talk.instructions)
    facts = [one.strip() for one in told if _FACT.search(one) and not _ORDER.search(one.strip())]
    best = max((len(wanted.intersection(stems(one))) for one in facts), default=0)
    return next((one for one in facts if best and len(wanted.intersection(stems(one))) == best), "")


def _extract(talk: Talk, shown: Sequence[Said]) -> str:
    """What the others said: all of it if short, else the sentences nearest to request and instructions."""
    whole = composed(shown)
    if len(whole) <= _LONGEST:
        return whole
    wanted = {*stems(talk.request), *stems(talk.instructions)}
    wanted |= {theme for one in wanted for theme in themes(one)}
    told = list(dict.fromkeys(one.strip() for one in sentences(whole) if one.strip()))
    scored = sorted(range(len(told)), key=lambda number: (-_overlap(told[number], wanted), number))
    return " ".join(told[number] for number in sorted(scored[:_MOST]))


def _overlap(sentence: str, wanted: set[str]) -> float:
    found = set(stems(sentence))
    return len(found & wanted) / (len(found) + 4)


def short(description: str) -> str:
    """The first sentence, bounded, without its full stop."""
    first = sentences(description.strip())[0].rstrip(".")
    return first if len(first) <= _WIDE else f"{first[:_WIDE]}…"


def _quoted(text: str) -> str:
    return f'"{text.strip()}"' if len(text) <= _LONGEST else f'"{text[:_LONGEST]}…"'
