"""Members of a swarm that nobody can ever pass to."""

from __future__ import annotations

from agentctl.diagnostics import Report
from agentctl.spec.rules.places import place
from agentctl.spec.strategies import Swarm
from agentctl.spec.team import Agent, Team
from agentctl.spec.transfers import passable


def unreachable(team: Team, report: Report) -> None:
    for agent in team.agents():
        if isinstance(agent.strategy, Swarm) and all(member.name for member in agent.agents):
            reached = _reached(agent, agent.strategy)
            for member in agent.agents:
                if member.name not in reached:
                    message = f'agent "{member.name}" of the swarm can never get control'
                    hint = (
                        f"let someone pass to it: `transitions: {{{agent.agents[0].name}: [{member.name}]}}`"
                    )
                    report.warning(
                        "unreachable-agent", message, place(member), hint=hint, pointer=member.pointer
                    )


def _reached(agent: Agent, swarm: Swarm) -> set[str]:
    reached: set[str] = set()
    waiting = [swarm.start or agent.agents[0].name]
    while waiting:
        name = waiting.pop()
        member = agent.member(name)
        if name in reached or member is None:
            continue
        reached.add(name)
        waiting += (peer.name for peer in passable(agent, swarm, member))
        waiting += (rule.to for rule in swarm.handoff_when if rule.from_ in (None, name))
    return reached
