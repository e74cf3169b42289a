"""What every strategy does the same way: a member's task, its delegation, a limit that is reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal, TypeAlias

from agentctl.engine.steps import Delegation, Steps
from agentctl.engine.task import Answer, Said, Task, forwarded
from agentctl.errors import LimitReached
from agentctl.jsontypes import Json, JsonObject
from agentctl.spec.settings import FunctionRef
from agentctl.spec.team import Agent, Context

Bound: TypeAlias = Literal["max_handoffs", "max_steps", "max_replans"]

_OPTIONS: Final[Mapping[Bound, str]] = {"max_handoffs": "--max-handoffs", "max_steps": "--max-steps"}
"""How a resume raises a bound. A planner is told of its `max_replans`, so another one asks it something else,
which takes an edited team."""


def member_task(
    parent: Agent,
    name: str,
    *,
    default: Context,
    request: str,
    conversation: Sequence[Said] = (),
    note: Said | None = None,
) -> JsonObject:
    """The task of a direct sub-agent, reduced to what its `context` (or the strategy's default) shows."""
    member = parent.member(name)
    context = member.context if member and member.context else default
    task = Task(request=request, conversation=tuple(conversation), note=note)
    return task.for_member(name).shown(context).as_json()


def next_task(
    parent: Agent,
    name: str,
    task: Task,
    said: Sequence[Said],
    *,
    note: Said | None = None,
    peers: Sequence[str] = (),
) -> JsonObject:
    """The task of the member that is next in the parent's conversation, in which `said` was said so far.

    The first to speak is given the parent's own note; after that it is a part of the conversation.
    """
    if said or note:
        conversation = (*task.inherited, *said)
    else:
        conversation, note = task.conversation, task.note
    shown = member_task(
        parent, name, default="conversation", request=task.request, conversation=conversation, note=note
    )
    return {**shown, "peers": list(peers)}


async def run_member(name: str, visit: int, task: JsonObject, steps: Steps) -> Answer:
    """The answer of a direct sub-agent; `visit` counts from 1. Raises what ended it."""
    delegation = Delegation(key=f"{name}.{visit}", agent=name, task=task)
    return Answer.from_json(await steps.delegate(delegation))


def concluded(parent: Agent, answer: Answer, said: Sequence[Said]) -> Answer:
    """The last member's answer as that of `parent`, with everything that was said on the way."""
    spoken = [one for one in said if one.text.strip()]
    return replace(forwarded(parent.name, answer), said=tuple(spoken))


def listed(parts: Sequence[tuple[str, str]]) -> str:
    """Several answers in one text, each under its heading."""
    return "\n\n".join(f"## {heading}\n\n{text}" for heading, text in parts)


def names(agent: Agent) -> list[str]:
    return [member.name for member in agent.agents]


def descriptions(agent: Agent) -> dict[str, Json]:
    """`{name: description}`, the form in which functions of a team file are given agents."""
    return {member.name: member.description for member in agent.agents}


def transcript(task: Task, said: Sequence[Said]) -> list[Json]:
    """The conversation as a list of `{agent, text}`, the request first, as functions are given it."""
    spoken = [one for one in (*task.inherited, *said) if one.text.strip()]
    return [
        {"agent": "user", "text": task.request},
        *({"agent": one.agent, "text": one.text} for one in spoken),
    ]


def function_args(function: FunctionRef, *arguments: Json) -> JsonObject:
    """The args of a step that calls a function of the team file."""
    return {"function": function.target, "folder": str(function.folder), "arguments": list(arguments)}


def limit_reached(
    agent: Agent, limit: Bound, allowed: int, what: str, answer: str = "", *, needs: int = 0
) -> LimitReached:
    """A bound of a strategy that ends the run, with the place in the file where it is set.

    `what` is counted, such as `hand-off`; `needs` is how much would be enough for now, if that is known.
    """
    span = agent.spans.get("strategy")
    place = f"{limit}, {span.path}:{span.line}:{span.column}" if span else limit
    more = f"{_OPTIONS[limit]} {max(2 * allowed, needs, 1)}" if limit in _OPTIONS else ""
    way = f"go on with {more}" if more else f"raise `{limit}` of its strategy and go on with --with"
    return LimitReached(
        f"agent '{agent.name}' reached its limit of {allowed} {what}{'' if allowed == 1 else 's'} ({place})",
        limit=limit,
        answer=answer or None,
        agent=agent.name,
        hint=f"{way}, or say in the instructions when to stop",
        more=more,
    )
