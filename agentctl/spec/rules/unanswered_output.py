"""`output` of an agent whose answer is always written by somebody else would shape nothing."""

from __future__ import annotations

from agentctl.diagnostics import Report
from agentctl.spec.asked import answers
from agentctl.spec.rules.places import place
from agentctl.spec.team import Agent, Team


def unanswered_output(team: Team, report: Report) -> None:
    for agent in team.agents():
        if agent.output is not None and not answers(agent):
            _shapes_nothing(agent, report)
        if "output_retries" in agent.spans and "output" not in agent.spans:
            message = f'`output_retries` of agent "{agent.name}" has no reader: it has no `output`'
            hint = "take `output_retries` out, or say the shape of the answer with `output`"
            span, pointer = place(agent, "output_retries"), f"{agent.pointer}/output_retries"
            report.warning("unread-key", message, span, hint=hint, pointer=pointer)


def _shapes_nothing(agent: Agent, report: Report) -> None:
    strategy = agent.strategy.type if agent.strategy else ""
    message = (
        f'`output` of agent "{agent.name}" shapes nothing: with strategy {strategy} its model '
        "writes no answer"
    )
    hint = "add `synthesize: true` to the strategy, or give the `output` to its sub-agents"
    report.error(
        "output-unread", message, place(agent, "output"), hint=hint, pointer=f"{agent.pointer}/output"
    )
