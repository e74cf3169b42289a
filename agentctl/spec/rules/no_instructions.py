"""An agent that answers by itself and was told nothing is rarely meant."""

from __future__ import annotations

from agentctl.diagnostics import Report
from agentctl.spec.hidden import is_hidden
from agentctl.spec.rules.places import place
from agentctl.spec.team import Team


def no_instructions(team: Team, report: Report) -> None:
    for agent in team.agents():
        told = {"agents", "file", "instructions"} & agent.spans.keys()
        if agent.name and not told and not is_hidden(agent.spans[""], report):
            message = f'agent "{agent.name}" has no instructions'
            hint = "say in `instructions` what it is to do"
            report.warning("no-instructions", message, place(agent), hint=hint, pointer=agent.pointer)
