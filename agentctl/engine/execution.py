"""One execution: an agent given a task, within its time, with its start and its end on record."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeAlias

from agentctl.engine.attempts import AbsorbedFailure
from agentctl.engine.crew import Crew
from agentctl.engine.limits import Meter
from agentctl.engine.paths import parent as parent_path
from agentctl.engine.pause import Paused
from agentctl.engine.perform import perform
from agentctl.engine.steps import Steps
from agentctl.engine.task import Answer, Task
from agentctl.errors import AgentctlError
from agentctl.jsontypes import Json
from agentctl.spec.team import Agent

if TYPE_CHECKING:
    from agentctl.engine.run import Run


Perform: TypeAlias = Callable[[Agent, Task, Steps, Crew], Awaitable[Answer]]


async def execute(
    run: Run,
    agent: Agent,
    execution: str,
    *,
    task: Task,
    attempt: int,
    parent: Meter | None,
    depth: int,
    doing: Perform = perform,
    stands: int = 0,
) -> Answer:
    """Raises what ended it, which is then on record and carries this execution's id.

    `stands` is the `seq` of the absorbed failure that it is part of, where that may stand.
    """
    meter = run.meter(agent, execution, parent)
    steps = run.steps(agent, execution, meter, depth, stands)
    newest = run.execution_record(execution)
    finished = newest is not None and newest.ev == "execution.completed"
    run.requests[execution] = task.request
    if newest is None:
        run.record("execution.started", execution, _started(run, agent, execution, task, attempt))
    try:
        unlimited = finished and not run.revised
        answer = await _in_time(lambda: doing(agent, task, steps, run.crew), meter, unlimited=unlimited)
    except AbsorbedFailure as error:
        if not stands:
            run.record_failure(execution, error)
        raise
    except AgentctlError as error:
        run.record_failure(execution, error)
        raise
    except Paused:
        run.rest(execution, meter)
        raise
    stands = finished and not run.has_begun_again(execution)
    if not (stands and run.is_on_record("execution.completed", execution, answer.summary())):
        run.record("execution.completed", execution, answer.summary())
    return answer


async def _in_time(work: Callable[[], Awaitable[Answer]], meter: Meter, *, unlimited: bool) -> Answer:
    seconds = None if unlimited else meter.remaining_time()
    try:
        async with asyncio.timeout(seconds) as clock:
            meter.run_clock(clock)
            return await work()
    except TimeoutError:
        if not clock.expired():
            raise
        raise meter.reached("time") from None
    finally:
        meter.stop_clock()


def _started(run: Run, agent: Agent, execution: str, task: Task, attempt: int) -> dict[str, Json]:
    """Only what is new: who works and how, the request where it is not the parent's, the note, how much
    was shown."""
    parent = parent_path(execution)
    data: dict[str, Json] = {"agent": agent.name, "parent": parent, "attempt": attempt}
    if agent.strategy is not None:
        data["strategy"] = agent.strategy.type
    if task.request != run.requests.get(parent):
        data["request"] = task.request
    if task.note:
        data["note"] = {"agent": task.note.agent, "text": task.note.text}
    data["seen"] = len(task.conversation)
    return data
