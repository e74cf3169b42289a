"""The steps on one machine: every verb is a look-up in the journal, or work whose outcome is recorded."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING

from agentctl.engine.attempts import AbsorbedFailure, due_attempt, is_unforeseen, worth_retrying
from agentctl.engine.calls import answered
from agentctl.engine.doubts import Doubt, doubt
from agentctl.engine.execution import execute
from agentctl.engine.functions import Place
from agentctl.engine.limits import DEPTH, Meter
from agentctl.engine.paths import any_attempt, attempt_path
from agentctl.engine.pause import Paused
from agentctl.engine.resting import Resting
from agentctl.engine.steps import Branch, Call, Decider, Delegation, Done, Failed, Outcome, Question
from agentctl.engine.task import Task
from agentctl.engine.told import Told
from agentctl.engine.worked import paid
from agentctl.errors import (
    AgentctlError,
    FatalToolError,
    JournalError,
    LimitReached,
    ModelError,
    ResumeMismatch,
)
from agentctl.journal.records import Record
from agentctl.jsontypes import Json, JsonObject, digest
from agentctl.spec.settings import Retry
from agentctl.spec.team import Agent

if TYPE_CHECKING:
    from agentctl.engine.run import Run

_ENDS_THE_RUN = (FatalToolError, ResumeMismatch, JournalError)
_ONCE = Retry(attempts=1)


class LocalSteps:
    """One execution's steps; `run` holds what all executions of the run share."""

    def __init__(
        self, run: Run, agent: Agent, execution: str, meter: Meter, depth: int, stands: int = 0
    ) -> None:
        """`stands` is the `seq` of the absorbed failure that this execution is part of, if it may stand."""
        self._run = run
        self._agent = agent
        self._execution = execution
        self._meter = meter
        self._depth = depth
        self._stands = stands

    @property
    def execution(self) -> str:
        return self._execution

    async def step(self, call: Call) -> Json:
        if call.ask is not None:
            call = answered(call, await self.wait(call.ask))
        path = self._path(call.key)
        function = self._run.functions[call.function]
        asked = digest(function.identity(call.args))
        done = self._run.kept(path, asked, call)
        if done is not None:
            self._count(call)
            return done.data.get("out")
        if call.in_doubt is not None:
            earlier = self._run.reuse.take(path, asked)
            if earlier is not None:
                return await self._reused(path, call, asked, earlier)
        self._run.fail_again(f"{call.function}.failed", path, asked, self._stands)
        elsewhere = self._run.reuse.uncertain(path, asked)
        uncertain = doubt(call, path, asked, self._run.journal, self._run.revisions, elsewhere)
        if uncertain is not None and await self._rests(path, asked, uncertain):
            return uncertain.rests
        return await self._perform(path, call, asked)

    async def delegate(self, delegation: Delegation) -> Json:
        member = self._agent.member(delegation.agent)
        assert member is not None, delegation.agent
        if self._depth >= DEPTH:
            raise LimitReached(
                f"agent '{member.name}' stands deeper than {DEPTH} delegations",
                limit="depth",
                hint="make the team flatter, and go on with --with",
            )
        retry = member.retry or _ONCE
        base = self._path(delegation.key)
        due = due_attempt(base, retry.attempts, self._run.execution_record, self._run.revisions)
        if due.absorbed is not None:
            raise due.absorbed
        attempt, counted = due.attempt, due.counted
        stands = due.stands if delegation.absorb else 0
        while True:
            is_retry = 1 < attempt == counted  # one that a resume grants is not waited for
            if is_retry and not self._run.execution_record(attempt_path(base, attempt)):
                await self.sleep(f"{delegation.key}~{attempt}.pause", retry.pause(counted - 1))
            try:
                path = attempt_path(base, attempt)
                return await self._child(member, path, attempt, delegation, stands or self._stands)
            except AbsorbedFailure:
                raise  # it is on record as it stands
            except AgentctlError as error:
                if counted >= retry.attempts or not worth_retrying(error):
                    if delegation.absorb and not self._ends_this(error):
                        self._run.record_failure(attempt_path(base, attempt), error, absorbed=True)
                    raise
            attempt, counted = attempt + 1, counted + 1

    async def decide(
        self, key: str, *, chosen: Sequence[str], among: Sequence[str], by: Decider, reason: str
    ) -> None:
        path = self._path(key)
        data: JsonObject = {"chosen": list(chosen), "among": list(among), "by": by, "reason": reason}
        if not self._run.is_on_record("decision.completed", path, data):
            await self._run.record("decision.completed", path, data)

    async def gather(self, branches: Sequence[Branch], limit: int | None = None) -> list[Outcome]:
        room = asyncio.Semaphore(limit or max(1, len(branches)))
        resting = Resting(self._run.people, len(branches))

        async def one(branch: Branch) -> Outcome | Paused:
            while True:
                outcome = await self._tried(branch, room)
                if not isinstance(outcome, Paused):
                    resting.ended()
                    return outcome
                if not await resting.answered(outcome):
                    return outcome

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(branch)) for branch in branches]
        found = [task.result() for task in tasks]
        outcomes = [outcome for outcome in found if not isinstance(outcome, Paused)]
        for outcome in outcomes:
            if isinstance(outcome, Failed) and self._ends_this(outcome.error):
                raise outcome.error
        if len(outcomes) < len(found):
            raise Paused(step for pause in found if isinstance(pause, Paused) for step in pause.steps)
        return outcomes

    async def _tried(self, branch: Branch, room: asyncio.Semaphore) -> Outcome | Paused:
        """A branch that pauses leaves its place; answered, it is taken up again from its records."""
        async with room:
            try:
                return Done(value=await self._branch(branch))
            except AgentctlError as error:
                return Failed(error=error)
            except Paused as pause:
                return pause

    async def wait(self, question: Question) -> Json:
        return await self._run.people.answer(self._path(question.key), question.request, self._meter)

    async def sleep(self, key: str, seconds: float) -> None:
        path = self._path(key)
        if self._run.journal.last(path, ("timer.completed",)) is not None:
            return
        started = self._run.journal.last(path, ("timer.started",))
        if started is None:
            deadline = time.time() + seconds
            await self._run.record("timer.started", path, {"deadline": deadline})
        else:
            recorded = started.data.get("deadline")
            deadline = float(recorded) if isinstance(recorded, int | float) else 0.0
        await self._run.pass_time(max(0.0, min(deadline - time.time(), seconds)))
        self._run.record("timer.completed", path)

    async def _child(
        self, agent: Agent, path: str, attempt: int, delegation: Delegation, stands: int
    ) -> Json:
        answer = await execute(
            self._run,
            agent,
            path,
            task=Task.from_json(delegation.task),
            attempt=attempt,
            parent=self._meter,
            depth=self._depth + 1,
            stands=stands,
        )
        return answer.as_json()

    async def _perform(self, path: str, call: Call, asked: str) -> Json:
        """Does the work. What may have an effect waits until everything before it is synced."""
        if call.function == "model":
            self._meter.before_model()
        elif call.function == "tool":
            self._meter.before_tool()
        function = self._run.functions[call.function]
        started = self._run.record(
            f"{call.function}.started", path, {"in": asked, **function.begun(call.args)}
        )
        if call.in_doubt is not None:
            await started
        elif call.function != "model":
            await self._run.journal.flush()
        told = Told(path, self._run.redact, self._run.emit)
        place = Place(
            run_id=self._run.run_id,
            execution=self._execution,
            step=path,
            call=f"{any_attempt(path)}:{asked[:8]}",
            notify=told,
            turn=int(self._meter.used("turns")),
            listened=self._run.listened,
            afford=self._meter.afford,
        )
        began = time.perf_counter()
        try:
            result = await function.run(call.args, place)
        except AgentctlError as error:
            self._run.clean(error)
            failed: JsonObject = {"in": asked, "error": error.as_json(), "ms": _ms(began)}
            if isinstance(error, ModelError) and error.unpriced:
                failed = {**failed, "unpriced": error.unpriced}
            self._run.record(f"{call.function}.failed", path, failed)
            raise
        told.end()
        data: JsonObject = {"in": asked, "out": result.out, **result.beside, "ms": _ms(began)}
        self._charge(call, result.out)  # at once: branches beside this one draw on the same wallet
        await self._run.record(f"{call.function}.completed", path, data)
        return result.out

    async def _reused(self, path: str, call: Call, asked: str, earlier: Record) -> Json:
        """An effect that the delegation had, in another attempt or before a revision, is not had again."""
        self._count(call)
        out = earlier.data.get("out")
        data: JsonObject = {"in": asked, "out": out, "reused": earlier.step, "ms": 0}
        await self._run.record(f"{call.function}.completed", path, data)
        return out

    async def _rests(self, path: str, asked: str, uncertain: Doubt) -> bool:
        """Whether a person decides that a call is not made, whatever became of it before."""
        question = f"{path}/in-doubt-{uncertain.since}"
        answer = await self._run.people.answer(
            question, uncertain.request, self._meter, known=path, since=uncertain.since
        )
        if answer != "skip":
            return False
        await self._run.record("tool.skipped", path, {"in": asked, "out": uncertain.rests})
        return True

    def _ends_this(self, error: Exception) -> bool:
        """Whether a failure below is none that this execution could absorb, such as its own limit."""
        if isinstance(error, LimitReached):
            return error.agent in [meter.agent.name for meter in self._meter.lineage()]
        return isinstance(error, _ENDS_THE_RUN) or is_unforeseen(error)

    def _count(self, call: Call) -> None:
        """A finished step counts towards the limits of its loop as it did when it was done."""
        if call.function == "model":
            self._meter.count("turns")
        elif call.function == "tool":
            self._meter.count("tool_calls")

    def _charge(self, call: Call, out: Json) -> None:
        if call.function == "model":
            self._meter.charge(*paid(out))

    def _path(self, key: str) -> str:
        return f"{self._execution}/{key}"

    def _branch(self, branch: Branch) -> Coroutine[None, None, Json]:
        match branch:
            case Call():
                return self.step(branch)
            case Delegation():
                return self.delegate(branch)
            case Question():
                return self.wait(branch)


def _ms(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 3)
