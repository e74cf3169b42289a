"""Agents that a model or a person chooses among, and that nothing is said about."""

from __future__ import annotations

from agentctl.checks.checked import Checked
from agentctl.diagnostics import Report
from agentctl.spec.strategies import Handoff, Manual, PlanExecute, Router, Swarm
from agentctl.spec.team import Agent


def undescribed(checked: Checked, report: Report) -> None:
    for agent in checked.team.agents():
        if _is_chosen_from(agent):
            for member in agent.agents:
                _check(member, report)


def _is_chosen_from(agent: Agent) -> bool:
    return isinstance(agent.strategy, Handoff | Router | Swarm | PlanExecute | Manual)


def _check(member: Agent, report: Report) -> None:
    """A leaf that was told nothing either is told of already."""
    told = not member.agents and not member.instructions
    if member.name and not member.description and not told:
        message = f'agent "{member.name}" has no description to be chosen by'
        hint = "say in `description` what it is for"
        place = member.spans.get("name", member.spans[""])
        report.warning("no-description", message, place, hint=hint, pointer=member.pointer)
