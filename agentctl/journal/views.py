"""What people and programs read of a run: frozen views, and the JSON result that commands print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, TypeVar, cast, is_typeddict

from agentctl.errors import RunEnded, RunInterrupted, RunLimited, RunWaits
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text

Value = TypeVar("Value")

Status: TypeAlias = Literal[
    "completed",
    "failed",
    "waiting",  # for a person
    "limit",
    "interrupted",
    "cancelled",
    "running",  # a process works on it
    "stopped",  # its process died
]
StepKind: TypeAlias = Literal["model", "tool", "function", "wait", "timer"]
StepStatus: TypeAlias = Literal["started", "completed", "failed", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """`cached` is a part of `input`, `reasoning` a part of `output`."""

    input: int = 0
    output: int = 0
    cached: int = 0
    reasoning: int = 0

    @property
    def total(self) -> int:
        return self.input + self.output

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            input=self.input + other.input,
            output=self.output + other.output,
            cached=self.cached + other.cached,
            reasoning=self.reasoning + other.reasoning,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionView:
    """`usage` and `cost_usd` are those of the model calls that made it: none where no model decided.

    Decisions of one turn share its call, and each shows it. `at` is how long the run had been worked on by
    then, in ms.
    """

    execution: str
    step: str
    by: str
    chosen: tuple[str, ...]
    among: tuple[str, ...]
    reason: str
    ts: float
    usage: Tokens = field(default_factory=Tokens)
    cost_usd: float | None = 0.0
    at: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """`detail` is the data of its records, the start's and the end's together; `ts` that of the start.

    `ms` is None while it is not finished; `tries` is how often it was started; `at` is how long the run had
    been worked on when it was, in ms.
    """

    step: str
    kind: StepKind
    status: StepStatus
    ts: float
    ms: float | None
    tries: int
    detail: JsonObject
    at: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionView:
    """One delegation, or the run's root. Calls, usage and cost are its own, not those of executions below.

    `strategy` is how it used its sub-agents, empty for one that has none; `path` tells from here to who
    answered. `ms` is the time worked from its start to its end, with everything below it; `at` is the time
    that the run had been worked on before it, in ms.
    """

    id: str
    agent: str
    parent: str
    attempt: int
    strategy: str
    status: Status
    request: str
    note: JsonObject | None
    answer: str | None
    answered_by: str | None
    path: tuple[str, ...]
    error: JsonObject | None
    absorbed: bool
    decisions: tuple[DecisionView, ...]
    steps: tuple[StepView, ...]
    model_calls: int
    tool_calls: int
    usage: Tokens
    cost_usd: float | None
    cost_complete: bool
    started: float
    ms: float
    left_out: bool = False
    at: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """A question to a person: `kind` is choose, approve, question or in_doubt; `command` answers it.

    `tool` and `arguments` are those of the call that it is about, where it is about one.
    """

    step: str
    kind: str
    text: str
    agent: str
    choices: tuple[str, ...]
    tool: str
    arguments: JsonObject
    command: str

    @classmethod
    def from_json(cls, value: JsonObject) -> OpenQuestion:
        """From an entry of `waiting_for`, or what is put to whoever answers while the run goes on."""
        return cls(
            step=as_text(value.get("step")),
            kind=as_text(value.get("kind")),
            text=as_text(value.get("question")),
            agent=as_text(value.get("agent")),
            choices=tuple(as_text(choice) for choice in as_list(value.get("choices"))),
            tool=as_text(value.get("tool")),
            arguments=as_object(value.get("arguments")),
            command=as_text(value.get("command")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """A whole run. Executions stand in the order of their start; times are Unix seconds.

    `cost_usd` is None where no call has a known price; `cost_complete` is False where some part of it is
    unknown, also that of a call which was under way when a process died. `ms` is time worked.
    `output` is the answer parsed where its agent states a shape, as a value of its Python class where it
    names one and this process worked on the run; `output_json` is what is on record, and `has_output` tells
    an answer parsed as null from one that was not parsed. `given` are the answers that people gave and that
    no process has taken yet, by the step of the question.
    """

    run_id: str
    team: str
    status: Status
    request: str
    started: float
    ended: float | None
    answer: str | None
    output: object
    answers: Mapping[str, str]
    agent: str | None
    path: tuple[str, ...]
    executions: tuple[ExecutionView, ...]
    decisions: tuple[DecisionView, ...]
    models: tuple[str, ...]
    usage: Tokens
    cost_usd: float | None
    cost_complete: bool
    waiting_for: tuple[JsonObject, ...]
    error: JsonObject | None
    ms: float
    has_output: bool = False
    output_json: Json = None
    given: Mapping[str, Json] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """What the commands exit with for it."""
        return 0 if self.status in ("completed", "running") else _ENDS.get(self.status, RunEnded).exit_code

    @property
    def questions(self) -> tuple[OpenQuestion, ...]:
        """What it waits for, as `waiting_for` has it in JSON."""
        return tuple(OpenQuestion.from_json(waiting) for waiting in self.waiting_for)

    def raise_for_status(self) -> RunView:
        """The run itself where it is completed. Raises the `RunEnded` that its status means."""
        if self.status == "completed":
            return self
        error = self.error or {}
        asked = "; ".join(question.text for question in self.questions)
        why = as_text(error.get("message")) or asked
        raise _ENDS.get(self.status, RunEnded)(
            f"run '{self.run_id}' is {self.status}" + (f": {why}" if why else ""),
            run_id=self.run_id,
            run_code=as_text(error.get("code")),
            hint=as_text(error.get("hint")) or None,
        )

    def output_as(self, kind: type[Value]) -> Value:
        """`output` as a value of that class, which its agent's `output` names in the team file.

        Raises TypeError where it is none; of a TypedDict only that it is a mapping is looked at.
        """
        expected: type = dict if is_typeddict(kind) else kind
        if not isinstance(self.output, expected):
            raise TypeError(f"the output is no {kind.__name__} but {type(self.output).__name__}")
        return cast("Value", self.output)


_ENDS: Final[Mapping[Status, type[RunEnded]]] = {
    "waiting": RunWaits,
    "limit": RunLimited,
    "interrupted": RunInterrupted,
    "cancelled": RunInterrupted,
    "stopped": RunInterrupted,
}


def run_json(view: RunView) -> JsonObject:
    """The result of a run as `schemas/run.schema.json` describes it."""
    result: dict[str, Json] = {
        "run_id": view.run_id,
        "team": view.team,
        "status": view.status,
        "answer": view.answer,
        "agent": view.agent,
        "path": view.path,
        "decisions": [_decision_json(decision) for decision in view.decisions],
        "executions": [_execution_json(execution) for execution in view.executions],
        "usage": _usage_json(view.usage),
        "cost_usd": view.cost_usd,
        "cost_complete": view.cost_complete,
        "waiting_for": [_waiting_json(waiting) for waiting in view.waiting_for],
        "error": view.error,
        "ms": view.ms,
    }
    if view.has_output:
        result["output"] = view.output_json
    if view.given:
        result["given"] = dict(view.given)
    if view.answers:
        result["answers"] = view.answers
    return result


def _decision_json(decision: DecisionView) -> JsonObject:
    return {
        "execution": decision.execution,
        "by": decision.by,
        "chosen": decision.chosen,
        "among": decision.among,
        "reason": decision.reason,
        "usage": _usage_json(decision.usage),
        "cost_usd": decision.cost_usd,
    }


def _execution_json(execution: ExecutionView) -> JsonObject:
    return {
        **({"left_out": True} if execution.left_out else {}),
        "id": execution.id,
        "agent": execution.agent,
        "parent": execution.parent,
        "attempt": execution.attempt,
        "status": execution.status,
        "request": execution.request,
        "answer": execution.answer,
        "model_calls": execution.model_calls,
        "tool_calls": execution.tool_calls,
        "usage": _usage_json(execution.usage),
        "cost_usd": execution.cost_usd,
        "ms": execution.ms,
    }


def _usage_json(usage: Tokens) -> JsonObject:
    return {
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "cached_tokens": usage.cached,
        "reasoning_tokens": usage.reasoning,
        "total_tokens": usage.total,
    }


def _waiting_json(waiting: JsonObject) -> JsonObject:
    told = {key: waiting.get(key) for key in ("step", "kind", "question", "choices", "command")}
    beside = ("text", "tool", "arguments", "agents", "last")
    return {**told, **{key: waiting[key] for key in beside if key in waiting}}
