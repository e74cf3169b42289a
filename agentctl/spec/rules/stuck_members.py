"""Members of a swarm that can never pass control on, where nobody has written that this is meant."""

from __future__ import annotations

from agentctl.diagnostics import Report
from agentctl.spec.rules.places import listed, place
from agentctl.spec.strategies import Swarm
from agentctl.spec.team import Agent, Team


def stuck_members(team: Team, report: Report) -> None:
    for agent in team.agents():
        if isinstance(agent.strategy, Swarm):
            _check(agent, agent.strategy, report)


def _check(agent: Agent, swarm: Swarm, report: Report) -> None:
    """An entry `[]` in the map says that its member is to finish; only the others are asked about."""
    known = swarm.transitions
    rules = {rule.from_ for rule in swarm.handoff_when}
    if known is None or None in rules:
        return
    stuck = [each.name for each in agent.agents if each.name and not {each.name} & (known.keys() | rules)]
    if stuck:
        has = "have no entry" if len(stuck) > 1 else "has no entry"
        message = f"{listed(stuck)} can never pass control on: {has} in `transitions`"
        hint = f"say whom it may pass to, or `{stuck[0]}: []` if it is to finish"
        pointer = f"{agent.pointer}/strategy/transitions"
        report.warning(
            "stuck-agent",
            message,
            place(agent, "strategy.transitions", "strategy"),
            hint=hint,
            pointer=pointer,
        )
