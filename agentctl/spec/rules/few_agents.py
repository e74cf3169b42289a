"""Strategies that choose, order or compare have nothing to do with a single agent."""

from __future__ import annotations

from typing import Final

from agentctl.diagnostics import Report
from agentctl.spec.rules.places import place
from agentctl.spec.strategies import Parallel, Random, RoundRobin, Router, Sequential, Swarm
from agentctl.spec.team import Team

_WITH_SEVERAL: Final = (Router, Sequential, Parallel, Swarm, RoundRobin, Random)


def few_agents(team: Team, report: Report) -> None:
    for agent in team.agents():
        if len(agent.agents) == 1 and isinstance(agent.strategy, _WITH_SEVERAL):
            message = f'strategy {agent.strategy.type} of agent "{agent.name}" has a single sub-agent'
            hint = "add another agent, or let the one stand alone"
            pointer = f"{agent.pointer}/strategy"
            report.warning("few-agents", message, place(agent, "strategy"), hint=hint, pointer=pointer)
