"""Which tools a request calls for, and with which arguments: a turn's calls, or what is lacking for one.

A request of several parts gets a call for each part that has evidence of its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.models.messages import ModelRequest, ToolCall, ToolSpec
from agentctl.models.offline.fill import Filled, fanned, fill
from agentctl.models.offline.parts import asks_something, clauses, parts
from agentctl.models.offline.ranking import Fields, Ranked, evident, rank
from agentctl.models.offline.roles import purpose_of
from agentctl.models.offline.talk import Result, Talk, same_call
from agentctl.models.offline.words import words

_PREFIX: Final = "transfer_to_"
_ITSELF: Final = ""
_TIED: Final = 1.25
"""Scores nearer than this factor are a tie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """Required parameters of a tool that no text gives a value for."""

    tool: ToolSpec
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """`calls` to make, what others lack, and the results of calls that were made just so before."""

    calls: tuple[ToolCall, ...] = ()
    lacking: tuple[Lack, ...] = ()
    known: tuple[Result, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """A tool that a part of the request points to, and by which words."""

    tool: ToolSpec
    part: str
    shared: tuple[str, ...] = ()
    direct: bool = False


def choose(request: ModelRequest, talk: Talk) -> Choice:
    """An empty choice: the request points to nothing."""
    wanted = _wanted(request, talk)
    if not wanted and request.required:
        wanted = [_Wanted(tool=tool, part=talk.request) for tool in request.tools[:1]]
    lacking: list[Lack] = []
    calls: dict[tuple[str, str], ToolCall] = {}
    for one in wanted:
        filled = _filled(one, talk)
        if filled.missing and not request.required:
            lacking.append(Lack(tool=one.tool, names=filled.missing))
            continue
        for arguments in _each(one, filled):
            call = ToolCall(id="", name=one.tool.name, arguments=json.dumps(arguments, ensure_ascii=False))
            calls.setdefault(same_call(call), call)
    kept = [result for result in talk.past if not result.call.name.startswith(_PREFIX)]
    known = tuple(result for result in kept if same_call(result.call) in calls)
    made = {same_call(result.call) for result in talk.past}
    new = [call for key, call in calls.items() if key not in made]
    return Choice(calls=_numbered(new, talk.call_ids), lacking=tuple(lacking), known=known)


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


def _wanted(request: ModelRequest, talk: Talk) -> list[_Wanted]:
    tools = {tool.name: tool for tool in _allowed(request, talk)}
    things = [(name, _fields(tool)) for name, tool in tools.items()]
    if talk.note and any(is_peer(tool) for tool in request.tools):
        things.append((_ITSELF, ((request.agent, 3.0), (talk.instructions, 1.0))))
    for text in _asked(request, talk):
        found = _pointed(text, things) or _fillable(text, things, tools, talk)
        if found:
            wanted = [
                _Wanted(tool=tools[best.name], part=part, shared=best.shared, direct=best.direct)
                for part, best in found
                if best.name != _ITSELF
            ]
            return _merged(wanted)
    return []


def _fillable(
    text: str, things: Sequence[tuple[str, Fields]], tools: Mapping[str, ToolSpec], talk: Talk
) -> list[tuple[str, Ranked]]:
    """Of tools that words alone do not tell apart, the one whose arguments are all there, if it is one."""
    ranked = [one for one in rank(text, things) if one.direct and one.name in tools]
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
    return [*found, talk.note.text] if talk.note else found


def is_peer(tool: ToolSpec) -> bool:
    """A peer's transfer demands a message; only where members pass control among themselves is there one."""
    return tool.transfer and "message" in as_list(tool.parameters.get("required"))


def _allowed(request: ModelRequest, talk: Talk) -> list[ToolSpec]:
    """All tools but the transfer back to the peer that has just passed control here."""
    passed = f"{_PREFIX}{talk.note.agent}" if talk.note else ""
    return [tool for tool in request.tools if not (is_peer(tool) and tool.name == passed)]


def _pointed(text: str, things: Sequence[tuple[str, Fields]]) -> list[tuple[str, Ranked]]:
    """(part, what it points to), one or more; what only tells the story counts where nothing is asked."""
    whole = evident(rank(text, things))
    if whole is None:
        return []
    split = [(part, evident(rank(part, things))) for part in parts(text)]
    asked = [(part, best) for part, best in split if best and asks_something(part)]
    found = asked or [(part, best) for part, best in split if best]
    several = _several(text, things)
    if len({best.name for _, best in several}) > len({best.name for _, best in found}):
        return several
    if not asked and len(found) > 1:
        return [(text, whole)]
    return found or [(text, whole)]


def _several(text: str, things: Sequence[tuple[str, Fields]]) -> list[tuple[str, Ranked]]:
    """The clauses of a request with what each points to, where every one of them does so by its own words."""
    split = [(clause, evident(rank(clause, things))) for clause in clauses(text)]
    found = [(clause, best) for clause, best in split if best and best.direct and best.telling]
    return found if len(found) == len(split) > 1 else []


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


def _filled(one: _Wanted, talk: Talk) -> Filled:
    if not one.tool.transfer:
        return fill(one.tool.parameters, talk.sources(one.part), _theirs(one.tool, talk))
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
        wrote = next((said for said in spoken if told.issuperset(words(said.agent))), None)
        if wrote is not None and purpose_of(name, one).role == "prose":
            found[name] = wrote.text
    return found


def _each(one: _Wanted, filled: Filled) -> list[JsonObject]:
    """The arguments of one call, or of several where a list of values stands for one parameter."""
    if one.tool.transfer or filled.missing:
        return [filled.arguments]
    return fanned(one.tool.parameters, filled.arguments, one.part)


def _numbered(calls: Sequence[ToolCall], taken: frozenset[str]) -> tuple[ToolCall, ...]:
    """Ids that are new in the conversation."""
    numbers = (f"call_{number}" for number in range(len(taken) + 1, 2 * len(taken) + len(calls) + 2))
    free = [one for one in numbers if one not in taken]
    return tuple(replace(call, id=one) for call, one in zip(calls, free, strict=False))
