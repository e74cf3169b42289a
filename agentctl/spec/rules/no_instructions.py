"""An agent that answers by itself and was told nothing is rarely meant."""

from __future__ import annotations

from agentctl.diagnostics import Report
from agentctl.spec.hidden import is_hidden
from agentctl.spec.rules.places import place
from agentctl.spec.team import Agent, Team


def no_instructions(team: Team, report: Report) -> None:
    for agent in team.agents():
        if agent.name and _is_told_nothing(agent, report):
            message = f'agent "{agent.name}" has no instructions'
            hint = "say in `instructions` what it is to do"
            span = place(agent, "instructions")
            report.warning("no-instructions", message, span, hint=hint, pointer=agent.pointer)


def _is_told_nothing(agent: Agent, report: Report) -> bool:
    """Instructions that could not be read were told of already."""
    if agent.agents or agent.instructions.strip() or {"agents", "file"} & agent.spans.keys():
        return False
    if "instructions" not in agent.spans:
        return not is_hidden(agent.spans[""], report, whole=not agent.pointer)
    pointer = f"{agent.pointer}/instructions"
    return not any(found.pointer.startswith(pointer) for found in report.found)
