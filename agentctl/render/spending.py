"""What executions, steps and the run have used, as people read it: in words and in columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agentctl.journal.summary import ExecutionView, StepView, Tokens
from agentctl.jsontypes import as_object, as_whole
from agentctl.render.amounts import duration, money, short_number, tokens
from agentctl.render.story import Act


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """`ms` is None while it is not known; `asked`: a model was, so that there is a price to tell."""

    ms: float | None
    tokens: int = 0
    asked: bool = False
    cost_usd: float | None = None
    complete: bool = True

    def words(self) -> str:
        """`1.2 s, 345 tokens, $0.0012`, as far as it is known."""
        parts = [duration(self.ms)] if self.ms is not None else []
        parts += [tokens(self.tokens)] if self.tokens else []
        parts += [money(self.cost_usd, complete=self.complete)] if self.asked else []
        return ", ".join(parts)

    def columns(self) -> tuple[str, str, str]:
        """Time, tokens and cost, each empty where there is none."""
        return (
            duration(self.ms) if self.ms is not None else "",
            short_number(self.tokens) if self.tokens else "",
            self._price() if self.asked else "",
        )

    def _price(self) -> str:
        if self.cost_usd is None or (self.cost_usd == 0 and not self.complete):
            return "unknown"
        return money(self.cost_usd) if self.complete else f"≥ {money(self.cost_usd)}"


def used_tokens(acts: Iterable[Act]) -> int:
    return sum(act.input_tokens + act.output_tokens for act in acts)


def cost_words(acts: Iterable[Act]) -> list[str]:
    """What the finished model calls cost; nothing where there was none."""
    models = [act for act in acts if act.kind == "model" and act.state == "done"]
    prices = [act.cost for act in models if act.cost is not None]
    if not models:
        return []
    return [money(sum(prices) if prices else None, complete=len(prices) == len(models))]


def spent_within(executions: Iterable[ExecutionView], ms: float) -> Spent:
    """What an execution and those below it used, in the time that it took."""
    found = list(executions)
    asking = [execution for execution in found if execution.model_calls]
    prices = [execution.cost_usd for execution in asking if execution.cost_usd is not None]
    return Spent(
        ms=ms,
        tokens=sum((execution.usage for execution in found), Tokens()).total,
        asked=bool(asking),
        cost_usd=sum(prices) if prices else None,
        complete=all(execution.cost_complete for execution in asking),
    )


def spent_by(step: StepView) -> Spent:
    """What one step used."""
    if step.kind != "model" or step.status != "completed":
        return Spent(ms=step.ms)
    reply = as_object(step.detail.get("out"))
    usage = as_object(reply.get("usage"))
    cost = reply.get("cost_usd")
    return Spent(
        ms=step.ms,
        tokens=as_whole(usage.get("input_tokens")) + as_whole(usage.get("output_tokens")),
        asked=True,
        cost_usd=float(cost) if isinstance(cost, int | float) else None,
    )


def lasted(step: StepView, execution: ExecutionView) -> float:
    """The ms of a step of that execution; of one that has not come back, until the newest record."""
    return step.ms if step.ms is not None else max(execution.at + execution.ms - step.at, 0.0)
