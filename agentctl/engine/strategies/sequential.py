"""sequential: the members one after another, in the order of the file; the last one's answer stands.

What a stage sees goes by `pass`; a stage with a `context` of its own sees all (`conversation`) or only
the output before it (`task`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from agentctl.engine.crew import Crew
from agentctl.engine.steps import Steps
from agentctl.engine.strategies.common import concluded, run_member
from agentctl.engine.strategies.stop import stops
from agentctl.engine.task import Answer, Said, Task
from agentctl.spec.strategies import Sequential
from agentctl.spec.team import Agent, Context

_BY_CONTEXT: Final[Mapping[Context, str]] = {"conversation": "all", "task": "output"}


async def sequential(agent: Agent, options: Sequential, task: Task, steps: Steps, _crew: Crew) -> Answer:
    said: list[Said] = []
    for place, member in enumerate(agent.agents, start=1):
        given = _stage_task(member, options, task, said)
        answer = await run_member(member.name, 1, given.as_json(), steps)
        said.append(answer.by(member.name))
        is_last = place == len(agent.agents)
        if not is_last and await stops(agent, options.stop_if, f"stage-{place}", task, said, steps):
            break
    return concluded(agent, answer, said)


def _stage_task(member: Agent, options: Sequential, task: Task, said: Sequence[Said]) -> Task:
    shown = _BY_CONTEXT[member.context] if member.context else options.pass_
    if not said:
        return task.shown(member.context or "conversation").for_member(member.name)
    if shown == "output":
        return Task(request=said[-1].text)
    earlier = said[-1:] if shown == "previous" else said
    whole = Task(request=task.request, conversation=(*task.inherited, *earlier))
    return whole.for_member(member.name)
