"""The nine strategies, one module each, in one explicit table."""

from __future__ import annotations

from typing import assert_never

from agentctl.engine.crew import Crew
from agentctl.engine.steps import Steps
from agentctl.engine.strategies.handoff import handoff
from agentctl.engine.strategies.manual import manual
from agentctl.engine.strategies.parallel import parallel
from agentctl.engine.strategies.plan_execute import plan_execute
from agentctl.engine.strategies.random import random
from agentctl.engine.strategies.round_robin import round_robin
from agentctl.engine.strategies.router import router
from agentctl.engine.strategies.sequential import sequential
from agentctl.engine.strategies.swarm import swarm
from agentctl.engine.task import Answer, Task
from agentctl.spec.strategies import (
    Handoff,
    Manual,
    Parallel,
    PlanExecute,
    Random,
    RoundRobin,
    Router,
    Sequential,
    Strategy,
    Swarm,
)
from agentctl.spec.team import Agent


async def run_strategy(agent: Agent, strategy: Strategy, task: Task, steps: Steps, crew: Crew) -> Answer:
    """Runs `agent`'s members as its strategy says."""
    match strategy:
        case Handoff():
            return await handoff(agent, strategy, task, steps, crew)
        case Router():
            return await router(agent, strategy, task, steps, crew)
        case Sequential():
            return await sequential(agent, strategy, task, steps, crew)
        case Parallel():
            return await parallel(agent, strategy, task, steps, crew)
        case Swarm():
            return await swarm(agent, strategy, task, steps, crew)
        case RoundRobin():
            return await round_robin(agent, strategy, task, steps, crew)
        case Random():
            return await random(agent, strategy, task, steps, crew)
        case PlanExecute():
            return await plan_execute(agent, strategy, task, steps, crew)
        case Manual():
            return await manual(agent, strategy, task, steps, crew)
        case _:
            assert_never(strategy)
