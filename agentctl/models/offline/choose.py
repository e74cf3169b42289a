"""Which tools a request calls for, and with which arguments: a turn's calls, or what is lacking for one.

A request of several parts gets a call for each part that has evidence of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.models.messages import ModelRequest, ToolCall, ToolSpec
from agentctl.models.offline.fill import Filled, fill
from agentctl.models.offline.findings import Kind, findings, with_coin
from agentctl.models.offline.fits import type_of
from agentctl.models.offline.parts import asks_something, clauses, is_story, parts, phrases
from agentctl.models.offline.ranking import Fields, Ranked, evident, rank
from agentctl.models.offline.repeats import Repeated, repeated
from agentctl.models.offline.roles import purpose_of
from agentctl.models.offline.talk import Result, Talk, same_call, stated
from agentctl.models.offline.wishes import heard, known, may_act, serves
from agentctl.models.offline.words import stems, without_ids, words

_PREFIX: Final = "transfer_to_"
_ITSELF: Final = ""
_STATED: Final[frozenset[Kind]] = frozenset(
    (
        "id",
        "email",
        "url",
        "quoted",
        "money",
        "date",
        "moment",
        "handle",
        "percent",
        "unclear day",
        "unclear number",
    )
)
_COUNTED: Final[frozenset[Kind]] = frozenset(("number",))
_REFERS: Final = re.compile(r"\b(?:it|them)\b", re.IGNORECASE)
"""`Don't cancel V-7, move it`: the thing is named where it is said what not to do with it."""
_TIED: Final = 1.25
"""Scores nearer than this factor are a tie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """Required parameters of a tool that no text gives a value for."""

    tool: ToolSpec
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """`calls` to make, what others lack, and the results of calls that were made just so before.

    `left` is what of the request none of them serves, `refused` what it says not to do; `parts` says which
    part of it each tool is to serve.
    """

    calls: tuple[ToolCall, ...] = ()
    lacking: tuple[Lack, ...] = ()
    known: tuple[Result, ...] = ()
    left: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    parts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """A tool that a part of the request points to, and by which words."""

    tool: ToolSpec
    part: str
    shared: tuple[str, ...] = ()
    direct: bool = False


def choose(request: ModelRequest, talk: Talk) -> Choice:
    """An empty choice: the request points to nothing."""
    understood = [heard(text) for text in talk.requests]
    refused = understood[-1].refused if understood else ()
    talk = replace(talk, requests=tuple(one.wanted for one in understood))
    wanted, unserved = _wanted(request, talk)
    if not wanted and request.required:
        wanted = [_Wanted(tool=tool, part=talk.request) for tool in request.tools[:1]]
    lacking: list[Lack] = []
    left = list(unserved)
    calls: dict[tuple[str, str], ToolCall] = {}
    off = " ".join(refused)
    for one in wanted:
        filled, found = _served(one, talk, off)
        names = tuple(dict.fromkeys((*filled.missing, *found.doubt)))
        if names and not request.required:
            lacking.append(Lack(tool=one.tool, names=names))
            continue
        for arguments in found.calls or (filled.arguments,):
            call = ToolCall(id="", name=one.tool.name, arguments=json.dumps(arguments, ensure_ascii=False))
            calls.setdefault(same_call(call), call)
        if one.part in talk.request and not talk.said:
            left += _left(one, found)
    kept = [result for result in talk.past if not result.call.name.startswith(_PREFIX)]
    before = tuple(result for result in kept if same_call(result.call) in calls)
    made = {same_call(result.call) for result in talk.past}
    new = [call for key, call in calls.items() if key not in made]
    served = " ".join(call.arguments for call in calls.values())
    return Choice(
        calls=_numbered(new, talk.call_ids),
        lacking=tuple(lacking),
        known=before,
        left=tuple(dict.fromkeys(one for one in left if one not in served)),
        refused=tuple(one for one in refused if not _is_flag(one, wanted)),
        parts=tuple((one.tool.name, one.part) for one in wanted),
    )


def _served(one: _Wanted, talk: Talk, refused: str) -> tuple[Filled, Repeated]:
    """What a part gives; where it is in doubt, what the tool's own phrases of it give."""
    filled = _filled(one, talk, refused)
    found = _each(one, filled)
    focus = _narrowed(one.part, one.tool) if found.doubt and not one.tool.transfer else one.part
    if focus != one.part:
        closer = replace(one, part=focus)
        nearer = _filled(closer, talk, refused)
        again = _each(closer, nearer)
        if not (nearer.missing or again.doubt):
            offset = one.part.rfind(focus)
            return nearer, replace(again, used=tuple((a + offset, b + offset) for a, b in again.used))
    return filled, found


def _left(one: _Wanted, found: Repeated) -> list[str]:
    """What a part states beside the values of its calls."""
    if one.tool.transfer:
        return []
    said = "\n".join(json.dumps(arguments, ensure_ascii=False) for arguments in found.calls)
    kinds = _STATED | _COUNTED if may_act(one.tool) or _has_number_left(one.tool, found) else _STATED
    return [
        with_coin(finding, one.part)
        for finding in findings(one.part)
        if finding.kind in kinds
        and not any(start < finding.end and finding.start < end for start, end in found.used)
        and json.dumps(finding.value, ensure_ascii=False)[1:-1] not in said
    ]


def _has_number_left(tool: ToolSpec, found: Repeated) -> bool:
    return any(
        type_of(as_object(schema)) in ("integer", "number") and name not in arguments
        for name, schema in as_object(tool.parameters.get("properties")).items()
        for arguments in found.calls
    )


def _is_flag(refused: str, wanted: Sequence[_Wanted]) -> bool:
    """`don't notify anyone`, where a tool has a flag for that: it is off then."""
    return any(
        type_of(as_object(schema)) == "boolean" and set(stems(name)).issubset(stems(refused))
        for one in wanted
        for name, schema in as_object(one.tool.parameters.get("properties")).items()
    )


def label(tool: ToolSpec) -> str:
    """The agent that a transfer goes to, else the tool's name."""
    return tool.name.removeprefix(_PREFIX) if tool.transfer else tool.name


def purpose(tool: ToolSpec) -> str:
    """What a tool, or the agent behind a transfer, is for."""
    return tool.description.removeprefix(f"Transfer to {label(tool)}:").strip()


def reason(best: Ranked | None) -> str:
    """The words that spoke for a choice, for the record of the decision."""
    return _because(best.shared, best.direct, best.name) if best else _because((), False, "")


def _because(shared: Sequence[str], direct: bool, name: str) -> str:
    if not shared:
        return "nothing in the request points to any"
    listed = ", ".join(f"'{word}'" for word in shared[:5])
    return f"shares {listed} with {name}" if direct else f"{listed} suggests {name}"


def _fields(tool: ToolSpec) -> Fields:
    properties = as_object(tool.parameters.get("properties"))
    told = [] if tool.transfer else [_told(name, as_object(one)) for name, one in properties.items()]
    return (
        (label(tool), 3.0),
        (purpose(tool), 2.0),
        ("\n".join(told), 1.0),
        (tool.search_text, 1.0),
    )


def _told(name: str, schema: JsonObject) -> str:
    listed = [str(one) for one in as_list(schema.get("enum"))]
    return " ".join([name, str(schema.get("description", "")), *listed])


def _wanted(request: ModelRequest, talk: Talk) -> tuple[list[_Wanted], list[str]]:
    """What is pointed to, and the parts of the request that ask for something and point to nothing.

    A peer that control was passed to acts on what it was passed for, also where the request was a question.
    """
    tools = {tool.name: tool for tool in _allowed(request, talk)}
    things = [(name, _fields(tool)) for name, tool in tools.items()]
    passed_on = talk.note is not None and any(is_peer(tool) for tool in request.tools)
    if passed_on:
        things.append((_ITSELF, ((request.agent, 3.0), (talk.instructions, 1.0))))
    for text in _asked(request, talk):
        found = _pointed(text, things, {} if passed_on else tools) or _fillable(text, things, tools, talk)
        if found:
            wanted = [
                _Wanted(tool=tools[best.name], part=part, shared=best.shared, direct=best.direct)
                for part, best in found
                if best.name != _ITSELF
            ]
            return _merged(wanted), _unserved(text, found, talk)
    return [], []


def _unserved(text: str, found: Sequence[tuple[str, Ranked]], talk: Talk) -> list[str]:
    """The questions and orders in a text that nothing was found for, and nobody has answered."""
    if text != talk.request or talk.said:
        return []
    return [
        part.strip(" ,;")
        for part in parts(text)
        if asks_something(part)
        and any(True for _ in stems(part))
        and not any(part in taken or taken in part for taken, _ in found)
    ]


def _fillable(
    text: str, things: Sequence[tuple[str, Fields]], tools: Mapping[str, ToolSpec], talk: Talk
) -> list[tuple[str, Ranked]]:
    """Of tools that words alone do not tell apart, the one whose arguments are all there, if it is one."""
    ranked = [one for one in rank(text, things) if one.direct and one.name in tools]
    ranked = [one for one in ranked if serves(tools[one.name], text)]
    near = [one for one in ranked if not tools[one.name].transfer and one.score * _TIED >= ranked[0].score]
    filled = {one.name: fill(tools[one.name].parameters, talk.sources(text)) for one in near}
    whole = [one for one in near if not filled[one.name].missing]
    most = max((len(filled[one.name].arguments) for one in whole), default=0)
    best = [one for one in whole if len(filled[one.name].arguments) == most]
    return [(text, best[0])] if len(best) == 1 else []


def _asked(request: ModelRequest, talk: Talk) -> list[str]:
    """What may point to a tool, the first that does counts: the request now, then what it may refer to."""
    *before, now = talk.requests or ("",)
    found = [now, *reversed(before)] if talk.answering else [now]
    if request.required and talk.prompted:
        found = [*reversed(before), now]
    return [*found, stated(talk.note.text)] if talk.note else found


def is_peer(tool: ToolSpec) -> bool:
    """A peer's transfer demands a message; only where members pass control among themselves is there one."""
    return tool.transfer and "message" in as_list(tool.parameters.get("required"))


def _allowed(request: ModelRequest, talk: Talk) -> list[ToolSpec]:
    """All tools but the transfer back to the peer that has just passed control here."""
    passed = f"{_PREFIX}{talk.note.agent}" if talk.note else ""
    return [tool for tool in request.tools if not (is_peer(tool) and tool.name == passed)]


def _pointed(
    text: str, things: Sequence[tuple[str, Fields]], tools: Mapping[str, ToolSpec]
) -> list[tuple[str, Ranked]]:
    """(part, what it points to), one or more; what only tells the story counts where nothing is asked."""

    def allowed(one: Ranked, part: str) -> bool:
        return one.name not in tools or serves(tools[one.name], part)

    def best_of(part: str) -> Ranked | None:
        ranked = rank(part, things)
        kept = [one for one in ranked if allowed(one, part)]
        best = evident(kept)
        return best if best is None or best is ranked[0] or best.direct else None

    split = [(part, best_of(part)) for part in parts(text)]
    whole = best_of(text) or evident(rank(text, things))
    asked = [(part, best) for part, best in split if best and asks_something(part)]
    found = asked or [(part, best) for part, best in split if best]
    if whole is None:
        return []
    several = _several(text, best_of, things)
    if len({best.name for _, best in several}) > len({best.name for _, best in found}):
        return several
    if asked or len(found) == 1 or not allowed(whole, text):
        return found
    return [(text, whole)]


def _several(
    text: str, best_of: Callable[[str], Ranked | None], things: Sequence[tuple[str, Fields]]
) -> list[tuple[str, Ranked]]:
    """The clauses of a request with what each points to, where every one of them does so by its own words."""
    options: list[list[tuple[str, Ranked]]] = []
    for split in (
        clauses(text),
        [] if is_story(text) or not all(map(_names_a_thing, phrases(text))) else phrases(text),
    ):
        pointed = [(clause, best_of(clause)) for clause in split]
        found = [(clause, best) for clause, best in pointed if best and best.direct and best.telling]
        bare = [clause for clause, _ in pointed if not (asks_something(clause) or stems(without_ids(clause)))]
        if len(found) == len(pointed) > 1 and all(len(rank(clause, things)) == 1 for clause in bare):
            options.append(found)
    return max(options, key=lambda found: len({best.name for _, best in found}), default=[])


def _names_a_thing(phrase: str) -> bool:
    """`price of pro`, `the balance of ACC-1`, `ORD-7`: something asked for, or a value of it."""
    return (
        asks_something(phrase)
        or any(one.kind in _STATED | _COUNTED for one in findings(phrase))
        or "of" in [*words(phrase)][1:]
    )


def _narrowed(part: str, tool: ToolSpec) -> str:
    """The part from the first of its phrases that shares a word with the tool."""
    known = set(stems(f"{tool.name} {tool.description}"))
    start = 0
    for phrase in phrases(part):
        place = part.find(phrase, start)
        if not known.isdisjoint(stems(without_ids(phrase))):
            return part[place:] if place > 0 else part
        start = max(place, start)
    return part


def _merged(wanted: Sequence[_Wanted]) -> list[_Wanted]:
    """One transfer to each agent, whatever number of parts is meant for it; among peers only the first."""
    found: dict[tuple[str, str], _Wanted] = {}
    for one in wanted:
        key = (one.tool.name, "" if one.tool.transfer else one.part)
        earlier = found.get(key)
        shared = (*(earlier.shared if earlier else ()), *one.shared)
        part = f"{earlier.part} {one.part}" if earlier else one.part
        found[key] = replace(one, shared=tuple(dict.fromkeys(shared)), part=part)
    peers = [one for one in found.values() if is_peer(one.tool)]
    return [one for one in found.values() if one not in peers[1:]]


def _filled(one: _Wanted, talk: Talk, refused: str) -> Filled:
    if not one.tool.transfer:
        theirs = _theirs(one.tool, talk)
        own = frozenset(known(one.tool)) if may_act(one.tool) else frozenset[str]()
        named = (refused,) if refused and _REFERS.search(one.part) else ()
        sources = (*talk.sources(one.part), *named)
        return fill(one.tool.parameters, sources, theirs, refused=refused, own=own)
    arguments: dict[str, Json] = {"reason": _because(one.shared, one.direct, label(one.tool))}
    if is_peer(one.tool):
        arguments["message"] = one.part or "Please go on."
    return Filled(arguments=arguments)


def _theirs(tool: ToolSpec, talk: Talk) -> dict[str, Json]:
    """What others wrote, by the parameters that say so: `The notes as the editor wrote them`."""
    found: dict[str, Json] = {}
    for name, schema in as_object(tool.parameters.get("properties")).items():
        one = as_object(schema)
        told = set(words(as_text(one.get("description"))))
        spoken = (said for said in reversed(talk.said) if said.text.strip())
        wrote = next(
            (said for said in spoken if told.issuperset(words(said.agent)) and stated(said.text)), None
        )
        if wrote is not None and purpose_of(name, one).role == "prose":
            found[name] = wrote.text
    return found


def _each(one: _Wanted, filled: Filled) -> Repeated:
    """The arguments of one call, or of several where values stand side by side."""
    if one.tool.transfer or filled.missing:
        return Repeated(calls=(filled.arguments,))
    return repeated(one.tool.parameters, filled, one.part, acts=may_act(one.tool))


def _numbered(calls: Sequence[ToolCall], taken: frozenset[str]) -> tuple[ToolCall, ...]:
    """Ids that are new in the conversation."""
    numbers = (f"call_{number}" for number in range(len(taken) + 1, 2 * len(taken) + len(calls) + 2))
    free = [one for one in numbers if one not in taken]
    return tuple(replace(call, id=one) for call, one in zip(calls, free, strict=False))
