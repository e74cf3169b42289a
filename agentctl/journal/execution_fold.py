"""The fold of one execution: its steps, what they cost, and how it stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from agentctl.journal.records import Record
from agentctl.journal.views import (
    DecisionView,
    ExecutionView,
    Status,
    StepKind,
    StepStatus,
    StepView,
    Tokens,
)
from agentctl.jsontypes import Json, JsonObject, as_list, as_number, as_object, as_text, as_whole

_STEP_ENDS: Final[dict[str, StepStatus]] = {
    "completed": "completed",
    "failed": "failed",
    "skipped": "skipped",
}
_UNFINISHED: Final = ("running", "waiting", "interrupted", "cancelled")


@dataclass(slots=True, kw_only=True)
class _Step:
    kind: StepKind
    ts: float
    began: float
    detail: dict[str, Json]
    status: StepStatus = "started"
    tries: int = 0
    ms: float | None = None


class ExecutionFold:
    """`status` is None while it is under way; `lost_calls` are model calls that nobody saw the end of."""

    def __init__(self, record: Record, worked: float) -> None:
        self.id = record.step
        self.parent = record.step.rpartition("/")[0]
        self.request = ""
        self.status: Status | None = None
        self.decisions: dict[str, DecisionView] = {}
        self.models: dict[str, None] = {}
        self.priced_calls = 0
        self.lost_calls = 0
        self._began = worked
        self._started = record
        self._ended: Record | None = None
        self._ended_at = worked
        self._steps: dict[str, _Step] = {}
        self._usage = Tokens()
        self._cost = 0.0
        self._model_calls = 0
        self._tool_calls = 0

    def begin(self, record: Record, parents_request: str) -> None:
        self._started = record
        self.parent = as_text(record.data.get("parent"))
        self.request = as_text(record.data.get("request", parents_request))
        self.status = None

    def end(self, phase: str, record: Record, worked: float) -> None:
        if phase == "completed":
            self.status = "completed"
        elif phase == "failed":
            self.status = "limit" if record.data.get("cause") == "limit" else "failed"
        else:
            return
        self._ended, self._ended_at = record, worked

    def step(self, kind: StepKind, phase: str, record: Record, worked: float) -> None:
        step = self._steps.get(record.step)
        if step is None:
            step = self._steps[record.step] = _Step(kind=kind, ts=record.ts, began=worked, detail={})
        if phase == "started":
            step.status, step.ts, step.began, step.ms = "started", record.ts, worked, None
            step.tries += 1
            step.detail = dict(record.data)
        elif phase in _STEP_ENDS:
            step.status = _STEP_ENDS[phase]
            told = as_number(record.data.get("ms"))
            step.ms = round((worked - step.began) * 1000, 3) if told is None else told
            step.detail.update(record.data)
        if phase == "failed":
            self.lost_calls += as_whole(record.data.get("unpriced"))
        if phase == "completed":
            self._count(kind, record.data)

    def _count(self, kind: StepKind, data: JsonObject) -> None:
        if kind == "tool" and "reused" not in data:
            self._tool_calls += 1
        if kind != "model":
            return
        reply = as_object(data.get("out"))
        self._model_calls += 1
        self.lost_calls += as_whole(reply.get("unpriced"))
        self._usage += _tokens(reply)
        self.models.setdefault(as_text(reply.get("model")))
        cost = reply.get("cost_usd")
        if isinstance(cost, int | float):
            self._cost += cost
            self.priced_calls += 1

    def detail(self, step: str) -> JsonObject:
        """What its records say of that step so far."""
        return self._steps[step].detail if step in self._steps else {}

    @property
    def latest_turn(self) -> str:
        """The step of its newest model call, without the mark of a repair; empty before the first."""
        calls = [path for path, step in self._steps.items() if step.kind == "model"]
        return _turn(calls[-1]) if calls else ""

    def priced(self, decision: DecisionView, turn: str) -> DecisionView:
        """The decision with what the model calls of that turn used."""
        replies = [
            as_object(step.detail.get("out"))
            for path, step in self._steps.items()
            if step.kind == "model" and _turn(path) == turn
        ]
        costs = [cost for reply in replies if isinstance(cost := reply.get("cost_usd"), int | float)]
        return replace(
            decision,
            usage=sum((_tokens(reply) for reply in replies), Tokens()),
            cost_usd=round(sum(costs), 10) if len(costs) == len(replies) else None,
        )

    def open_questions(self) -> list[JsonObject]:
        return [
            {**as_object(step.detail.get("request")), "step": as_text(step.detail.get("asks")) or path}
            for path, step in self._steps.items()
            if step.kind == "wait" and step.status == "started"
        ]

    def view(self, run: Status, worked: float) -> ExecutionView:
        started = self._started.data
        ended = self._ended.data if self._ended and self.status else {}
        attempt = started.get("attempt")
        unpriced = self._model_calls - self.priced_calls
        return ExecutionView(
            id=self.id,
            agent=as_text(started.get("agent")) or self.id.rpartition("/")[2],
            parent=self.parent,
            attempt=attempt if isinstance(attempt, int) else 1,
            strategy=as_text(started.get("strategy")),
            status=self.status or _unfinished(run),
            request=self.request,
            note=as_object(started.get("note")) or None,
            answer=as_text(ended.get("answer")) if self.status == "completed" else None,
            answered_by=as_text(ended.get("agent")) or None,
            path=tuple(as_text(name) for name in as_list(ended.get("path"))),
            error=as_object(ended.get("error")) or None,
            absorbed=ended.get("absorbed") is True,
            decisions=tuple(self.decisions.values()),
            steps=tuple(_step_view(path, step) for path, step in self._steps.items()),
            model_calls=self._model_calls,
            tool_calls=self._tool_calls,
            usage=self._usage,
            cost_usd=None if unpriced and not self.priced_calls else round(self._cost, 10),
            cost_complete=not unpriced and not self.lost_calls,
            started=self._started.ts,
            ms=round(((self._ended_at if self.status else worked) - self._began) * 1000, 3),
            at=self._began * 1000,
        )


def _unfinished(run: Status) -> Status:
    """How an execution stands that did not end by itself, in a run that stands so."""
    return run if run in _UNFINISHED else "stopped"


def _step_view(path: str, step: _Step) -> StepView:
    return StepView(
        step=path,
        kind=step.kind,
        status=step.status,
        ts=step.ts,
        ms=step.ms,
        tries=step.tries,
        detail=step.detail,
        at=step.began * 1000,
    )


def _turn(path: str) -> str:
    """`a/turn-2` of its repair `a/turn-2.1`."""
    before, slash, last = path.rpartition("/")
    return f"{before}{slash}{last.partition('.')[0]}"


def _tokens(reply: JsonObject) -> Tokens:
    usage = as_object(reply.get("usage"))
    return Tokens(
        input=as_whole(usage.get("input_tokens")),
        output=as_whole(usage.get("output_tokens")),
        cached=as_whole(usage.get("cached_tokens")),
        reasoning=as_whole(usage.get("reasoning_tokens")),
    )
