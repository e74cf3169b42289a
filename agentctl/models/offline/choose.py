"""Which tools a request calls for, and with which arguments: a turn's calls, or the question to ask back.

A request of several parts gets a call for each part that has evidence of its own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from agentctl.jsontypes import JsonObject, as_list, as_object
from agentctl.models.messages import ModelRequest, ToolCall, ToolSpec
from agentctl.models.offline.fill import fill
from agentctl.models.offline.parts import parts
from agentctl.models.offline.ranking import Fields, Ranked, rank
from agentctl.models.offline.talk import Talk, same_call

_CLEAR: Final = 1.25
_PREFIX: Final = "transfer_to_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """`calls` to make; `missing` is what could not be found for a call, as (tool, parameters)."""

    calls: tuple[ToolCall, ...] = ()
    missing: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A tool that a part of the request points to, and by which words."""

    tool: ToolSpec
    part: str
    shared: tuple[str, ...]
    direct: bool


def choose(request: ModelRequest, talk: Talk) -> Choice:
    """No calls and nothing missing: the request points to nothing."""
    wanted = _wanted(request, talk)
    if not wanted and request.required and request.tools:
        wanted = [Wanted(tool=request.tools[0], part=talk.request, shared=(), direct=False)]
    calls: list[ToolCall] = []
    missing: list[tuple[str, tuple[str, ...]]] = []
    taken = set(talk.call_ids)
    for one in wanted:
        arguments, lacking = _arguments(one, talk)
        if lacking and not request.required:
            missing.append((one.tool.name, lacking))
            continue
        call = ToolCall(id="", name=one.tool.name, arguments=json.dumps(arguments, ensure_ascii=False))
        if same_call(call) in {same_call(made) for made in calls} | talk.made:
            continue
        calls.append(replace(call, id=_new_id(taken)))
    return Choice(calls=tuple(calls), missing=tuple(missing))


def label(tool: ToolSpec) -> str:
    """The agent that a transfer goes to, else the tool's name."""
    return tool.name.removeprefix(_PREFIX) if tool.transfer else tool.name


def fields(tool: ToolSpec) -> Fields:
    properties = as_object(tool.parameters.get("properties"))
    told = [] if tool.transfer else [_told(name, as_object(one)) for name, one in properties.items()]
    return (
        (label(tool), 3.0),
        (tool.description, 2.0),
        ("\n".join(told), 1.0),
        (tool.search_text, 1.0),
    )


def _told(name: str, schema: JsonObject) -> str:
    listed = [str(one) for one in as_list(schema.get("enum"))]
    return " ".join([name, str(schema.get("description", "")), *listed])


def _wanted(request: ModelRequest, talk: Talk) -> list[Wanted]:
    tools = {tool.name: tool for tool in request.tools}
    things = [(tool.name, fields(tool)) for tool in request.tools]
    for text in reversed(talk.requests):
        whole = evident(rank(text, things))
        if not whole:
            continue
        split = [(part, evident(rank(part, things))) for part in parts(text)]
        found = [(part, best) for part, best in split if best is not None]
        if len({best.name for _, best in found}) < 2:
            found = [(text if len(found) != 1 else found[0][0], whole)]
        return _merged([
            Wanted(tool=tools[best.name], part=part, shared=best.shared, direct=best.direct)
            for part, best in found
        ])  # fmt: skip
    return []


def evident(ranked: Sequence[Ranked]) -> Ranked | None:
    """The best, if what speaks for it does not speak for the others as well."""
    if not ranked:
        return None
    best = ranked[0]
    clear = len(ranked) == 1 or best.score >= _CLEAR * ranked[1].score
    return best if best.telling or clear else None


def _merged(wanted: Sequence[Wanted]) -> list[Wanted]:
    """One transfer to each agent, whatever number of parts is meant for it."""
    found: dict[tuple[str, str], Wanted] = {}
    for one in wanted:
        key = (one.tool.name, "" if one.tool.transfer else one.part)
        earlier = found.get(key)
        shared = (*(earlier.shared if earlier else ()), *one.shared)
        part = f"{earlier.part} {one.part}" if earlier else one.part
        found[key] = replace(one, shared=tuple(dict.fromkeys(shared)), part=part)
    return list(found.values())


def _arguments(one: Wanted, talk: Talk) -> tuple[JsonObject, tuple[str, ...]]:
    if not one.tool.transfer:
        found = fill(one.tool.parameters, talk.sources(one.part))
        return found.arguments, found.missing
    required = as_list(one.tool.parameters.get("required"))
    arguments = {"reason": reason(one.shared, one.direct, label(one.tool))}
    return arguments | ({"message": one.part} if "message" in required else {}), ()


def reason(shared: Sequence[str], direct: bool, name: str) -> str:
    if not shared:
        return "nothing in the request points to any"
    listed = ", ".join(f"'{word}'" for word in shared[:5])
    return f"shares {listed} with {name}" if direct else f"{listed} suggests {name}"


def _new_id(taken: set[str]) -> str:
    number = len(taken) + 1
    while f"call_{number}" in taken:
        number += 1
    taken.add(f"call_{number}")
    return f"call_{number}"
