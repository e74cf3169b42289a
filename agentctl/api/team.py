"""A team for programs: loaded once, then run, resumed and listened to, in either colour of Python.

Every run goes the way of the commands (`agentctl.api.runs`), which is imported on first use.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypedDict, TypeVar, Unpack

from agentctl.api.teams import read, validate
from agentctl.diagnostics import Report
from agentctl.errors import UsageError
from agentctl.jsontypes import Json, JsonObject
from agentctl.spec.team import Agent, Input
from agentctl.spec.team import Team as Spec

if TYPE_CHECKING:
    from agentctl.api.answers import Reply
    from agentctl.api.events import Event
    from agentctl.engine.people import Ask as RawAsk
    from agentctl.journal.summary import OpenQuestion, RunView

T = TypeVar("T")
Listener: TypeAlias = Callable[[JsonObject], None]
Ask: TypeAlias = "Callable[[OpenQuestion], Reply | None | Awaitable[Reply | None]]"
"""Answers a question while the run goes on; None leaves it open, and the run waits."""


class RunOptions(TypedDict, total=False):
    """What a run may be told beside its question.

    `inputs` are those that the team declares. `run_id` makes it idempotent: the same id and question give
    the recorded result. `runs_dir` is where runs are kept; with `durable=False` nothing is. `after` is a run
    that this one follows. `max_cost` is in USD, `max_time` in seconds. `approve_all` lets every tool call
    be made. `record` is a file for the run's recording, `replay` a recording or a run that answers in place
    of models and tools. With `plan_only` the answer is the plan of a plan_execute team, as JSON.
    """

    inputs: Mapping[str, Json]
    run_id: str
    runs_dir: str | Path
    durable: bool
    after: str
    max_cost: float
    max_time: float
    approve_all: bool
    record: str | Path
    replay: str | Path
    plan_only: bool


class ResumeOptions(TypedDict, total=False):
    """How a run is gone on with: `replies` answer what it waits for, and limits are raised to what is given,
    `max_cost` in USD, `max_time` in seconds.
    """

    runs_dir: str | Path
    replies: Sequence[Reply]
    max_cost: float
    max_time: float
    max_tokens: int
    max_turns: int
    max_tool_calls: int
    max_handoffs: int
    max_steps: int
    approve_all: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """A team file, read and checked; what becomes of the file afterwards changes nothing.

    `spec` is all that it says. How a run ended, well or not, is in the `RunView`; what keeps one from
    starting is raised as an AgentctlError. The methods without an `a` block, and refuse a running event loop.
    """

    path: Path
    spec: Spec
    report: Report = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        return self.spec.root.name

    @property
    def root(self) -> Agent:
        return self.spec.root

    @property
    def agents(self) -> tuple[Agent, ...]:
        """All of them, parents first, in the order of the file."""
        return tuple(self.spec.agents())

    @property
    def inputs(self) -> Mapping[str, Input]:
        return self.spec.inputs

    def validate(self, *, imports: bool = True) -> Report:
        """Everything that is wrong with the file now, its tools and tests included, and what is advised."""
        return validate([self.path], imports=imports)

    def run(
        self,
        question: str,
        *,
        ask: Ask | None = None,
        on_event: Listener | None = None,
        **options: Unpack[RunOptions],
    ) -> RunView:
        """`ask` answers what is asked of a person; `on_event` is told events as `--events` prints them."""
        return _blocking("run", self.arun(question, ask=ask, on_event=on_event, **options))

    async def arun(
        self,
        question: str,
        *,
        ask: Ask | None = None,
        on_event: Listener | None = None,
        **options: Unpack[RunOptions],
    ) -> RunView:
        """As `run`. Cancelled, it puts that on record before the cancellation goes on."""
        from agentctl.api.runs import run

        return _uncancelled(await run(self, question, ask=_asking(ask), on_event=on_event, **options))

    def stream(
        self, question: str, *, ask: Ask | None = None, **options: Unpack[RunOptions]
    ) -> Generator[Event, None, None]:
        """The events of a run, the last a `RunFinished`. It goes on while the next event is waited for;
        whoever stops early interrupts it.
        """
        _refuse_inside("stream")
        return _stepping(self.astream(question, ask=ask, **options))

    def astream(
        self, question: str, *, ask: Ask | None = None, **options: Unpack[RunOptions]
    ) -> AsyncGenerator[Event, None]:
        """As `stream`, and the run goes on by itself."""
        from agentctl.api.streaming import streamed

        return streamed(lambda listen: self.arun(question, ask=ask, on_event=listen, **options))

    def resume(
        self,
        run_id: str | None = None,
        *,
        edited: bool = False,
        retry: str | None = None,
        ask: Ask | None = None,
        on_event: Listener | None = None,
        **options: Unpack[ResumeOptions],
    ) -> RunView:
        """Goes on with a run of this team, the newest one without an id, with what it began with.

        With `edited` it goes on with the team's file as it is now; steps that are asked something else are
        done again. `retry` is an execution, or an agent, to try again.
        """
        return _blocking(
            "resume",
            self.aresume(run_id, edited=edited, retry=retry, ask=ask, on_event=on_event, **options),
        )

    async def aresume(
        self,
        run_id: str | None = None,
        *,
        edited: bool = False,
        retry: str | None = None,
        ask: Ask | None = None,
        on_event: Listener | None = None,
        **options: Unpack[ResumeOptions],
    ) -> RunView:
        """As `resume`. A finished run gives its result."""
        from agentctl.api.looking import open_run
        from agentctl.api.revising import Wish
        from agentctl.api.runs import resume

        view = open_run(run_id, runs_dir=options.get("runs_dir"))
        if view.team != self.name:
            raise UsageError(
                f"run '{view.run_id}' is one of team '{view.team}', not of '{self.name}'",
                hint="load that team, or name another run",
            )
        wish = Wish(team=self.path if edited else None, agree=edited, retry=retry)
        run = resume(view.run_id, wish=wish, ask=_asking(ask), on_event=on_event, **options)
        return _uncancelled(await run)


def load_team(path: str | Path, *, models: str | Mapping[str, str] | None = None) -> Team:
    """Reads a team file, or the `team.yaml` of a folder.

    `models` is the model id of every agent, or gives one by agent. Raises TeamError with the whole report
    where the file has errors, UsageError where there is none.
    """
    report = Report()
    chosen = {"": models} if isinstance(models, str) else models
    spec = read(path, report, models=chosen)
    return Team(path=Path(path).absolute(), spec=spec, report=report)


def _blocking(name: str, work: Coroutine[None, None, T]) -> T:
    try:
        _refuse_inside(name)
        return asyncio.run(work)
    finally:
        work.close()


def _stepping(events: AsyncGenerator[Event, None]) -> Generator[Event, None, None]:
    with asyncio.Runner() as runner:
        try:
            while (event := runner.run(_next(events))) is not None:
                yield event
        finally:
            runner.run(events.aclose())


async def _next(events: AsyncGenerator[Event, None]) -> Event | None:
    return await anext(events, None)


def _refuse_inside(name: str) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    more = f"async for event in team.a{name}(…)" if name == "stream" else f"await team.a{name}(…)"
    raise UsageError(f"`{name}` blocks, and an event loop is running here", hint=f"write `{more}`")


def _uncancelled(view: RunView) -> RunView:
    """A task that was cancelled ends as one, now that the run's end is on record."""
    task = asyncio.current_task()
    if task is not None and task.cancelling() and view.status == "interrupted":
        raise asyncio.CancelledError
    return view


def _asking(ask: Ask | None) -> RawAsk | None:
    if ask is None:
        return None
    from agentctl.api.answers import answer_value
    from agentctl.journal.summary import OpenQuestion

    async def asked(question: JsonObject) -> Json:
        given = ask(OpenQuestion.from_json(question))
        reply = await given if isinstance(given, Awaitable) else given
        return None if reply is None else answer_value(reply, question)

    return asked
