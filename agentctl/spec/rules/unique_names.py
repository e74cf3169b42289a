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
    """An agent of a file that is included twice, or of an alias, is told where it stands again."""
    keys: tuple[str, ...] = ("name",)
    hint = "give each agent of the team a name of its own"
    where = place(agent, *keys)
    if where == place(first) and agent.spans[""] != first.spans[""]:
        where = agent.spans[""]
        hint = "an alias repeats all of an agent: write `<<: *alias` with a `name` of its own"
    elif where == place(first):
        keys, hint = ("file", "name"), "a file that is included twice needs another `name` beside `file`"
        where = place(agent, *keys)
    report.error(
        "duplicate-name",
        f'two agents are named "{agent.name}"',
        where,
        hint=hint,
        pointer=f"{agent.pointer}/name",
        related=(Related(span=place(first, *keys), message="the first one"),),
    )
