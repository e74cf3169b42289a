"""A strategy needs agents to choose among."""

from __future__ import annotations

from agentctl.diagnostics import Report
from agentctl.spec.rules.places import place
from agentctl.spec.team import Team


def strategy_alone(team: Team, report: Report) -> None:
    for agent in team.agents():
        if "strategy" in agent.spans and "agents" not in agent.spans:
            message = f'agent "{agent.name}" has a `strategy` and no `agents`'
            hint = "add `agents`, or take `strategy` out"
            report.error(
                "no-agents",
                message,
                place(agent, "strategy"),
                hint=hint,
                pointer=f"{agent.pointer}/strategy",
            )
