"""Whoever is asked needs a model: its own, or that of an agent above."""

from __future__ import annotations

from agentctl.diagnostics import Report
from agentctl.spec.asked import needs_model
from agentctl.spec.hidden import is_hidden
from agentctl.spec.rules.places import listed, place
from agentctl.spec.team import Team


def no_model(team: Team, report: Report) -> None:
    """One cause, one diagnostic: where several agents have none, the model of the root is what is missing."""
    without = [agent for agent in team.agents() if agent.model is None and needs_model(agent)]
    if not without or is_hidden(team.root.spans[""], report, whole=True):
        return
    if len(without) == 1:
        agent = without[0]
        hint = (
            "add `model:` to it or to an agent above, such as `model: openai/gpt-4o-mini` or `model: offline`"
        )
        called = f'agent "{agent.name}"' if agent.name else "the agent"
        message = f"{called} needs a model and has none"
    else:
        agent = team.root
        hint = "add `model:` here for all of them, such as `model: openai/gpt-4o-mini` or `model: offline`"
        named = [each.name for each in without if each.name]
        whom = f"agents {listed(named)}" if len(named) == len(without) else f"{len(without)} agents"
        message = f"{whom} need a model and have none"
    report.error("no-model", message, place(agent), hint=hint, pointer=agent.pointer)
