"""A strategy and its options in a few words, for drawings of a team."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Final

from agentctl.spec.settings import FunctionRef, ModelSettings
from agentctl.spec.strategies import HandoffRule, PlanStep, Strategy

_APART: Final = frozenset({"plan", "transitions", "handoff_when", "start", "weights"})
"""Options that a drawing shows as edges or beside a member."""


def strategy_words(strategy: Strategy) -> str:
    """`handoff`, or `handoff, final: supervisor`: the name and every option that is not its default."""
    stated = [
        f"{field.name.rstrip('_')}: {_words(value)}"
        for field in fields(strategy)
        if field.name not in _APART and field.default is not MISSING
        if (value := getattr(strategy, field.name)) != field.default
    ]
    return ", ".join([strategy.type, *stated])


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, FunctionRef):
        return value.target
    if isinstance(value, ModelSettings):
        return value.id
    if isinstance(value, Mapping):
        return " ".join(f"{name}={_words(item)}" for name, item in value.items())
    stated = [getattr(value, name) for name in getattr(type(value), "__dataclass_fields__", ())]
    return ", ".join(_words(item) for item in stated if item is not None) if stated else str(value)


def step_words(step: PlanStep) -> str:
    """`step check by billing, after lookup: check the balance`."""
    after = f", after {', '.join(step.depends_on)}" if step.depends_on else ""
    return f"step {step.id} by {step.agent}{after}: {step.task}"


def rule_words(rule: HandoffRule) -> str:
    """`after flights, if flight_status gave 'cancelled': hotels is next`."""
    return f"after {rule.from_ or 'anybody'}, {condition_words(rule)}: {rule.to} is next"


def condition_words(rule: HandoffRule) -> str:
    if rule.text is not None:
        return f"if the answer contains '{rule.text}'"
    if rule.regex is not None:
        return f"if the answer matches '{rule.regex}'"
    return f"if {rule.tool} gave '{rule.contains}'" if rule.contains else f"if {rule.tool} was called"


def share_words(weights: Mapping[str, float], name: str) -> str:
    """`9 of 10`: how often it is drawn, of how many times."""
    return f"{weights.get(name, 0):g} of {sum(weights.values()):g}"
