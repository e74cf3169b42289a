"""A limit in USD counts only what has a price: models without one would spend past it."""

from __future__ import annotations

from collections.abc import Iterator

from agentctl.checks.checked import Checked
from agentctl.diagnostics import Report
from agentctl.spec.asked import is_asked, needs_model
from agentctl.spec.settings import ModelSettings
from agentctl.spec.strategies import PlanExecute
from agentctl.spec.team import Agent

_FREE = ("offline", "script:")


def unknown_price(checked: Checked, report: Report) -> None:
    for agent in checked.team.agents():
        limit = agent.limits.get("cost_usd")
        if limit is None or limit.value == float("inf"):
            continue
        unpriced = sorted({each.id for each in _models(agent) if _is_unpriced(each)})
        if unpriced:
            message = (
                f'`cost_usd` of agent "{agent.name}" cannot count what {_listed(unpriced)} costs: '
                "the price is not known"
            )
            hint = "state it: `model: {id: …, price: {input: 0.15, output: 0.60}}`, in USD per million tokens"
            report.warning("unknown-price", message, limit.span, hint=hint, pointer=limit.pointer)


def _models(agent: Agent) -> Iterator[ModelSettings]:
    """Every model that a call under this agent may go to."""
    for each in agent.walk():
        if each.model is not None and needs_model(each):
            yield each.model
        planner = each.strategy.planner if isinstance(each.strategy, PlanExecute) else None
        if planner is not None and planner.model is not None and is_asked(each):
            yield planner.model


def _is_unpriced(settings: ModelSettings) -> bool:
    if not settings.id or settings.id.startswith(_FREE) or settings.price is not None:
        return False
    from agentctl.models.prices import rates_of

    return rates_of(settings) is None


def _listed(models: list[str]) -> str:
    return " and ".join(f'"{model}"' for model in models)
