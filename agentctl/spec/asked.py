"""Which agents' models are asked, and what of an agent they read: the one place that knows it."""

from __future__ import annotations

from typing import assert_never

from agentctl.spec.strategies import (
    Handoff,
    Manual,
    Parallel,
    PlanExecute,
    Random,
    RoundRobin,
    Router,
    Sequential,
    Swarm,
)
from agentctl.spec.team import Agent


def has_loop(agent: Agent) -> bool:
    """Whether the agent runs a loop of its own with its tools. A strategy that could not be read may."""
    return not agent.agents or agent.strategy is None or isinstance(agent.strategy, Handoff)


def is_asked(agent: Agent) -> bool:
    """Whether any call is made in the agent's own name, with its instructions."""
    strategy = agent.strategy
    if has_loop(agent) or strategy is None or strategy.synthesize:
        return True
    match strategy:
        case Router():
            return strategy.by is None
        case PlanExecute():
            return strategy.plan is None
        case Handoff():
            return True
        case Sequential() | Parallel() | Swarm() | RoundRobin() | Random() | Manual():
            return False
        case _:
            assert_never(strategy)


def answers(agent: Agent) -> bool:
    """Whether the agent's own model may write its answer, rather than only choose who does."""
    return has_loop(agent) or agent.strategy is None or agent.strategy.synthesize


def needs_model(agent: Agent) -> bool:
    """Whether a call is made with the agent's own model."""
    if agent.agents and agent.strategy is None:
        return False
    if isinstance(agent.strategy, PlanExecute) and agent.strategy.planner is not None:
        return agent.strategy.planner.model is None and is_asked(agent)
    return is_asked(agent)


def reads_instructions(agent: Agent) -> bool:
    """Whether a call is made with the agent's own instructions."""
    if isinstance(agent.strategy, PlanExecute) and agent.strategy.planner is not None:
        return agent.strategy.planner.instructions is None and is_asked(agent)
    return is_asked(agent)
