"""What happens in a run as frozen objects: the events of `--events`, each of a class of its own.

The classes hold what programs ask for most; `data` has the whole event as `--events` prints it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypedDict

from agentctl.journal.summary import OpenQuestion, RunView, Tokens
from agentctl.jsontypes import JsonObject, as_number, as_object, as_text, as_texts
from agentctl.models.messages import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """`kind` is the event's name, such as `model.retrying`; `step` its place in the run, empty for the run's
    own; `agent` whose work it is part of.
    """

    kind: str
    step: str
    agent: str
    data: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted(Event):
    """A run began, or with `resumed` was gone on with."""

    run_id: str
    resumed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentStarted(Event):
    """A delegation began, or the root's work; `note` is what the parent told the agent beside the request."""

    execution: str
    parent: str
    attempt: int
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFinished(Event):
    execution: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFailed(Event):
    """`absorbed`: the parent was told, and the run goes on. `code` and `message` are those of the error."""

    execution: str
    code: str
    message: str
    absorbed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionMade(Event):
    """`by` is model, function, person, rule or chance."""

    chosen: tuple[str, ...]
    among: tuple[str, ...]
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelStarted(Event):
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextStreamed(Event):
    """A piece of a reply, as it came."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDiscarded(Event):
    """What was streamed of this step is void: the reply starts again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFinished(Event):
    """A whole reply: its `text`, and the names of the tools that it `calls`. `ms` are milliseconds."""

    model: str
    text: str
    calls: tuple[str, ...]
    usage: Tokens
    cost_usd: float | None
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStarted(Event):
    tool: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFinished(Event):
    """`text` is what the model is shown, `error` whether that says that the call failed."""

    tool: str
    text: str
    error: bool
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAsked(Event):
    question: OpenQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFinished(Event):
    """Always the last; also of a run that failed, waits or was cancelled."""

    run: RunView


class Reader:
    """Events as they are told into typed ones; it remembers whose work each step is."""

    def __init__(self) -> None:
        self._agents: dict[str, str] = {}

    def read(self, event: JsonObject) -> Event:
        kind, step = as_text(event.get("ev")), as_text(event.get("step"))
        if kind == "execution.started":
            self._agents[step] = as_text(event.get("agent"))
        head = _Head(kind=kind, step=step, agent=self._agent(step), data=event)
        make = _MAKERS.get(kind)
        return make(head, event) if make else Event(**head)

    def finished(self, run: RunView) -> RunFinished:
        data: JsonObject = {"ev": "run.finished", "status": run.status, "answer": run.answer}
        return RunFinished(kind="run.finished", step="", agent=run.agent or "", data=data, run=run)

    def _agent(self, step: str) -> str:
        while step and step not in self._agents:
            step = step.rpartition("/")[0]
        return self._agents.get(step, "")


class _Head(TypedDict):
    kind: str
    step: str
    agent: str
    data: JsonObject


def _run_started(head: _Head, event: JsonObject) -> Event:
    resumed = head["kind"] == "run.resumed"
    return RunStarted(**head, run_id=as_text(event.get("run_id")), resumed=resumed)


def _agent_started(head: _Head, event: JsonObject) -> Event:
    attempt = event.get("attempt")
    return AgentStarted(
        **head,
        execution=head["step"],
        parent=as_text(event.get("parent")),
        attempt=attempt if isinstance(attempt, int) else 1,
        note=as_text(as_object(event.get("note")).get("text")),
    )


def _agent_finished(head: _Head, event: JsonObject) -> Event:
    return AgentFinished(**head, execution=head["step"], answer=as_text(event.get("answer")))


def _agent_failed(head: _Head, event: JsonObject) -> Event:
    error = as_object(event.get("error"))
    return AgentFailed(
        **head,
        execution=head["step"],
        code=as_text(error.get("code")),
        message=as_text(error.get("message")),
        absorbed=event.get("absorbed") is True,
    )


def _decision_made(head: _Head, event: JsonObject) -> Event:
    return DecisionMade(
        **head,
        chosen=as_texts(event.get("chosen")),
        among=as_texts(event.get("among")),
        by=as_text(event.get("by")),
        reason=as_text(event.get("reason")),
    )


def _model_started(head: _Head, event: JsonObject) -> Event:
    return ModelStarted(**head, model=as_text(event.get("model")))


def _text_streamed(head: _Head, event: JsonObject) -> Event:
    return TextStreamed(**head, text=as_text(event.get("text")))


def _text_discarded(head: _Head, _event: JsonObject) -> Event:
    return TextDiscarded(**head)


def _model_finished(head: _Head, event: JsonObject) -> Event:
    reply = Reply.from_json(event.get("out"))
    usage = reply.usage
    return ModelFinished(
        **head,
        model=reply.model,
        text=reply.text,
        calls=tuple(call.name for call in reply.calls),
        usage=Tokens(input=usage.input, output=usage.output, cached=usage.cached, reasoning=usage.reasoning),
        cost_usd=reply.cost_usd,
        ms=as_number(event.get("ms")) or 0.0,
    )


def _tool_started(head: _Head, event: JsonObject) -> Event:
    return ToolStarted(**head, tool=_tool(head), arguments=as_object(event.get("arguments")))


def _tool_finished(head: _Head, event: JsonObject) -> Event:
    out = as_object(event.get("out"))
    return ToolFinished(
        **head,
        tool=_tool(head),
        text=as_text(out.get("text")),
        error=out.get("error") is True,
        ms=as_number(event.get("ms")) or 0.0,
    )


def _question_asked(head: _Head, event: JsonObject) -> Event:
    step = as_text(event.get("asks")) or head["step"]
    request: JsonObject = {**as_object(event.get("request")), "step": step}
    return QuestionAsked(**head, question=OpenQuestion.from_json(request))


def _tool(head: _Head) -> str:
    """The last part of its path is `call-<i>.<tool>`."""
    return head["step"].rpartition("/")[2].partition(".")[2]


_MAKERS: Final[Mapping[str, Callable[[_Head, JsonObject], Event]]] = {
    "run.started": _run_started,
    "run.resumed": _run_started,
    "execution.started": _agent_started,
    "execution.completed": _agent_finished,
    "execution.failed": _agent_failed,
    "decision.completed": _decision_made,
    "model.started": _model_started,
    "model.text": _text_streamed,
    "model.restarted": _text_discarded,
    "model.completed": _model_finished,
    "tool.started": _tool_started,
    "tool.completed": _tool_finished,
    "wait.started": _question_asked,
}
