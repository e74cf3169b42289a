"""What earlier processes worked and spent, from their records; waits do not count as work.

Everything that was paid is spent, whatever became of it: an attempt that was given up and a reply that a
revision superseded draw on the wallet like any other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from agentctl.journal.records import Record
from agentctl.jsontypes import Json, as_object
from agentctl.models.messages import Usage


@dataclass(slots=True)
class Purse:
    """What an execution, with everything below it, has spent so far."""

    tokens: int = 0
    cost_usd: float = 0.0

    def pay(self, usage: Usage, cost_usd: float | None) -> None:
        self.tokens += usage.total
        self.cost_usd += cost_usd or 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """By execution: the seconds worked, summed over the sessions in which it had records, and the purse."""

    seconds: Mapping[str, float]
    purses: Mapping[str, Purse]


def past(records: Iterable[Record]) -> Past:
    fold = _Fold()
    for record in records:
        fold.take(record)
    fold.close()
    return Past(seconds=fold.seconds, purses=fold.purses)


def paid(out: Json) -> tuple[Usage, float | None]:
    """What a recorded reply used, and its price where that is known."""
    reply = as_object(out)
    cost = reply.get("cost_usd")
    return Usage.from_json(reply.get("usage")), float(cost) if isinstance(cost, int | float) else None


@dataclass(slots=True)
class _Fold:
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    purses: dict[str, Purse] = field(default_factory=lambda: defaultdict(Purse))
    _session: dict[str, tuple[float, float]] = field(default_factory=dict)
    _around: dict[str, Sequence[str]] = field(default_factory=dict)
    """The executions that a path is part of, for every execution and its steps."""

    def take(self, record: Record) -> None:
        if record.ev in ("run.started", "run.resumed"):
            self.close()
        if record.ev == "execution.started" and record.step not in self._around.get(record.step, ()):
            self._around[record.step] = [*self._within(record.step.rpartition("/")[0]), record.step]
        around = self._within(record.step)
        waited = _waited(record)
        for execution in around:
            first, _ = self._session.get(execution, (record.t, 0.0))
            self._session[execution] = (first + waited, record.t)
        if record.ev == "model.completed":
            usage, cost = paid(record.data.get("out"))
            for execution in around:
                self.purses[execution].pay(usage, cost)

    def close(self) -> None:
        for execution, (first, last) in self._session.items():
            self.seconds[execution] += max(0.0, last - first)
        self._session.clear()

    def _within(self, path: str) -> Sequence[str]:
        while path and path not in self._around:
            path = path.rpartition("/")[0]
        return self._around[path] if path else ()


def _waited(record: Record) -> float:
    ms = record.data.get("ms")
    return float(ms) / 1000 if record.ev == "wait.completed" and isinstance(ms, int | float) else 0.0
