"""The models that some call of a run may go to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentctl.spec.asked import is_asked, needs_model
from agentctl.spec.settings import ModelSettings
from agentctl.spec.strategies import PlanExecute
from agentctl.spec.team import Agent


def asked_models(agents: Iterable[Agent]) -> Iterator[ModelSettings]:
    """Of each agent its own, and that of its planner."""
    for agent in agents:
        if agent.model is not None and needs_model(agent):
            yield agent.model
        planner = agent.strategy.planner if isinstance(agent.strategy, PlanExecute) else None
        if planner is not None and planner.model is not None and is_asked(agent):
            yield planner.model
