"""Time already worked, from the records of earlier processes; waits do not count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from agentctl.engine.paths import parent
from agentctl.journal.records import Record


def worked_seconds(records: Iterable[Record]) -> Mapping[str, float]:
    """Seconds by execution, summed over the sessions in which it had records."""
    total: dict[str, float] = defaultdict(float)
    session: dict[str, tuple[float, float]] = {}
    executions: set[str] = set()
    for record in records:
        if record.ev in ("run.started", "run.resumed"):
            _close(session, total)
        if record.ev == "execution.started":
            executions.add(record.step)
        waited = _waited(record)
        for execution in _around(record.step, executions):
            first, _ = session.get(execution, (record.t, 0.0))
            session[execution] = (first + waited, record.t)
    _close(session, total)
    return total


def _close(session: dict[str, tuple[float, float]], total: dict[str, float]) -> None:
    for execution, (first, last) in session.items():
        total[execution] += max(0.0, last - first)
    session.clear()


def _around(step: str, executions: set[str]) -> Iterable[str]:
    """The executions that a record of this step is part of."""
    while step:
        if step in executions:
            yield step
        step = parent(step)


def _waited(record: Record) -> float:
    ms = record.data.get("ms")
    return float(ms) / 1000 if record.ev == "wait.completed" and isinstance(ms, int | float) else 0.0
