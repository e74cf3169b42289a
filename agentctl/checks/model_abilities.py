"""Models that are not made for what their agent asks of them, as far as litellm's list knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agentctl.checks.checked import Checked
from agentctl.diagnostics import Report
from agentctl.spec.asked import has_loop, needs_model
from agentctl.spec.settings import ModelSettings
from agentctl.spec.team import Agent
from agentctl.spec.transfers import offers

_TEXT: Final = (None, "chat", "completion", "responses")


def model_abilities(checked: Checked, report: Report) -> None:
    """Each model once, at the first place that states it."""
    told: set[tuple[str, str]] = set()
    for agent, transfers in offers(checked.team.root):
        if agent.model is None or agent.model.base_url or not needs_model(agent):
            continue
        calls = bool(transfers) or (agent.has_tools and has_loop(agent))
        for code, message, hint in _problems(agent, agent.model, calls=calls):
            if (code, agent.model.id) not in told:
                told.add((code, agent.model.id))
                model = agent.model
                report.warning(code, message, model.span, hint=hint, pointer=model.pointer)


def _problems(agent: Agent, model: ModelSettings, *, calls: bool) -> Iterator[tuple[str, str, str]]:
    from agentctl.models.prices import abilities

    for name in (model.id, *model.fallbacks):
        known = abilities(name)
        if known.mode not in _TEXT:
            message = f'the model "{name}" is listed for "{known.mode}", not for writing text'
            yield "model-kind", message, "name a chat model, such as `openai/gpt-4o-mini`"
        elif calls and known.calls is False:
            message = (
                f'the model "{name}" is not listed as one that calls tools, which agent "{agent.name}" needs'
            )
            yield "model-tools", message, "choose a model that calls tools, or take the tools out"
