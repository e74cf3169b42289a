"""What the executions of one run share while a process takes it from its records towards its end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from agentctl.engine.attempts import AbsorbedFailure, due_attempt
from agentctl.engine.execution import execute
from agentctl.engine.functions import World
from agentctl.engine.gone import Gone
from agentctl.engine.limits import Meter
from agentctl.engine.local import LocalSteps
from agentctl.engine.paths import attempt_path
from agentctl.engine.people import Ask, People
from agentctl.engine.perform import perform, plan_alone
from agentctl.engine.recorder import Recorder
from agentctl.engine.reuse import Reuse
from agentctl.engine.revisions import Revisions, holding
from agentctl.engine.steps import Call, Steps
from agentctl.engine.task import Answer, Said, Task
from agentctl.engine.worked import Purse, past
from agentctl.errors import AgentctlError, ExecutionFailed, JournalError, LimitReached, ResumeMismatch
from agentctl.journal.records import Record
from agentctl.jsontypes import Json, JsonObject, as_text, canonical
from agentctl.spec.team import Agent, LimitName

_EXECUTION = ("execution.started", "execution.completed", "execution.failed")

_BESIDE = ("model", "settings", "described")
"""What is recorded beside a model call's input: another one is told of, and the reply stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a run is to do: `earlier` stands before the request as conversation.

    `overrides` are limits of the whole run set by commands, `by_agent` those of single agents. With
    `plan_only` the answer is the root's plan, and nothing of it is carried out.
    """

    run_id: str
    request: str
    earlier: tuple[Said, ...] = ()
    overrides: Mapping[LimitName, float] = field(default_factory=dict)
    by_agent: Mapping[str, Mapping[LimitName, float]] = field(default_factory=dict)
    plan_only: bool = False


class Run:
    """Built anew for every pass over the team's work; all that lasts is in the journal.

    `hear` takes up at once what other processes have left.
    """

    def __init__(
        self,
        order: Order,
        world: World,
        recorder: Recorder,
        ask: Ask | None = None,
    ) -> None:
        journal = recorder.journal
        self.order = order
        self.run_id = order.run_id
        self.crew = world.crew
        self.journal = journal
        self.functions = world.registry()
        self.people = People(self, ask)
        self.revisions = Revisions(journal.records)
        self.gone = Gone(world.crew.team.root, journal.records if self.revised else ())
        self.reuse = Reuse(journal.records, self.revisions, self.gone)
        self.requests: dict[str, str] = {}
        self._compared: set[str] = set()
        self.redact = world.redact
        self.listened = recorder.listened
        self.hear: Callable[[], Awaitable[object]] = _hear_nothing
        self._pause = world.pause
        self._recorder = recorder
        before = past(journal.records)
        self._worked, self._purses = dict(before.seconds), dict(before.purses)
        self._signals = [record for record in journal.records if record.ev == "signal.received"]

    async def answer(self) -> Answer:
        """The root's answer, whatever of it is already on record; raises what ended it."""
        root = self.crew.team.root
        due = due_attempt(root.name, 1, self.execution_record, self.revisions)
        task = Task(request=self.order.request, conversation=self.order.earlier)
        path = attempt_path(root.name, due.attempt)
        return await execute(
            self,
            root,
            path,
            task=task,
            attempt=due.attempt,
            parent=None,
            depth=1,
            doing=plan_alone if self.order.plan_only else perform,
        )

    def record(self, ev: str, step: str = "", data: JsonObject | None = None) -> Awaitable[Record]:
        """In line at once; await it where nothing may go on before it is synced."""
        appended = self._recorder.record(ev, step, data)
        self.reuse.add(self.journal.records[-1])
        return appended

    async def told(self) -> None:
        """Returns when whoever listens knows all that happened so far."""
        await self._recorder.told()

    def emit(self, event: JsonObject) -> None:
        self._recorder.emit(event)

    def steps(self, agent: Agent, execution: str, meter: Meter, depth: int, stands: int = 0) -> Steps:
        return LocalSteps(self, agent, execution, meter, depth, stands)

    def meter(self, agent: Agent, execution: str, above: Meter | None) -> Meter:
        overrides = dict(self.order.by_agent.get(agent.name, {}))
        if above is None:
            overrides |= self.order.overrides
        worked = self._worked.get(execution, 0.0)
        purse = self._purses.setdefault(execution, Purse())
        return Meter(agent, above, self._warn, overrides, worked, purse)

    def execution_record(self, execution: str) -> Record | None:
        return self.journal.last(execution, _EXECUTION)

    @property
    def revised(self) -> bool:
        return self.revisions.newest > 0

    def left_out(self) -> list[str]:
        """The executions on record that are no part of the work any more, as can be after a revision."""
        if not self.revised:
            return []
        begun = dict.fromkeys(one.step for one in self.journal.records if one.ev == "execution.started")
        return [execution for execution in begun if execution not in self.requests]

    def is_gone(self, step: str) -> bool:
        """Whether a recorded step is part of an execution that the team has no more."""
        while step and step not in self.gone and "/" in step:
            step = step.rpartition("/")[0]
        return step in self.gone

    def took(self, signal: Record) -> None:
        """A signal that is on record since this pass began."""
        self._signals.append(signal)
        self.people.bell.ring()

    def is_on_record(self, ev: str, step: str, data: JsonObject) -> bool:
        """Whether the newest record of that kind holds; after a revision it must say the same."""
        newest = self.journal.last(step, (ev,))
        if newest is None or newest.seq < self.revisions.redone(step):
            return False
        return self.revisions.precede(newest) or all(newest.data.get(key) == data[key] for key in data)

    def has_begun_again(self, execution: str) -> bool:
        """Whether a revision made work begin in a finished execution, whose end is then recorded anew."""
        ended = self.execution_record(execution)
        if ended is None or not self.revised:
            return False
        later = takewhile(lambda record: record.seq > ended.seq, reversed(self.journal.records))
        return any(one.step.startswith(f"{execution}/") and one.ev.endswith(".started") for one in later)

    def kept(self, step: str, asked: str, call: Call) -> Record | None:
        """The recorded outcome of a step, where it is for what is asked now."""
        things = (f"{call.function}.completed", f"{call.function}.skipped")
        done = holding(self.journal, self.revisions, step, things, asked)
        if done is None or self.reuse.is_spent(done):
            return None
        if done.data.get("in") != asked:
            raise self._mismatch(done, call)
        self.reuse.keep(done)
        if call.function == "model":
            self._compare(done, call)
        return done

    def _compare(self, done: Record, call: Call) -> None:
        """Tells, once an agent, where a recorded reply stands although its model or tools are described
        otherwise by now."""
        agent = as_text(call.args.get("agent"))
        started = self.journal.last(done.step, ("model.started",), as_text(done.data.get("in")))
        if started is None or agent in self._compared:
            return
        self._compared.add(agent)
        now = self.functions["model"].begun(call.args)
        other = [key for key in _BESIDE if key in started.data and started.data[key] != now.get(key)]
        if other:
            data: dict[str, Json] = {
                "what": list(other),
                "was": started.data.get("model"),
                "is": now["model"],
            }
            self.emit({"ev": "resume.differs", "step": done.step, "agent": agent, **data})

    def fail_again(self, ev: str, step: str, asked: str, before: int) -> None:
        """Raises the failure of a step that was asked the same, where it is part of one that stands."""
        failed = self.journal.last(step, (ev,), asked) if before else None
        if failed is not None and self.revisions.redone(step) < failed.seq < before:
            raise AbsorbedFailure(failed)

    def wait_kept(self, step: str, asked: str) -> Record | None:
        return holding(self.journal, self.revisions, step, ("wait.completed",), asked)

    def wait_is_over(self, step: str, started: Record) -> bool:
        """Whether that question was answered, so that it would have to be asked again."""
        done = self.journal.last(step, ("wait.completed",))
        return done is not None and done.seq > started.seq

    async def pass_time(self, seconds: float) -> None:
        await self._pause(seconds)

    def rest(self, execution: str, meter: Meter) -> None:
        """An execution that pauses will be taken up again, with what it has worked by now."""
        self._worked[execution] = meter.worked()

    def clean(self, error: AgentctlError) -> None:
        """Takes secrets out of what went wrong, before it is recorded, shown or told to a model."""
        error.message = as_text(self.redact(error.message))
        error.hint = as_text(self.redact(error.hint)) or None
        error.args = (error.message,)
        if isinstance(error, LimitReached) and error.answer is not None:
            error.answer = as_text(self.redact(error.answer))

    def record_failure(self, execution: str, error: AgentctlError, *, absorbed: bool = False) -> None:
        """Puts the end of an execution on record; the first to do so is where the error came from."""
        if isinstance(error, JournalError):
            return
        own = not error.execution
        error.execution = error.execution or execution
        cause = "limit" if isinstance(error, LimitReached) else "step"
        if own and isinstance(error, ExecutionFailed):
            cause = "rule"
        data: dict[str, Json] = {"error": error.as_json(), "cause": cause}
        if absorbed:
            data["absorbed"] = True
        self.record("execution.failed", execution, data)

    def _mismatch(self, done: Record, call: Call) -> ResumeMismatch:
        function = done.ev.partition(".")[0]
        started = self.journal.last(done.step, (f"{function}.started",))
        recorded = {k: v for k, v in (started.data if started else {}).items() if k != "in"}
        return ResumeMismatch(
            f"step '{done.step}' now asks something else than record {done.seq} of the journal holds: "
            f"recorded {_short(recorded)}, asked {_short(self.functions[call.function].begun(call.args))}",
            hint="the team, its tools or agentctl changed since; continue with the team as it was, "
            "or go on with it as it is now: "
            f"agentctl resume {self.run_id} --with TEAM",
        )

    def signal_for(self, step: str, since: int) -> Json:
        """The first answer on record to that step's question, recorded after `since`."""
        for record in self._signals:
            if record.step == step and record.seq > since:
                return record.data.get("value")
        return None

    def _warn(self, agent: str, limit: LimitName, used: float, allowed: float) -> None:
        self.emit({"ev": "limit.warning", "agent": agent, "limit": limit, "used": used, "allowed": allowed})


async def _hear_nothing() -> None:
    """A run by itself, which no process can reach."""


def _short(value: JsonObject) -> str:
    text = canonical(value)
    return text if len(text) <= 300 else text[:300] + "…"
