"""The fold from records to what people read of a run, in one pass.

Records that it does not know change nothing, so that a newer agentctl's runs can be looked at. What is
exported here is everything a reader of runs needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from datetime import datetime
from typing import Final

from agentctl.journal.execution_fold import ExecutionFold
from agentctl.journal.records import Record
from agentctl.journal.views import (
    DecisionView,
    ExecutionView,
    OpenQuestion,
    RunView,
    Status,
    StepKind,
    StepStatus,
    StepView,
    Tokens,
    run_json,
)
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text, as_texts

__all__ = [
    "DecisionView",
    "ExecutionView",
    "OpenQuestion",
    "RunView",
    "Status",
    "StepKind",
    "StepStatus",
    "StepView",
    "Summary",
    "Tokens",
    "run_json",
    "summarise",
]

_ENDS: Final[dict[str, Status]] = {
    "run.completed": "completed",
    "run.failed": "failed",
    "run.limit": "limit",
    "run.waiting": "waiting",
    "run.interrupted": "interrupted",
    "run.cancelled": "cancelled",
}
_FAILED: Final[tuple[Status, ...]] = ("failed", "limit")
_ENDED: Final[tuple[Status, ...]] = (*_FAILED, "completed")
_STEPS: Final[dict[str, StepKind]] = {
    "model": "model",
    "tool": "tool",
    "function": "function",
    "draw": "function",
    "guardrail": "function",
    "wait": "wait",
    "timer": "timer",
}


def summarise(header: JsonObject, records: Iterable[Record], *, live: bool) -> RunView:
    """The run that `records` tell of; `header` is its `run.json`, `live` whether a process works on it."""
    fold = Summary(header)
    fold.take_all(records)
    return fold.view(live=live)


class Summary:
    """A summary that goes on: take more records, and look again."""

    def __init__(self, header: JsonObject) -> None:
        self._header = header
        self._request = as_text(header.get("request"))
        self._executions: dict[str, ExecutionFold] = {}
        self._decisions: dict[str, DecisionView] = {}
        self._makers: dict[str, tuple[ExecutionFold, str]] = {}
        self._in_flight: dict[str, ExecutionFold] = {}
        self._answered: set[str] = set()
        self._tools: set[str] = set()
        self._lost_tools: set[str] = set()
        self._begun = 0.0
        self._first: Record | None = None
        self._last: Record | None = None
        self._end: Record | None = None
        self._earlier = 0.0
        self.taken = 0

    def take_all(self, records: Iterable[Record]) -> None:
        """In their order; `taken` counts them."""
        for record in records:
            self._take(record)
            self.taken += 1

    def _take(self, record: Record) -> None:
        thing, _, phase = record.ev.partition(".")
        self._pass_time(record)
        if thing == "run":
            self._end = record if record.ev in _ENDS else None
            self._begin(phase, record)
        elif thing == "execution":
            self._execution(phase, record)
        elif record.ev == "decision.completed":
            self._decision(record)
        elif record.ev == "signal.received":
            self._answered.add(record.step)
        elif thing in _STEPS:
            self._step(_STEPS[thing], phase, record)

    @property
    def answered(self) -> Set[str]:
        """The steps whose newest question has its answer on record."""
        return self._answered

    @property
    def lost_tools(self) -> Set[str]:
        """The tool calls that were under way when a process died, before the newest one began its work."""
        return self._lost_tools

    @property
    def begun(self) -> float:
        """When the newest process began its work, in Unix seconds; 0 before that."""
        return self._begun

    @property
    def _worked(self) -> float:
        """Seconds worked up to the newest record, over all processes."""
        return self._earlier + (self._last.t if self._last else 0.0)

    def _pass_time(self, record: Record) -> None:
        """Every process counts `t` from zero; a model call it did not see the end of may have cost money."""
        if self._last and (record.ev == "run.resumed" or record.t < self._last.t):
            self._earlier += self._last.t
            self._lose_calls()
        self._first = self._first or record
        self._last = record

    def _lose_calls(self) -> None:
        for execution in self._in_flight.values():
            execution.lost_calls += 1
        self._in_flight.clear()

    def _begin(self, phase: str, record: Record) -> None:
        if phase in ("started", "resumed"):
            self._begun = record.ts
            self._lost_tools |= self._tools
            self._tools.clear()

    def _execution(self, phase: str, record: Record) -> None:
        execution = self._executions.get(record.step)
        if execution is None:
            execution = self._executions[record.step] = ExecutionFold(record, self._worked)
        if phase == "started":
            parent = self._executions.get(as_text(record.data.get("parent")))
            execution.begin(record, parent.request if parent else self._request)
        else:
            execution.end(phase, record, self._worked)

    def _decision(self, record: Record) -> None:
        owner = self._owner(record.step)
        decision = DecisionView(
            execution=owner.id if owner else "",
            step=record.step,
            by=as_text(record.data.get("by")),
            chosen=as_texts(record.data.get("chosen")),
            among=as_texts(record.data.get("among")),
            reason=as_text(record.data.get("reason")),
            ts=record.ts,
            at=self._worked * 1000,
        )
        self._decisions[record.step] = decision
        if owner and decision.by == "model":
            maker = self._maker(owner)
            self._makers[record.step] = (maker, maker.latest_turn)
        if owner:
            owner.decisions[record.step] = decision

    def _step(self, kind: StepKind, phase: str, record: Record) -> None:
        owner = self._owner(record.step)
        if owner is None:
            return
        if record.data.get("anew") is True or kind == "tool":  # answers until here were to another question
            self._answered.discard(as_text(record.data.get("asks")) or record.step)
        if kind == "tool":
            self._lost_tools.discard(record.step)
            (self._tools.add if phase == "started" else self._tools.discard)(record.step)
        self._reopen(owner, _ENDED if phase == "started" else _FAILED)
        if kind == "model":
            lost = self._in_flight.pop(record.step, None)
            if phase == "started":
                self._in_flight[record.step] = owner
                owner.lost_calls += lost is not None
        if "reused" in record.data and "tool" not in owner.detail(record.step):
            record = replace(record, data={**self._reused_call(record), **record.data})
        owner.step(kind, phase, record, self._worked)

    def _reused_call(self, record: Record) -> JsonObject:
        """A call that was not made again has no start of its own: what its source was called with."""
        source = as_text(record.data.get("reused"))
        owner = self._owner(source)
        made = owner.detail(source) if owner else {}
        named = record.step.rpartition("/")[2].partition(".")[2]
        return {"tool": made.get("tool", named), "arguments": made.get("arguments")}

    def _reopen(self, execution: ExecutionFold | None, ended: Sequence[Status]) -> None:
        """An execution that goes on after its end is under way again, and so is what it is part of."""
        while execution is not None and execution.status in ended:
            execution.status = None
            execution = self._executions.get(execution.parent)

    def _owner(self, step: str) -> ExecutionFold | None:
        while step and step not in self._executions:
            step = step.rpartition("/")[0]
        return self._executions.get(step)

    def _status(self, *, live: bool) -> Status:
        if self._end is not None:
            return _ENDS[self._end.ev]
        return "running" if live else "stopped"

    def view(self, *, live: bool) -> RunView:
        header, status = self._header, self._status(live=live)
        if status != "running":
            self._lose_calls()
        self._price_decisions()
        left = as_texts(self._end.data.get("left_out")) if self._end else ()
        executions = [
            replace(fold.view(status, self._worked), left_out=fold.id in left)
            for fold in self._executions.values()
        ]
        ended = self._end or (None if status == "running" else self._last)
        data: JsonObject = self._end.data if self._end else {}
        costs = [view.cost_usd for view in executions if view.cost_usd is not None]
        unpriced = any(view.cost_usd is None for view in executions)
        priced = any(fold.priced_calls for fold in self._executions.values())
        return RunView(
            run_id=as_text(header.get("run_id")),
            team=as_text(header.get("team")),
            status=status,
            request=self._request,
            started=self._first.ts if self._first else _timestamp(header.get("created")),
            ended=ended.ts if ended else None,
            answer=_text_or_none(data.get("answer")),
            output=data.get("output"),
            has_output="output" in data,
            output_json=data.get("output"),
            answers={name: as_text(text) for name, text in as_object(data.get("answers")).items()},
            agent=_text_or_none(data.get("agent")),
            path=as_texts(data.get("path")),
            executions=tuple(executions),
            decisions=tuple(self._decisions.values()),
            models=tuple(dict.fromkeys(m for fold in self._executions.values() for m in fold.models)),
            usage=sum((view.usage for view in executions), Tokens()),
            cost_usd=None if unpriced and not priced else round(sum(costs), 10),
            cost_complete=all(view.cost_complete for view in executions),
            waiting_for=self._waiting_for(status),
            error=_object_or_none(data.get("error")),
            ms=round(self._worked * 1000, 3),
        )

    def _price_decisions(self) -> None:
        for step, (maker, turn) in self._makers.items():
            decision = maker.priced(self._decisions[step], turn)
            self._decisions[step] = decision
            if decision.execution in self._executions:
                self._executions[decision.execution].decisions[step] = decision

    def _maker(self, owner: ExecutionFold) -> ExecutionFold:
        """Whose model made the owner's newest decision: its own, or a member's, as in a swarm."""
        members = [fold for fold in self._executions.values() if fold.parent == owner.id]
        return owner if owner.latest_turn or not members else members[-1]

    def _waiting_for(self, status: Status) -> tuple[JsonObject, ...]:
        """As the run listed it when it paused; while it runs, the questions that are open by now."""
        if status == "waiting" and self._end is not None:
            return tuple(as_object(item) for item in as_list(self._end.data.get("waiting_for")))
        if status != "running":
            return ()
        found = (question for fold in self._executions.values() for question in fold.open_questions())
        return tuple(question for question in found if question.get("step") not in self._answered)


def _text_or_none(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _object_or_none(value: Json) -> JsonObject | None:
    return as_object(value) or None


def _timestamp(created: Json) -> float:
    try:
        return datetime.fromisoformat(as_text(created)).timestamp()
    except ValueError:
        return 0.0
