"""What a run has used against the most that a test allows."""

from __future__ import annotations

from collections.abc import Iterator

from agentctl.journal.summary import RunView, StepView
from agentctl.spec.cases import Most
from agentctl.testing.results import Failure

_STILL = ("timer", "wait")


def judge_most(most: Most, view: RunView, paused: float) -> Iterator[Failure]:
    used: list[tuple[str, float | None, float | None]] = [
        ("model_calls", most.model_calls, sum(each.model_calls for each in view.executions)),
        ("tool_calls", most.tool_calls, sum(each.tool_calls for each in view.executions)),
        ("executions", most.executions, len(view.executions)),
        ("tokens", most.tokens, view.usage.total),
        ("cost_usd", most.cost_usd, view.cost_usd if view.cost_complete else None),
        ("time", most.time, round(view.ms / 1000, 3)),
        ("waiting", most.waiting, round(waited(view) + paused, 3)),
    ]
    for name, allowed, actual in used:
        if allowed is None:
            continue
        if actual is None:
            note = "the price of a model is not known"
            yield Failure(what=f"max.{name}", expected=f"at most {allowed:g}", actual="unknown", note=note)
        elif actual > allowed:
            yield Failure(what=f"max.{name}", expected=f"at most {allowed:g}", actual=actual)


def waited(view: RunView) -> float:
    """Seconds of pauses between attempts of a delegation, as long as they were to be, and of questions."""
    steps = [step for each in view.executions for step in each.steps if step.kind in _STILL]
    return sum(map(_stood, steps))


def _stood(step: StepView) -> float:
    deadline = step.detail.get("deadline")
    if isinstance(deadline, int | float):
        return max(deadline - step.ts, 0.0)
    return (step.ms or 0.0) / 1000
