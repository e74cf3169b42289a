"""A limit in USD counts only what has a price: models without one would spend past it."""

from __future__ import annotations

from agentctl.checks.asked_models import asked_models
from agentctl.checks.checked import Checked
from agentctl.diagnostics import Report
from agentctl.spec.settings import ModelSettings

_FREE = ("offline", "script:")


def unknown_price(checked: Checked, report: Report) -> None:
    for agent in checked.team.agents():
        limit = agent.limits.get("cost_usd")
        if limit is None or limit.value == float("inf"):
            continue
        unpriced = sorted({each.id for each in asked_models(agent.walk()) if _is_unpriced(each)})
        if unpriced:
            message = (
                f'`cost_usd` of agent "{agent.name}" cannot count what {_listed(unpriced)} costs: '
                "the price is not known"
            )
            hint = "state it: `model: {id: …, price: {input: 0.15, output: 0.60}}`, in USD per million tokens"
            report.warning("unknown-price", message, limit.span, hint=hint, pointer=limit.pointer)


def _is_unpriced(settings: ModelSettings) -> bool:
    if not settings.id or settings.id.startswith(_FREE) or settings.price is not None:
        return False
    from agentctl.models.prices import rates_of

    return rates_of(settings) is None


def _listed(models: list[str]) -> str:
    return " and ".join(f'"{model}"' for model in models)
