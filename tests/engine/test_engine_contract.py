"""The six verbs of the seam, held by every engine: what each gives, remembers, refuses and leaves open."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import pytest

from agentctl.engine.crew import Crew
from agentctl.engine.functions import Place, Result, World
from agentctl.engine.limits import Meter
from agentctl.engine.local import LocalSteps
from agentctl.engine.pause import Paused
from agentctl.engine.recorder import Recorder
from agentctl.engine.run import Order, Run
from agentctl.engine.steps import Call, Delegation, Done, Failed, Question, Steps
from agentctl.engine.task import Answer, Task
from agentctl.errors import AgentctlError, ResumeMismatch
from agentctl.journal.directory import create_run, open_run
from agentctl.journal.journal import Journal
from agentctl.journal.memory import MemoryJournal
from agentctl.jsontypes import Json, JsonObject
from agentctl.models.messages import ModelRequest, Reply
from agentctl.models.model import Notify
from agentctl.spec.team import Team
from engine.harness import HERE, agent, broken


class Engine(Protocol):
    """Gives the steps of a root execution with one member `helper`; the same run each time it is asked."""

    async def steps(self, world: Work) -> Steps: ...

    async def crash(self) -> None:
        """The process is gone; what was acknowledged is kept."""
        ...


@dataclass
class Work:
    """Registered functions that count what they do; `fails` makes the named call raise."""

    done: Counter[str] = field(default_factory=Counter)
    fails: set[str] = field(default_factory=set)
    answers: dict[str, Json] = field(default_factory=dict)
    under_way: int = 0
    most: int = 0
    busy: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, request: JsonObject) -> Json:
        return self.answers.get(str(request["step"]))


class Function:
    """A registered function whose outcome is its own argument."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def identity(self, args: JsonObject) -> Json:
        return args

    def begun(self, args: JsonObject) -> JsonObject:
        return {"args": args}

    async def run(self, args: JsonObject, place: Place) -> Result:
        work = self._work
        work.done[place.step] += 1
        work.under_way += 1
        work.busy.set()
        work.most = max(work.most, work.under_way)
        await asyncio.sleep(0.001)
        work.under_way -= 1
        if place.step in work.fails:
            raise broken()
        return Result(out={"echo": args})


class Echo:
    id = "echo"

    async def reply(self, request: ModelRequest, notify: Notify) -> Reply:
        return Reply(text=f"heard {request.messages[-1].text}")

    async def close(self) -> None: ...


ROOT = agent("root", agents=[agent("helper")])
TEAM = Team(root=ROOT, path="team.yaml", folder=HERE)


def local_steps(journal: Journal, work: Work) -> Steps:
    world = World(
        crew=Crew(team=TEAM, tools={}),
        models={"root": Echo(), "helper": Echo()},
        functions={},
        inputs={},
        state={},
        redact=lambda value: value,
        spill=journal.spill,
    )
    run = Run(Order(run_id="r", request="?"), world, Recorder(journal), work.ask)
    run.functions = {**run.functions, "function": Function(work), "tool": Function(work)}
    return LocalSteps(run, ROOT, "root", Meter(ROOT, None, lambda *_: None), depth=1)


class InMemory:
    """Nothing outlives its process here, so a crash keeps the records that the process had."""

    def __init__(self, _folder: Path) -> None:
        self._journal = MemoryJournal()

    async def steps(self, world: Work) -> Steps:
        return local_steps(self._journal, world)

    async def crash(self) -> None: ...


class OnDisk:
    def __init__(self, folder: Path) -> None:
        place = create_run(
            folder / "runs", run_id="r", team="root", header={}, team_yaml="", now=datetime.now(UTC)
        )
        self._path = place.path
        self._journal = open_run(self._path)

    async def steps(self, world: Work) -> Steps:
        return local_steps(self._journal, world)

    async def crash(self) -> None:
        await self._journal.close()
        self._journal = open_run(self._path)


ENGINES: Mapping[str, Callable[[Path], Engine]] = {"memory": InMemory, "journal": OnDisk}
Scene = Callable[[Callable[[Engine], Awaitable[None]]], None]


@pytest.fixture(params=ENGINES)
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Scene:
    def played(scene: Callable[[Engine], Awaitable[None]]) -> None:
        async def whole() -> None:
            engine = ENGINES[request.param](tmp_path)
            await scene(engine)
            await engine.crash()

        asyncio.run(whole())

    return played


def function(key: str, **args: Json) -> Call:
    return Call(key=key, function="function", args=args)


def test_a_step_runs_once_and_is_remembered(play: Scene) -> None:
    async def scene(engine: Engine) -> None:
        work = Work()
        steps = await engine.steps(work)
        assert steps.execution == "root"
        assert await steps.step(function("a", n=1)) == {"echo": {"n": 1}}
        assert await steps.step(function("a", n=1)) == {"echo": {"n": 1}}
        await engine.crash()
        assert await (await engine.steps(work)).step(function("a", n=1)) == {"echo": {"n": 1}}
        assert work.done == {"root/a": 1}

    play(scene)


def test_a_failed_step_is_done_again(play: Scene) -> None:
    async def scene(engine: Engine) -> None:
        work = Work(fails={"root/a"})
        with pytest.raises(AgentctlError, match="out of order"):
            await (await engine.steps(work)).step(function("a"))
        await engine.crash()
        work.fails.clear()
        assert await (await engine.steps(work)).step(function("a")) == {"echo": {}}
        assert work.done == {"root/a": 2}

    play(scene)


def test_asking_something_else_is_refused(play: Scene) -> None:
    async def scene(engine: Engine) -> None:
        await (await engine.steps(Work())).step(function("a", n=1))
        await engine.crash()
        with pytest.raises(ResumeMismatch, match=r"'root/a' now asks something else"):
            await (await engine.steps(Work())).step(function("a", n=2))

    play(scene)


def test_a_delegation_is_an_execution_of_its_own_and_is_remembered(play: Scene) -> None:
    async def scene(engine: Engine) -> None:
        delegation = Delegation(key="helper.1", agent="helper", task=Task(request="hello").as_json())
        first = Answer.from_json(await (await engine.steps(Work())).delegate(delegation))
        assert (first.text, first.path) == ("heard hello", ("helper",))
        await engine.crash()
        again = Answer.from_json(await (await engine.steps(Work())).delegate(delegation))
        assert again == first

    play(scene)


def test_gather_gives_every_outcome_in_order_within_its_limit(play: Scene) -> None:
    async def scene(engine: Engine) -> None:
        work = Work(fails={"root/k1"})
        branches = [function(f"k{n}", n=n) for n in range(6)]
        outcomes = await (await engine.steps(work)).gather(branches, 2)
        assert isinstance(outcomes[1], Failed)
        assert [one.value for one in outcomes if isinstance(one, Done)] == [
            {"echo": {"n": n}} for n in (0, 2, 3, 4, 5)
        ]
        assert work.most == 2
        await engine.crash()
        work.fails.clear()
        await (await engine.steps(work)).gather(branches)
        assert work.done == {f"root/k{n}": 2 if n == 1 else 1 for n in range(6)}

    play(scene)


def test_a_wait_leaves_the_other_branches_alone(play: Scene) -> None:
    async def scene(engine: Engine) -> None:
        work = Work()
        question = Question(key="q", request={"kind": "choose", "question": "Who?"})
        with pytest.raises(Paused):
            await (await engine.steps(work)).gather([question, function("a")])
        assert work.done == {"root/a": 1}
        await engine.crash()
        work.answers["root/q"] = {"choose": "helper"}
        assert await (await engine.steps(work)).wait(question) == {"choose": "helper"}
        await engine.crash()
        work.answers.clear()
        assert await (await engine.steps(work)).wait(question) == {"choose": "helper"}

    play(scene)


def test_a_call_in_doubt_is_not_made_again_unasked(play: Scene) -> None:
    async def scene(engine: Engine) -> None:
        work = Work()
        call = Call(key="t", function="tool", args={"tool": "sell"}, in_doubt={"text": "unknown"})
        begun = asyncio.create_task((await engine.steps(work)).step(call))
        await work.busy.wait()
        begun.cancel()
        await asyncio.gather(begun, return_exceptions=True)
        await engine.crash()
        with pytest.raises(Paused):
            await (await engine.steps(work)).step(call)
        work.answers["root/t"] = "skip"
        assert await (await engine.steps(work)).step(call) == {"text": "unknown"}
        await engine.crash()
        assert await (await engine.steps(work)).step(call) == {"text": "unknown"}
        assert work.done == {"root/t": 1}

    play(scene)


def test_a_decision_is_made_once(play: Scene) -> None:
    async def scene(engine: Engine) -> None:
        for chosen in ("helper", "nobody"):
            steps = await engine.steps(Work())
            await steps.decide("d", chosen=[chosen], among=["helper"], by="chance", reason="")
            await engine.crash()

    play(scene)


def test_a_timer_keeps_its_deadline(play: Scene) -> None:
    async def scene(engine: Engine) -> None:
        loop = asyncio.get_running_loop()
        steps = await engine.steps(Work())
        begun = asyncio.create_task(steps.sleep("z", 0.2))
        await asyncio.sleep(0.15)
        begun.cancel()
        await asyncio.gather(begun, return_exceptions=True)
        await engine.crash()
        began = loop.time()
        await (await engine.steps(Work())).sleep("z", 0.2)
        assert loop.time() - began < 0.15
        await (await engine.steps(Work())).sleep("z", 100)

    play(scene)
