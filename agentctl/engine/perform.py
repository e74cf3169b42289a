"""What an agent does with its task: its strategy over its members, or its own loop, then the synthesis."""

from __future__ import annotations

from dataclasses import replace

from agentctl.engine.crew import Crew
from agentctl.engine.loop import Loop
from agentctl.engine.steps import Steps
from agentctl.engine.strategies import run_strategy
from agentctl.engine.synthesis import synthesis
from agentctl.engine.task import Answer, Task
from agentctl.spec.strategies import PlanExecute
from agentctl.spec.team import Agent


async def perform(agent: Agent, task: Task, steps: Steps, crew: Crew) -> Answer:
    strategy = agent.strategy
    if strategy is None:
        return await Loop(agent, task, steps, crew).converse()
    answer = await run_strategy(agent, strategy, task, steps, crew)
    if strategy.synthesize and not isinstance(strategy, PlanExecute) and answer.said:
        return replace(await synthesis(agent, task, answer.said, steps), said=answer.said)
    return answer
