"""Limits that count a loop or calls which their agent never makes, and keys that only a parent reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from agentctl.diagnostics import Report
from agentctl.spec.asked import has_loop, is_asked
from agentctl.spec.rules.places import place
from agentctl.spec.team import Agent, Team

LoopLimit: TypeAlias = Literal["turns", "tool_calls"]


def unread_limits(team: Team, report: Report) -> None:
    for agent in team.agents():
        for name, why in _unread(agent):
            limit = agent.limits[name]
            message = f'`limits.{name}` of agent "{agent.name}" has no reader: {why}'
            hint = f"take it out, or give `{name}` to the agents that it is meant for"
            report.warning("unread-key", message, limit.span, hint=hint, pointer=limit.pointer)


def unread_at_root(team: Team, report: Report) -> None:
    stated = {"context": team.root.context, "retry": team.root.retry}
    for key, value in stated.items():
        if value is not None:
            message = f'`{key}` of agent "{team.root.name}" has no reader: nobody delegates to the root'
            hint = f"take `{key}` out, or give it to a sub-agent"
            report.warning("unread-key", message, place(team.root, key), hint=hint, pointer=f"/{key}")


def _unread(agent: Agent) -> Iterator[tuple[LoopLimit, str]]:
    if agent.strategy is None:
        return
    strategy = agent.strategy.type
    if "turns" in agent.limits and not is_asked(agent):
        yield "turns", f"strategy {strategy} does not ask its model"
    if "tool_calls" in agent.limits and not has_loop(agent):
        yield "tool_calls", f"strategy {strategy} calls no tools of its own"
