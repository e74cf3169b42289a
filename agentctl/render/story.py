"""What has happened in a run so far, folded from its events: executions and what each of them did.

Takes records as JSON and the transient events between them, in order; draws nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from agentctl.jsontypes import Json, JsonObject, as_list, as_number, as_object, as_text, as_whole

Kind: TypeAlias = Literal["model", "tool", "function", "decision", "wait", "timer"]
State: TypeAlias = Literal["running", "done", "failed", "waiting", "skipped", "limit"]
_KINDS: Final[Mapping[str, Kind]] = {
    "model": "model",
    "tool": "tool",
    "function": "function",
    "guardrail": "function",
    "decision": "decision",
    "wait": "wait",
    "timer": "timer",
}


@dataclass(slots=True, kw_only=True)
class Act:
    """One step of an execution. `title` is a model id, a tool, a function or a kind of question.

    `since` is by the story's clock, `ms` the recorded time; `text` is what a model said (streamed while
    it runs) or a tool answered; `note` says what a running call waits for, `goes_on` (by the story's clock)
    until when, and `attempt` what comes then; `called` are the tools that a reply asks for.
    """

    step: str
    kind: Kind
    state: State = "running"
    title: str = ""
    since: float = 0.0
    ms: float | None = None
    text: str = ""
    note: str = ""
    goes_on: float | None = None
    attempt: int = 0
    error: str = ""
    called: tuple[str, ...] = ()
    uncounted: bool = False
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    arguments: Json = None
    data: JsonObject = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Execution:
    """One delegation, or the run's root. `acts` are by step and kind, in order of their start."""

    id: str
    agent: str
    parent: str = ""
    attempt: int = 1
    state: State = "running"
    since: float = 0.0
    ended: float | None = None
    request: str = ""
    note: str = ""
    answer: str = ""
    error: str = ""
    absorbed: bool = False
    acts: dict[tuple[str, Kind], Act] = field(default_factory=dict)
    children: list[Execution] = field(default_factory=list)

    def walk(self) -> Iterator[Execution]:
        yield self
        for child in self.children:
            yield from child.walk()

    def everything(self) -> Iterator[Act]:
        """Its own acts and those of all below it."""
        for execution in self.walk():
            yield from execution.acts.values()


class Story:
    """`clock` gives seconds; only differences of it are used.

    The story's own time is that which the run has been worked on, by all its processes: each record tells
    it, and between two records the clock does.
    """

    def __init__(self, clock: Callable[[], float] = lambda: 0.0) -> None:
        self.executions: dict[str, Execution] = {}
        self.roots: list[Execution] = []
        self.warnings: dict[tuple[str, str], str] = {}
        self._clock = clock
        self._ahead = 0.0
        self._earlier = 0.0
        self._told = 0.0

    @property
    def now(self) -> float:
        return self._clock() + self._ahead

    def advance(self, seconds: float) -> None:
        """So much time has gone by since the last event was recorded."""
        self._ahead += seconds

    def take(self, event: JsonObject) -> None:
        """Unknown events change nothing, so that newer journals can be read."""
        self._pass_time(event)
        thing, _, phase = as_text(event.get("ev")).partition(".")
        if thing == "execution":
            self._execution(event, phase)
        elif thing in _KINDS:
            self._act(event, _KINDS[thing], phase)
        elif thing == "limit":
            self.warnings[as_text(event.get("agent")), as_text(event.get("limit"))] = warning_text(event)

    def _pass_time(self, event: JsonObject) -> None:
        """Every process counts `t` from zero."""
        told = as_number(event.get("t"))
        if told is None:
            return
        if event.get("ev") == "run.resumed" or told < self._told:
            self._earlier += self._told
        self._told = told
        self._ahead = self._earlier + told - self._clock()

    def execution_of(self, step: str) -> Execution | None:
        """The execution that a step, or an execution's own path, belongs to."""
        while step and step not in self.executions:
            step = step.rpartition("/")[0]
        return self.executions.get(step)

    def act(self, event: JsonObject) -> Act | None:
        """The act that an event is about."""
        step = as_text(event.get("step"))
        owner = self.execution_of(step)
        kind = _KINDS.get(as_text(event.get("ev")).partition(".")[0])
        return owner.acts.get((step, kind)) if owner and kind else None

    def _execution(self, event: JsonObject, phase: str) -> None:
        path = as_text(event.get("step"))
        if phase == "started":
            self._begin(path, event)
        execution = self.executions.get(path)
        if execution is None:
            return
        if phase == "completed":
            execution.state, execution.answer = "done", as_text(event.get("answer"))
            execution.ended = self.now
        elif phase == "failed":
            execution.state = "limit" if event.get("cause") == "limit" else "failed"
            execution.error = error_text(event.get("error"))
            execution.absorbed = event.get("absorbed") is True
            execution.ended = self.now

    def _begin(self, path: str, event: JsonObject) -> None:
        if path in self.executions:
            return
        attempt = event.get("attempt")
        note = event.get("note")
        execution = Execution(
            id=path,
            agent=as_text(event.get("agent")) or path.rpartition("/")[2],
            parent=as_text(event.get("parent")),
            attempt=attempt if isinstance(attempt, int) else 1,
            since=self.now,
            request=as_text(event.get("request")),
            note=as_text(as_object(note).get("text")) if isinstance(note, Mapping) else as_text(note),
        )
        parent = self.execution_of(execution.parent or path.rpartition("/")[0])
        self.executions[path] = execution
        (self.roots if parent is None else parent.children).append(execution)

    def _reopen(self, execution: Execution | None) -> None:
        """An execution in which work begins again after its end is under way, and so is all above it."""
        while execution is not None and execution.state in ("failed", "limit", "done"):
            execution.state, execution.error, execution.ended = "running", "", None
            execution = self.executions.get(execution.parent)

    def _act(self, event: JsonObject, kind: Kind, phase: str) -> None:
        step = as_text(event.get("step"))
        owner = self.execution_of(step)
        if owner is None:
            return
        act = owner.acts.get((step, kind))
        if phase == "started":
            self._reopen(owner)
        if act is None or phase == "started":
            act = owner.acts[step, kind] = Act(step=step, kind=kind, since=self.now)
            if "reused" in event:
                self._name_reused(act, as_text(event.get("reused")))
        pause = _pause(event)
        act.goes_on = None if pause is None else self.now + pause
        _PHASES.get(f"{kind}.{phase}", _PHASES.get(phase, _ignore))(act, event)

    def _name_reused(self, act: Act, source: str) -> None:
        """A call that was not made again has no start of its own to be named by."""
        owner = self.execution_of(source)
        made = owner.acts.get((source, "tool")) if owner else None
        act.title = made.title if made else act.step.rpartition("/")[2].partition(".")[2]
        act.arguments = made.arguments if made else None


def warning_text(event: JsonObject) -> str:
    """`billing has used 0.84 of 1 USD`."""
    limit = as_text(event.get("limit"))
    used, allowed = (_plain(event.get(key)) for key in ("used", "allowed"))
    unit = _UNITS.get(limit, limit)
    if allowed == "1":
        unit = unit.removesuffix("s")
    return f"{as_text(event.get('agent'))} has used {used} of {allowed} {unit}"


def shortened_text(event: JsonObject) -> str:
    """`3 older tool results were shortened to fit the model's context`."""
    number = event.get("shortened")
    what = "1 older tool result was" if number == 1 else f"{number} older tool results were"
    return f"{what} shortened to fit the model's context"


def next_attempt(event: JsonObject) -> int:
    """Which attempt follows the one that a `model.retrying` tells of."""
    failed = event.get("attempt")
    return failed + 1 if isinstance(failed, int) else 2


def error_text(error: Json) -> str:
    """The message of a recorded error, which is an object or plain text."""
    return error if isinstance(error, str) else as_text(as_object(error).get("message"))


def _ignore(act: Act, event: JsonObject) -> None:
    """A phase that this version does not know."""


def _started(act: Act, event: JsonObject) -> None:
    request = as_object(event.get("request"))
    names = (event.get(key) for key in ("tool", "model", "function"))
    act.title = next((name for name in names if isinstance(name, str)), as_text(request.get("kind")))
    act.arguments = event.get("arguments")
    act.data = event
    act.state = "waiting" if act.kind == "wait" else "running"
    if act.kind == "wait":
        act.text = as_text(request.get("question"))


def _completed(act: Act, event: JsonObject) -> None:
    act.state = "done"
    act.ms = as_number(event.get("ms"))
    act.note = ""
    act.data = {**act.data, **event}


def _model_completed(act: Act, event: JsonObject) -> None:
    _completed(act, event)
    reply = as_object(event.get("out"))
    usage = as_object(reply.get("usage"))
    act.text = as_text(reply.get("text"))
    act.called = tuple(as_text(as_object(call).get("name")) for call in as_list(reply.get("calls")))
    act.title = as_text(reply.get("model")) or act.title
    act.uncounted = usage.get("counted") is False
    act.input_tokens = as_whole(usage.get("input_tokens"))
    act.output_tokens = as_whole(usage.get("output_tokens"))
    act.cost = as_number(reply.get("cost_usd"))


def _tool_completed(act: Act, event: JsonObject) -> None:
    _completed(act, event)
    outcome = as_object(event.get("out"))
    act.text = as_text(outcome.get("text"))
    if outcome.get("error"):
        act.state, act.error = "failed", act.text


def _failed(act: Act, event: JsonObject) -> None:
    act.state, act.error, act.note = "failed", error_text(event.get("error")), ""
    act.ms = as_number(event.get("ms"))


def _skipped(act: Act, event: JsonObject) -> None:
    act.state = "skipped"
    act.text = as_text(as_object(event.get("out")).get("text"))


def _text(act: Act, event: JsonObject) -> None:
    act.text += as_text(event.get("text"))
    act.note, act.attempt = "", 0


def _restarted(act: Act, _event: JsonObject) -> None:
    act.text, act.attempt, act.note = "", 0, "starts its reply again"


def _retrying(act: Act, event: JsonObject) -> None:
    act.text = ""
    act.attempt = next_attempt(event)
    why = error_text(event.get("error"))
    act.note = _PASSING.get(as_text(as_object(event.get("error")).get("code")), why)


def _fallback(act: Act, event: JsonObject) -> None:
    act.title = as_text(event.get("model")) or act.title
    act.attempt = 0
    act.note = f"falls back to {act.title}"


_UNITS: Final = {"cost_usd": "USD", "tool_calls": "tool calls", "time": "seconds"}
_PASSING: Final = {
    "model-rate-limit": "rate limited",
    "model-timeout": "timed out",
    "model-connection": "connection lost",
    "model-server": "server error",
    "model-bad-response": "unreadable reply",
    "model-unreadable": "unreadable reply",
}


def _pause(event: JsonObject) -> float | None:
    """The seconds that an event says nothing happens for."""
    match event.get("ev"):
        case "model.retrying":
            return as_number(event.get("wait_s"))
        case "timer.started":
            until, at = as_number(event.get("deadline")), as_number(event.get("ts"))
            return None if until is None or at is None else until - at
        case _:
            return None


def _plain(value: Json) -> str:
    return f"{value:,.6g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else "?"


_PHASES: Final[Mapping[str, Callable[[Act, JsonObject], None]]] = {
    "started": _started,
    "completed": _completed,
    "failed": _failed,
    "model.completed": _model_completed,
    "tool.completed": _tool_completed,
    "tool.skipped": _skipped,
    "model.text": _text,
    "model.restarted": _restarted,
    "model.retrying": _retrying,
    "model.fallback": _fallback,
}
