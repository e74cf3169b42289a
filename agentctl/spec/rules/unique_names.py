"""A name means one agent of the whole tree, so that a log line, a limit or a resume names one."""

from __future__ import annotations

from agentctl.diagnostics import Related, Report
from agentctl.spec.rules.places import place
from agentctl.spec.team import Agent, Team


def unique_names(team: Team, report: Report) -> None:
    first: dict[str, Agent] = {}
    for agent in team.agents():
        if not agent.name:
            continue
        other = first.setdefault(agent.name, agent)
        if other is not agent:
            report.error(
                "duplicate-name",
                f'two agents are named "{agent.name}"',
                place(agent),
                hint="give each agent of the team a name of its own",
                pointer=f"{agent.pointer}/name",
                related=(Related(span=place(other), message="the first one"),),
            )
