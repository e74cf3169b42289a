"""An agent that answers by itself and was told nothing is rarely meant."""

from __future__ import annotations

from agentctl.diagnostics import Report
from agentctl.spec.rules.places import place
from agentctl.spec.team import Team


def no_instructions(team: Team, report: Report) -> None:
    for agent in team.agents():
        if agent.name and not {"agents", "file", "instructions"} & agent.spans.keys():
            message = f'agent "{agent.name}" has no instructions'
            hint = "say in `instructions` what it is to do"
            report.warning("no-instructions", message, place(agent), hint=hint, pointer=agent.pointer)
