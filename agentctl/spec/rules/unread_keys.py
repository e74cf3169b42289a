"""Keys that are fine by themselves and that the agent's strategy never reads."""

from __future__ import annotations

from collections.abc import Iterator

from agentctl.diagnostics import Report
from agentctl.spec.asked import has_loop, is_asked, reads_instructions
from agentctl.spec.rules.places import place
from agentctl.spec.team import Agent, Team


def unread_keys(team: Team, report: Report) -> None:
    for agent in team.agents():
        if agent.strategy is None:
            continue
        for key, why in _unread(agent):
            message = f'`{key}` of agent "{agent.name}" has no reader: {why}'
            hint = f"take `{key}` out, or choose a strategy that reads it"
            pointer = f"{agent.pointer}/{key}"
            report.warning("unread-key", message, place(agent, key), hint=hint, pointer=pointer)


def _unread(agent: Agent) -> Iterator[tuple[str, str]]:
    strategy = agent.strategy.type if agent.strategy else ""
    if agent.instructions and not reads_instructions(agent):
        asked = is_asked(agent)
        yield (
            "instructions",
            f"strategy {strategy} "
            + ("asks its `planner`, which has its own" if asked else "does not ask its model"),
        )
    if agent.guardrails and not is_asked(agent):
        yield "guardrails", f"strategy {strategy} does not ask its model"
    if agent.has_tools and not has_loop(agent):
        yield "tools", f"strategy {strategy} calls no tools of its own"
