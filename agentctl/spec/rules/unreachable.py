"""Agents that their parent's strategy can never choose or come to."""

from __future__ import annotations

from agentctl.diagnostics import Report
from agentctl.spec.rules.places import listed, place
from agentctl.spec.strategies import PlanExecute, RoundRobin, Swarm
from agentctl.spec.team import Agent, Team
from agentctl.spec.transfers import passable


def unreachable(team: Team, report: Report) -> None:
    for agent in team.agents():
        if not all(member.name for member in agent.agents):
            continue
        match agent.strategy:
            case Swarm() as swarm:
                _check_swarm(agent, swarm, report)
            case RoundRobin(turns=int(turns)) if turns < len(agent.agents):
                never = [member.name for member in agent.agents[turns:]]
                why = f'`turns` of agent "{agent.name}" is {turns}, and {len(agent.agents)} agents take turns'
                _tell(agent, "turns", never, why, "raise `turns`, or take them out", report)
            case PlanExecute(plan=tuple(plan), max_replans=0):
                named = {step.agent for step in plan}
                never = [member.name for member in agent.agents if member.name not in named]
                why = f'no step of the plan of agent "{agent.name}" names it, and `max_replans` is 0'
                _tell(agent, "plan", never, why, "give it a step, or take it out", report)
            case _:
                pass


def _tell(agent: Agent, option: str, never: list[str], why: str, hint: str, report: Report) -> None:
    if never:
        message = f"{listed(never)} can never get control: {why}"
        span, pointer = place(agent, f"strategy.{option}"), f"{agent.pointer}/strategy/{option}"
        report.warning("unreachable-agent", message, span, hint=hint, pointer=pointer)


def _check_swarm(agent: Agent, swarm: Swarm, report: Report) -> None:
    reached = _reached(agent, swarm)
    for member in agent.agents:
        if member.name not in reached:
            message = f'agent "{member.name}" of the swarm can never get control'
            giver = next((each.name for each in agent.agents if each.name in reached), "…")
            hint = f"let someone pass to it: `transitions: {{{giver}: [{member.name}]}}`"
            report.warning("unreachable-agent", message, place(member), hint=hint, pointer=member.pointer)


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
