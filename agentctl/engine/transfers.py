"""Transfer tools: how a model passes control to another agent by calling `transfer_to_<agent>`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agentctl.diagnostics import nearest
from agentctl.engine.arguments import parse_arguments
from agentctl.engine.crew import Crew, purpose
from agentctl.engine.steps import Steps
from agentctl.jsontypes import Json, as_text
from agentctl.models.messages import ToolCall, ToolSpec
from agentctl.spec.team import Agent

PREFIX: Final = "transfer_to_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """A transfer call that was read: to whom, why, and with which note. `place` is its place in the turn."""

    call: ToolCall
    place: int
    agent: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A transfer call that cannot be followed, and the words for the model that say why."""

    call: ToolCall
    problem: str


def transfer_tool(agent: Agent, crew: Crew, *, message_required: bool) -> ToolSpec:
    reason: Json = {"type": "string", "description": "Why this agent is the right one."}
    message: Json = {"type": "string", "description": "A note to this agent."}
    return ToolSpec(
        name=PREFIX + agent.name,
        description=f"Transfer to {agent.name}: {purpose(agent)}".rstrip(": "),
        parameters={
            "type": "object",
            "properties": {"reason": reason, "message": message},
            "required": ["message"] if message_required else [],
            "additionalProperties": False,
        },
        search_text=crew.search_text(agent),
        transfer=True,
    )


def is_transfer(call: ToolCall) -> bool:
    return call.name.startswith(PREFIX)


def read_transfer(
    call: ToolCall, place: int, offered: Sequence[ToolSpec], *, message_required: bool
) -> Transfer | Refused:
    """`place` counts from 1 in the turn. Unknown names and unreadable arguments are refused."""
    if call.name not in [spec.name for spec in offered]:
        return Refused(call=call, problem=_unknown(call, offered))
    arguments = parse_arguments(call.arguments)
    if isinstance(arguments, str):
        return Refused(call=call, problem=arguments)
    message = as_text(arguments.get("message")).strip()
    if message_required and not message:
        return Refused(call=call, problem="A transfer needs a `message` that says what is to be done.")
    return Transfer(
        call=call,
        place=place,
        agent=call.name.removeprefix(PREFIX),
        reason=as_text(arguments.get("reason")).strip(),
        message=message,
    )


async def record_refusals(
    refused: Sequence[Refused], calls: Sequence[ToolCall], among: Sequence[str], turn: str, steps: Steps
) -> None:
    """Puts on record, as decisions for nobody, which transfers of a turn were not followed and why."""
    for item in refused:
        await steps.decide(
            f"{turn}/call-{calls.index(item.call) + 1}.{item.call.name}",
            chosen=[],
            among=among,
            by="rule",
            reason=f"tried '{item.call.name}', which was not followed: {item.problem}",
        )


def _unknown(call: ToolCall, offered: Sequence[ToolSpec]) -> str:
    """The agents' names are compared without what all of these tools begin with."""
    agents = [spec.name.removeprefix(PREFIX) for spec in offered]
    near = nearest(call.name.removeprefix(PREFIX), agents)
    meant = f" Did you mean '{PREFIX}{near}'?" if near else ""
    listed = ", ".join(spec.name for spec in offered) or "none"
    return f"There is no tool '{call.name}'.{meant} Your transfer tools are: {listed}."
