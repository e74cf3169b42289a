"""router: one choice, by a model without conversation or by a function, and one agent that answers."""

from __future__ import annotations

from dataclasses import dataclass

from agentctl.engine.crew import Crew, purpose
from agentctl.engine.steps import Call, Decider, Steps
from agentctl.engine.strategies.common import (
    concluded,
    descriptions,
    function_args,
    names,
    next_task,
    run_member,
)
from agentctl.engine.structured import Inquiry, Unfit, found_object, listed_purposes
from agentctl.engine.task import Answer, Task
from agentctl.engine.transcript import opening
from agentctl.errors import ExecutionFailed
from agentctl.jsontypes import JsonObject, as_text, canonical
from agentctl.spec.settings import FunctionRef
from agentctl.spec.strategies import Router
from agentctl.spec.team import Agent

_CHOOSE = (
    "Choose the one agent that is to answer the request. Do not answer it yourself. "
    'Reply with one JSON object: {"agent": its name, "reason": why it is the right one}.\n\nThe agents:'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choice:
    agent: str
    by: Decider
    reason: str


async def router(agent: Agent, options: Router, task: Task, steps: Steps, crew: Crew) -> Answer:
    if options.by is not None:
        choice = await _by_function(agent, options.by, task, steps)
    else:
        choice = await _by_model(agent, options, task, steps, crew)
    if isinstance(choice, ExecutionFailed):
        if options.fallback is None:
            raise choice
        choice = _Choice(agent=options.fallback, by="rule", reason=f"fallback: {choice.message}")
    await steps.decide(
        "choice", chosen=[choice.agent], among=names(agent), by=choice.by, reason=choice.reason
    )
    answer = await run_member(choice.agent, 1, next_task(agent, choice.agent, task, ()), steps)
    return concluded(agent, answer, [answer.by(choice.agent)])


async def _by_model(
    agent: Agent, options: Router, task: Task, steps: Steps, crew: Crew
) -> _Choice | ExecutionFailed:
    told = listed_purposes([(member.name, purpose(member)) for member in agent.agents])
    instructions = f"{agent.instructions}\n\n{_CHOOSE}\n{told}".strip()
    inquiry = Inquiry(
        agent=agent.name,
        steps=steps,
        schema=_schema(names(agent)),
        search_texts=_search_texts(agent, options, crew),
        messages=opening(agent.name, instructions, Task(request=task.request, note=task.note)),
    )
    found = await inquiry.ask("turn-1", lambda text: _read(text, names(agent)), corrections=1)
    if isinstance(found, Unfit):
        return ExecutionFailed(
            f"the model of router '{agent.name}' named none of its agents, asked twice: {found.problem}",
            rule="router-nobody",
            hint="set `fallback`, sharpen the descriptions, or try another model",
        )
    return found


def _search_texts(agent: Agent, options: Router, crew: Crew) -> dict[str, str]:
    """A fallback stands under no name: it lets `offline` name nobody where nothing points to anyone."""
    found = {member.name: crew.search_text(member) for member in agent.agents}
    return found if options.fallback is None else {**found, "": options.fallback}


async def _by_function(
    agent: Agent, function: FunctionRef, task: Task, steps: Steps
) -> _Choice | ExecutionFailed:
    args = function_args(function, task.request, descriptions(agent))
    found = await steps.step(Call(key="turn-1", function="function", args=args))
    if isinstance(found, str) and found in names(agent):
        return _Choice(agent=found, by="function", reason=f"returned by {function.target}")
    return ExecutionFailed(
        f"function '{function.target}' routes for agent '{agent.name}' and returned {canonical(found)}, "
        "which names none of its agents",
        rule="router-nobody",
        hint=f"return one of {', '.join(names(agent))}, or set `fallback`",
    )


def _schema(members: list[str]) -> JsonObject:
    return {
        "type": "object",
        "properties": {
            "agent": {"type": "string", "enum": members},
            "reason": {"type": "string", "description": "Why this agent is the right one, in one sentence."},
        },
        "required": ["agent", "reason"],
        "additionalProperties": False,
    }


def _read(text: str, members: list[str]) -> _Choice | Unfit:
    found = found_object(text)
    if found is None:
        return Unfit(problem="Your reply holds no JSON object. Reply with the JSON object alone.")
    named = found.get("agent")
    if isinstance(named, str) and named in members:
        return _Choice(agent=named, by="model", reason=as_text(found.get("reason")).strip())
    return Unfit(problem=f"`agent` must be one of {', '.join(members)}; it was {canonical(named)}.")
