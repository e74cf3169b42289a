"""The nine strategies, one module each, in one explicit table."""

from __future__ import annotations

from agentctl.engine.crew import Crew
from agentctl.engine.steps import Steps
from agentctl.engine.strategies.handoff import handoff
from agentctl.engine.task import Answer, Task
from agentctl.spec.strategies import Handoff, Strategy
from agentctl.spec.team import Agent


async def run_strategy(agent: Agent, strategy: Strategy, task: Task, steps: Steps, crew: Crew) -> Answer:
    """Runs `agent`'s members as its strategy says."""
    match strategy:
        case Handoff():
            return await handoff(agent, strategy, task, steps, crew)
        case _:
            raise NotImplementedError(strategy.type)
