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
            _tell(agent, other, report)


def _tell(agent: Agent, first: Agent, report: Report) -> None:
    """An agent of a file that is included twice is told where it is included."""
    keys: tuple[str, ...] = ("name",)
    hint = "give each agent of the team a name of its own"
    if place(agent) == place(first):
        keys, hint = ("file", "name"), "a file that is included twice needs another `name` beside `file`"
    report.error(
        "duplicate-name",
        f'two agents are named "{agent.name}"',
        place(agent, *keys),
        hint=hint,
        pointer=f"{agent.pointer}/name",
        related=(Related(span=place(first, *keys), message="the first one"),),
    )
