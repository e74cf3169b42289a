"""The executions of a run as a tree: what happened directly in each, in the order of its start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from agentctl.journal.summary import DecisionView, ExecutionView, RunView, StepView

Part: TypeAlias = StepView | DecisionView | ExecutionView


class RunTree:
    def __init__(self, view: RunView) -> None:
        self._children: dict[str, list[ExecutionView]] = {}
        known = {execution.id for execution in view.executions}
        for execution in view.executions:
            parent = execution.parent if execution.parent in known else ""
            self._children.setdefault(parent, []).append(execution)

    @property
    def roots(self) -> Sequence[ExecutionView]:
        return self._children.get("", ())

    def parts(self, execution: ExecutionView) -> list[Part]:
        """Its steps, its decisions and the executions directly below it."""
        parts: list[Part] = [*execution.steps, *execution.decisions]
        parts += self._children.get(execution.id, ())
        return sorted(parts, key=_began)

    def within(self, execution: ExecutionView) -> Iterator[ExecutionView]:
        """It and all executions below it."""
        yield execution
        for child in self._children.get(execution.id, ()):
            yield from self.within(child)


def _began(part: Part) -> float:
    return part.started if isinstance(part, ExecutionView) else part.ts
