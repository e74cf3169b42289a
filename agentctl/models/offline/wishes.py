"""What a request wants done, apart from what it says not to do; and whether a tool does what a part orders.

A question about the past, about what would happen or about how a thing is orders nothing that has effects.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agentctl.jsontypes import as_list, as_object, as_text
from agentctl.models.messages import ToolSpec
from agentctl.models.offline.everyday import ACTS, LOOKS, VERBS, word_list
from agentctl.models.offline.fits import type_of
from agentctl.models.offline.parts import FINITE, asks_something, masked, phrases, sentences
from agentctl.models.offline.words import stem, stems, themes, without_ids, words

_BREAK: Final = re.compile(
    r"\s*(?:[;,]\s*)?\b(?:but|and instead|instead|rather)\b\s*,?\s*|\s*;\s*"
    r"|,\s*(?=(?:please\s+)?(?:do not|don't|dont|never)\b)"
    r"|,?\s+and\s+(?=(?:please\s+)?(?:do not|don't|dont|never)\b)|,\s+(?:and\s+)?(?=(?:just\s+"
    r"|only\s+)?[a-z]+\s)",
    re.IGNORECASE,
)
_REFUSED: Final = re.compile(
    r"^(?:and\s+|so\s+|then\s+|also\s+|oh\s+|no,?\s+|stop,?\s+|please,?\s+|i said,?\s+"
    r"|never mind,?\s+|whatever you do,?\s+|for now,?\s+)*"
    r"(?:(?:please\s+)?(?:do\s+not|don't|dont|never|under no circumstances)\s+(?:ever\s+|yet\s+"
    r"|you dare\s+|please\s+)?(?P<verb>\w+)"
    r"|(?:you|we)\s+(?:must\s?n[o']t|mustn't|shall\s?n[o']t|should\s?n[o']t|shouldn't|may not"
    r"|must not|should not)\s+(?P<verb2>\w+)"
    r"|(?:i|we)\s+(?:do\s+not|don't|dont|never|would not|wouldn't)\s+(?:want|wish|like"
    r"|need)\s+(?:you\s+)?to\s+(?P<verb3>\w+)"
    r"|(?:i|we)(?:'d|\s+would)\s+rather\s+(?:you\s+)?(?:did\s*n[o']t|didn't|not)\s+(?P<verb4>\w+)"
    r"|(?:there is\s+|there's\s+)?no\s+(?:need|reason)\s+to\s+(?P<verb5>\w+)"
    r"|not\s+to\s+(?P<verb6>\w+)|no\s+(?P<verb7>\w+)\b|(?:avoid|refrain from)\s+(?P<verb8>\w+ing)\b)",
    re.IGNORECASE,
)
_BACK: Final = r"(?:(?:no|oh|wait|sorry|actually|please|but)\b[\s,]*)*(?:(?:do\s+not|don't|dont)\b[\s!.]*)"
_TAKEN_BACK: Final = re.compile(rf"[-\u2013\u2014,;:]\s*{_BACK}$", re.IGNORECASE)
_WITHDRAWS: Final = re.compile(rf"\s*(?:{_BACK}|no\b[\s!.]*)$", re.IGNORECASE)
"""A sentence that says no more than that the one before it is not to be done."""
_FORGETS: Final = word_list("forget hesitate worry mind know think believe see understand miss fail remember")
_SCOPED: Final = re.compile(
    r"\s*,?\s*\b(?:without|instead of|rather than)\s+(?P<verb>\w+ing)\b.*$", re.IGNORECASE
)
_POLITE: Final = re.compile(
    r"^(?:(?:and|also|then|hi|hello|please|ok)\W+)*(?:(?:can|could|will|would|won't|can't"
    r"|couldn't)\s+(?:you|i|we|somebody|someone|anyone)\b"
    r"|(?:would|do)\s+you\s+mind|(?:are you able|is it possible|may i|might i)\b|why (?:don't|not)\b)",
    re.IGNORECASE,
)
_ENQUIRY: Final = re.compile(
    r"^(?:(?:and|also|then|hi|hello|please|ok|so|but)\W+)*(?:did|has|had|have\s+(?:you|we|i|they"
    r"|my|anyone|somebody|someone)|have\b(?=.*\bbeen\b)|was|were|is|are|am|does|do\s+(?:you|we|i|they)"
    r"|what|what's|whats|which|when"
    r"|where|who|whose|why|how|should|if|suppose|assuming|imagine|hypothetically)\b",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(
    r"\b(?:what (?:would happen|happens)|what if|how (?:do|can|would|could|should) (?:i|we|one|you)\b"
    r"|suppos(?:e|ing)|hypothetically"
    r"|(?:tell|explain|show) (?:me |us )?(?:how|what|why|whether|when)|(?:status|state|history) of"
    r"|know (?:how|if|whether|why|what|when))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """`wanted` is the request without the clauses in `refused`, which say what is not to be done."""

    wanted: str
    refused: tuple[str, ...] = ()


@lru_cache(maxsize=500)
def heard(text: str) -> Heard:
    refused: list[str] = []
    kept: list[str] = []
    for sentence in sentences(text):
        if kept and _WITHDRAWS.match(sentence):
            refused.append(kept.pop().strip(" ,;.!?"))
        elif back := _TAKEN_BACK.search(masked(sentence)):
            refused.append(sentence[: back.start()].strip(" ,;.!"))
        else:
            kept.append("".join(_clauses(sentence, refused)))
    if not refused:
        return Heard(wanted=text)
    return Heard(
        wanted=" ".join(one.strip(" ,;") for one in kept if one.strip(" ,;.!")), refused=tuple(refused)
    )


def _clauses(sentence: str, refused: list[str]) -> list[str]:
    """What stays of a sentence; a clause that follows a refused one by a comma alone shares its refusal."""
    kept: list[str] = []
    hidden = masked(sentence)
    places = [0, *(match.end() for match in _BREAK.finditer(hidden)), len(sentence)]
    starts = [*(match.start() for match in _BREAK.finditer(hidden)), len(sentence)]
    for begin, stop, until in zip(places, starts, places[1:], strict=False):
        clause, joint = sentence[begin:stop], sentence[stop:until]
        if is_refused(clause):
            refused.append(clause.strip(" ,;.!"))
            continue
        scoped = _SCOPED.search(masked(clause))
        if scoped and _does(scoped["verb"]):
            refused.append(clause[scoped.start() :].strip(" ,;.!"))
            clause = clause[: scoped.start()]
        kept += [clause, joint]
    return kept[:-1] if kept else kept


def is_refused(clause: str) -> bool:
    """`Don't pay …`, `no refill`, `I do not want you to …`; not `don't forget to …` or `it is not urgent`."""
    match = _REFUSED.search(masked(clause).strip())
    if match is None:
        return False
    verb = next((one.casefold() for one in match.groups() if one), "")
    if match["verb7"] or clause.rstrip().endswith("?"):
        return _does(verb)
    return (verb not in _FORGETS and verb not in ("have", "be", "get", "work", "you")) or _does(verb)


def _does(word: str) -> bool:
    return stem(word.casefold()) in _doing()


@lru_cache(maxsize=1)
def _doing() -> frozenset[str]:
    return frozenset(stem(verb) for group in ACTS for verb in group)


def orders_nothing(part: str) -> bool:
    """A question that is to be answered and not acted on."""
    text = part.strip()
    if _POLITE.search(text):
        return False
    return _ENQUIRY.search(text) is not None or _ABOUT.search(text) is not None


@lru_cache(maxsize=500)
def _groups(word: str) -> frozenset[int]:
    return frozenset(
        number for number, group in enumerate(ACTS) if stem(word) in {stem(one) for one in group}
    )


def does(tool: ToolSpec) -> frozenset[int]:
    """The groups of acts that a tool's description begins with, else its name; empty where it only tells."""
    if tool.transfer or _computes(tool):
        return frozenset()
    told, named = [*words(tool.description)][:2], [*words(tool.name)]
    base = _base(told[0]) if told and told[1:] != ["of"] else ""
    if base in LOOKS or (base in _HANDS_OVER and named and _base(named[0]) not in VERBS):
        return frozenset()
    if _groups(base):
        return _groups(base)
    if not named or named[-1] in _TELLING or (told and told[0] in _TELLING):
        return frozenset()
    is_noun = bool(told) and named[0] in _NOUNS
    return _groups(named[0]) if (len(named) > 1 or not told) and not is_noun else frozenset()


def _computes(tool: ToolSpec) -> bool:
    """A tool that is given nothing but numbers, such as `add`, works them out."""
    types = [type_of(as_object(one)) for one in as_object(tool.parameters.get("properties")).values()]
    return len(types) > 1 and all(one in ("integer", "number") for one in types)


def _base(word: str) -> str:
    """`cancels` and `applies` without their ending; other words as they stand."""
    options = (word, word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word))
    return next((one for one in options if one in VERBS), word)


def serves(tool: ToolSpec, part: str) -> bool:
    """False where a tool with effects would answer a mere question, or do another act than is ordered.

    Of several phrases those count that share a word with the tool; one without a verb goes with the last.
    """
    acts, own = does(tool), known(tool)
    if may_act(tool) and _only_quoted(own, part):
        return False
    if not acts:
        return not _is_asked_about(tool, part)
    pieces = phrases(part)
    verdicts: list[bool] = []
    pointed, allowed = False, True
    for piece in pieces:
        if asks_something(piece) or FINITE.search(piece) or not verdicts or not pointed:
            allowed = _allows(acts, own, piece)
        pointed = not own.isdisjoint(stems(without_ids(piece)))
        verdicts += [allowed] if pointed else []
    return any(verdicts) if verdicts else _allows(acts, own, part)


def _only_quoted(own: set[str], part: str) -> bool:
    """`Tell them "cancel it"`: where other words order something, those in quotes are said, not ordered."""
    outside = [*stems(without_ids(_MASK.sub(" ", masked(part))))]
    return masked(part) != part and bool(outside) and own.isdisjoint(outside)


def _is_asked_about(tool: ToolSpec, part: str) -> bool:
    """`did you donate …`, `if I donate …`, of a tool to `donate`: in a question, a verb that no list has."""
    if tool.transfer or not orders_nothing(part):
        return False
    mine = {stem(word) for word in (next(words(tool.name), ""), next(words(tool.description), "")) if word}
    return any(stem(one.group(1).casefold()) in mine for one in _DONE_BY.finditer(part)) and not (
        _base(next(words(tool.name), "")) in LOOKS or _base(next(words(tool.description), "")) in LOOKS
    )


def may_act(tool: ToolSpec) -> bool:
    """Whether a tool has effects, or is described by a verb that no list holds."""
    told, named = [*words(tool.description)][:2], [*words(tool.name)]
    alike = bool(told and named) and stem(told[0]) == stem(named[0])
    unheard = alike and told[1:] != ["of"] and _base(told[0]) not in LOOKS and not themes(stem(told[0]))
    return bool(does(tool)) or (unheard and not (tool.transfer or _computes(tool)))


def known(tool: ToolSpec) -> set[str]:
    """The stems of all that a tool is described by."""
    found = {*stems(tool.name), *stems(tool.description)}
    for name, schema in as_object(tool.parameters.get("properties")).items():
        listed = [str(one) for one in as_list(as_object(schema).get("enum"))]
        found |= {
            *stems(name),
            *stems(as_text(as_object(schema).get("description"))),
            *stems(" ".join(listed)),
        }
    return found


def _allows(acts: frozenset[int], own: set[str], part: str) -> bool:
    if orders_nothing(part):
        return False
    ordered = _ordered(part)
    named = _groups(ordered) if ordered else frozenset()
    return not named or bool(named & acts) or stem(ordered) in own


def _ordered(part: str) -> str:
    """The verb that a part begins with, after words of politeness."""
    for word in words(part):
        if word in VERBS:
            return word
        if word not in _COURTESY:
            return ""
    return ""


_MASK: Final = re.compile(r"\bx{2,}\b")
_DONE_BY: Final = re.compile(
    r"\b(?:i|you|we|they|he|she|somebody|been)\s+(?:\w+ly\s+|already\s+|just\s+)?(\w+)", re.I
)
_HANDS_OVER: Final = word_list("send give deliver mail email provide return")
"""What is done with a thing that a tool is named for, such as `payslip`: it is given to who asks about it."""
_NOUNS: Final = word_list(
    """block book change charge claim copy correct draft exchange file hire leave lock mail move note order
    plan post quit record release rent repeat report request reserve return schedule set share ship shut
    start stop suspend transfer update upload wire withdraw"""
)
"""Verbs that are nouns as well: a name that begins with one says by its description which it is."""
_TELLING: Final = word_list(
    "status state info information details detail history result results list price prices hours of "
    "all whether the"
)
_COURTESY: Final = word_list(
    "please can could would will you and also then just kindly hi hello i want need to i'd like we now ok so"
)
