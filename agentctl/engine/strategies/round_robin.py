"""round_robin: turn i goes to member i, over and over, each seeing the conversation so far."""

from __future__ import annotations

from collections import Counter

from agentctl.engine.crew import Crew
from agentctl.engine.steps import Steps
from agentctl.engine.strategies.common import concluded, names, next_task, run_member
from agentctl.engine.strategies.stop import stops
from agentctl.engine.task import Answer, Said, Task
from agentctl.spec.strategies import RoundRobin
from agentctl.spec.team import Agent


async def round_robin(agent: Agent, options: RoundRobin, task: Task, steps: Steps, _crew: Crew) -> Answer:
    members = names(agent)
    turns = options.turns or len(members)
    said: list[Said] = []
    visits: Counter[str] = Counter()
    for turn in range(1, turns + 1):
        chosen = members[(turn - 1) % len(members)]
        reason = f"turn {turn} of {turns}"
        await steps.decide(f"turn-{turn}", chosen=[chosen], among=members, by="rotation", reason=reason)
        visits[chosen] += 1
        answer = await run_member(chosen, visits[chosen], next_task(agent, chosen, task, said), steps)
        said.append(answer.by(chosen))
        if turn < turns and await stops(agent, options.stop_if, f"turn-{turn}", task, said, steps):
            break
    return concluded(agent, answer, said)
