"""What executions and steps have used, as people read it."""

from __future__ import annotations

from collections.abc import Iterable

from agentctl.journal.summary import ExecutionView, StepView, Tokens
from agentctl.jsontypes import Json, as_object
from agentctl.render.amounts import duration, money, tokens
from agentctl.render.story import Act


def used_tokens(acts: Iterable[Act]) -> int:
    return sum(act.input_tokens + act.output_tokens for act in acts)


def cost_words(acts: Iterable[Act]) -> list[str]:
    """What the finished model calls cost; nothing where there was none."""
    models = [act for act in acts if act.kind == "model" and act.state == "done"]
    prices = [act.cost for act in models if act.cost is not None]
    if not models:
        return []
    return [money(sum(prices) if prices else None, complete=len(prices) == len(models))]


def total_words(executions: Iterable[ExecutionView], ms: float) -> str:
    """`1.2 s, 345 tokens, $0.0012` of an execution and those below it."""
    found = list(executions)
    parts = [duration(ms)]
    used = sum((execution.usage for execution in found), Tokens()).total
    if used:
        parts.append(tokens(used))
    asking = [execution for execution in found if execution.model_calls]
    prices = [execution.cost_usd for execution in asking if execution.cost_usd is not None]
    if asking:
        complete = all(execution.cost_complete for execution in asking)
        parts.append(money(sum(prices) if prices else None, complete=complete))
    return ", ".join(parts)


def step_words(step: StepView) -> str:
    """`12 ms, 115 tokens, $0.0004` of one step, as far as it is known."""
    parts = [duration(step.ms)] if step.ms is not None else []
    if step.kind == "model" and step.status == "completed":
        reply = as_object(step.detail.get("out"))
        usage = as_object(reply.get("usage"))
        parts.append(tokens(int(number(usage.get("input_tokens")) + number(usage.get("output_tokens")))))
        cost = reply.get("cost_usd")
        parts.append(money(float(cost) if isinstance(cost, int | float) else None))
    if step.tries > 1:
        parts.append(f"{step.tries} tries")
    return ", ".join(parts)


def number(value: Json) -> float:
    """0 for what is no number."""
    return float(value) if isinstance(value, int | float) else 0.0
