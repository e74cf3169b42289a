"""Where a model chooses among sub-agents, and so must be able to tell them apart."""

from __future__ import annotations

from agentctl.spec.strategies import Handoff, PlanExecute, Router, Swarm
from agentctl.spec.team import Agent


def routed(agent: Agent) -> bool:
    """Whether a model, not the file, code or a person, chooses among the agent's sub-agents."""
    match agent.strategy:
        case Router(by=by):
            return by is None
        case PlanExecute(plan=plan, max_replans=replans):
            return plan is None or replans > 0
        case Handoff() | Swarm():
            return True
        case _:
            return False
