"""A hand-off whose parent never speaks: a router makes the same choice in one short call."""

from __future__ import annotations

from agentctl.diagnostics import Report
from agentctl.spec.rules.places import place
from agentctl.spec.strategies import Handoff
from agentctl.spec.team import Agent, Team


def handoff_as_router(team: Team, report: Report) -> None:
    for agent in team.agents():
        if isinstance(agent.strategy, Handoff) and _only_chooses(agent, agent.strategy):
            message = f'agent "{agent.name}" only chooses: it must hand on, and has no tools of its own'
            hint = (
                "`strategy: router` chooses in one short call; keep this if a request may need several agents"
            )
            pointer = f"{agent.pointer}/strategy/required"
            report.warning(
                "handoff-as-router", message, place(agent, "strategy.required"), hint=hint, pointer=pointer
            )


def _only_chooses(agent: Agent, handoff: Handoff) -> bool:
    speaks = handoff.final == "supervisor" or handoff.synthesize
    return handoff.required and not speaks and not agent.has_tools and len(agent.agents) > 1
