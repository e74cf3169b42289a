"""An agent that answers by itself and was told nothing is rarely meant."""

from __future__ import annotations

from agentctl.diagnostics import Report
from agentctl.spec.rules.places import place
from agentctl.spec.team import Team


def no_instructions(team: Team, report: Report) -> None:
    for agent in team.agents():
        if agent.agents or "agents" in agent.spans or "file" in agent.spans or "instructions" in agent.spans:
            continue
        if agent.name and not any(_like(key) for key in agent.spans):
            message = f'agent "{agent.name}" has no instructions'
            hint = "say in `instructions` what it is to do"
            report.warning("no-instructions", message, place(agent), hint=hint, pointer=agent.pointer)


def _like(key: str) -> bool:
    """Whether a misspelt key, which is reported by itself, may be meant for the instructions."""
    return "instruct" in key or "prompt" in key
