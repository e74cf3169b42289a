"""Teams run from Python: both colours, typed events and results, and what goes wrong as exceptions."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

import agentctl
from agentctl.jsontypes import JsonObject
from e2e.cast import agent
from e2e.command import BALANCE, ROOT, SUPPORT
from e2e.python_program import agrees, agrees_later, asked, both_at_once, listened

TOOLS = '''
from typing import TypedDict

from pydantic import BaseModel


class Price(BaseModel):
    euros: float


class Row(TypedDict):
    euros: float


def pay(euros: float) -> str:
    """Pays."""
    return f"paid {euros}"
'''
ORDER = "Where is my order ORD-77?"
BLOCK = re.compile(r"^```python\n(import agentctl\n.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = BLOCK.findall((ROOT / "README.md").read_text("utf-8"))


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AGENTCTL_MODEL", raising=False)
    return tmp_path


def scripted(folder: Path, team: JsonObject, script: str) -> agentctl.Team:
    (folder / "team.yaml").write_text(json.dumps({"model": "script:replies.yaml", **team}))
    (folder / "tools.py").write_text(TOOLS)
    (folder / "replies.yaml").write_text(script)
    return agentctl.load_team(folder)


PAYS = "agents: {one: [{calls: [{name: pay, arguments: {euros: 3}}]}, {text: done}]}"


def cautious(folder: Path) -> agentctl.Team:
    return scripted(folder, agent("one", tools=[{"function": "tools:pay", "approve": "always"}]), PAYS)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_examples_of_the_readme_run(number: int, desk: Path) -> None:
    shutil.copytree(ROOT / "teams", desk / "teams", ignore=shutil.ignore_patterns("__pycache__"))
    (desk / "example.py").write_text(EXAMPLES[number], "utf-8")
    done = subprocess.run([sys.executable, "-W", "error", "example.py"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_the_readme_has_examples() -> None:
    assert len(EXAMPLES) == 2


def test_a_program_of_a_user(desk: Path) -> None:
    team = agentctl.load_team(SUPPORT)
    assert (team.name, [one.name for one in team.agents][1:]) == (
        "support_supervisor",
        ["billing", "technical", "sales"],
    )
    run = asked(team, BALANCE, desk / "runs")
    assert (run.status, run.exit_code, run.path) == ("completed", 0, ("support_supervisor", "billing"))
    told = listened(team, ORDER, desk / "runs")
    assert told.tools == ["lookup_order"]
    assert told.answer is not None
    assert told.text == told.answer
    assert [one.answer for one in agentctl.list_runs(runs_dir="runs")] == [told.answer, run.answer]
    assert asyncio.run(both_at_once(team, BALANCE, ORDER)) == [run.answer, told.answer]


def test_a_model_may_be_named_for_all_agents_or_for_one(desk: Path) -> None:
    (desk / "r.yaml").write_text("agents: {'*': [it is scripted]}")
    assert agentctl.load_team(SUPPORT, models="script:r.yaml").run(BALANCE).answer == "it is scripted"
    one = agentctl.load_team(SUPPORT, models={"billing": "script:r.yaml"}).run(BALANCE)
    assert (one.agent, one.answer) == ("billing", "it is scripted")
    with pytest.raises(agentctl.UsageError, match="there is no agent"):
        agentctl.load_team(SUPPORT, models={"bill": "offline"})


def test_a_team_stays_as_it_was_loaded(desk: Path) -> None:
    team = scripted(desk, agent("one"), "agents: {one: [first]}")
    (desk / "team.yaml").write_text("name: [")
    assert team.run("Go.", durable=False).answer == "first"
    assert team.run("Go.", durable=False).answer == "first"
    assert team.validate().errors


def test_events_are_typed_and_end_with_the_run(desk: Path) -> None:
    events = list(agentctl.load_team(SUPPORT).stream(BALANCE))
    own = [type(event).__name__ for event in events if event.agent == "billing"]
    assert [name for name, before in zip(own, ["", *own], strict=False) if name != before] == [
        "AgentStarted",
        *("ModelStarted", "ModelFinished", "ToolStarted", "ToolFinished"),
        *("ModelStarted", "TextStreamed", "ModelFinished"),
        "AgentFinished",
        "RunFinished",
    ]
    first, last = events[0], events[-1]
    assert isinstance(first, agentctl.RunStarted)
    assert isinstance(last, agentctl.RunFinished)
    assert (first.run_id, first.resumed) == (last.run.run_id, False)
    (decision,) = [event for event in events if isinstance(event, agentctl.DecisionMade)]
    assert (decision.agent, decision.chosen, decision.by) == ("support_supervisor", ("billing",), "model")
    (tool,) = [event for event in events if isinstance(event, agentctl.ToolFinished)]
    assert (tool.tool, tool.error, "5432.10" in tool.text) == ("check_balance", False, True)
    replies = [event for event in events if isinstance(event, agentctl.ModelFinished)]
    assert [reply.calls for reply in replies] == [("transfer_to_billing",), ("check_balance",), ()]
    with pytest.raises(FrozenInstanceError):
        setattr(first, "run_id", "another")  # noqa: B010 - the type checker would not have it


def test_whoever_stops_listening_interrupts_the_run(desk: Path) -> None:
    team = agentctl.load_team(SUPPORT)
    events = team.stream(BALANCE)
    assert isinstance(next(events), agentctl.RunStarted)
    events.close()
    run = agentctl.open_run()
    assert (run.status, run.exit_code) == ("interrupted", 130)
    with pytest.raises(agentctl.RunInterrupted) as raised:
        run.raise_for_status()
    assert (raised.value.exit_code, raised.value.run_id) == (130, run.run_id)
    assert team.resume(run.run_id).raise_for_status().agent == "billing"


def test_a_cancelled_task_is_cancelled_and_on_record(desk: Path) -> None:
    team = scripted(desk, agent("one"), "agents: {one: [{text: late, delay: 1h}]}")

    async def overdue() -> None:
        async with asyncio.timeout(0.05):
            await team.arun("Go.")

    with pytest.raises(TimeoutError):
        asyncio.run(overdue())
    assert agentctl.open_run().status == "interrupted"


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C raises, also where the tests were started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("how", ["run", "stream"])
def test_ctrl_c_leaves_a_run_that_goes_on(desk: Path, how: str) -> None:
    team = agentctl.load_team(SUPPORT)

    def press(event: JsonObject) -> None:
        if event["ev"] == "tool.started":
            signal.raise_signal(signal.SIGINT)

    def listen() -> None:
        for event in team.stream(BALANCE):
            press(event.data)

    with pytest.raises(KeyboardInterrupt):
        team.run(BALANCE, on_event=press) if how == "run" else listen()
    gc.collect()
    assert agentctl.open_run().status == "interrupted"
    assert team.resume().raise_for_status().agent == "billing"


def test_teams_run_in_threads(desk: Path) -> None:
    team = agentctl.load_team(SUPPORT)
    with ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(team.run, [BALANCE, ORDER] * 2))
    assert [run.agent for run in runs] == ["billing", "technical"] * 2


def test_what_blocks_refuses_a_running_event_loop(desk: Path) -> None:
    team = agentctl.load_team(SUPPORT)

    async def inside() -> None:
        with pytest.raises(agentctl.UsageError, match="`run` blocks") as raised:
            team.run(BALANCE)
        assert raised.value.hint == "write `await team.arun(…)`"
        with pytest.raises(agentctl.UsageError, match="`resume` blocks"):
            team.resume()
        with pytest.raises(agentctl.UsageError, match="`stream` blocks") as raised:
            team.stream(BALANCE)
        assert raised.value.hint == "write `async for event in team.astream(…)`"

    asyncio.run(inside())
    assert not (desk / ".agentctl").exists()


@pytest.mark.parametrize("ask", [agrees, agrees_later])
def test_a_question_is_answered_by_a_function(desk: Path, ask: agentctl.Ask) -> None:
    run = cautious(desk).run("Go.", ask=ask)
    assert (run.answer, run.executions[0].tool_calls) == ("done", 1)


def test_a_run_that_waits_is_an_exception_only_where_asked_for(desk: Path) -> None:
    team = cautious(desk)
    run = team.run("Go.", ask=lambda _question: None)
    (question,) = run.questions
    assert (run.exit_code, question.kind, question.tool, question.arguments) == (
        3,
        "approve",
        "pay",
        {"euros": 3},
    )
    with pytest.raises(agentctl.RunWaits, match="May 'one' call 'pay'") as raised:
        run.raise_for_status()
    assert raised.value.exit_code == 3
    done = team.resume(run.run_id, replies=[agentctl.Reply(kind="approve")])
    assert done.raise_for_status().answer == "done"
    assert cautious(desk).run("Go.", approve_all=True).answer == "done"


def test_a_limit_and_a_failure_have_the_commands_exit_codes(desk: Path) -> None:
    script = "agents: {one: [{text: dear, cost_usd: 2, calls: [{name: pay, arguments: {euros: 3}}]}, done]}"
    team = scripted(desk, agent("one", tools=["tools:pay"]), script)
    run = team.run("Go.", max_cost=1)
    with pytest.raises(agentctl.RunLimited) as limited:
        run.raise_for_status()
    assert (run.exit_code, limited.value.exit_code, limited.value.run_code) == (4, 4, "limit")
    assert team.resume(run.run_id, max_cost=5).answer == "done"
    failing = scripted(desk, agent("one"), "agents: {one: [{error: {kind: auth, message: no such key}}]}")
    with pytest.raises(agentctl.RunEnded, match="no such key") as failed:
        failing.run("Go.").raise_for_status()
    assert (failed.value.exit_code, failed.value.run_code) == (1, "model-auth")


def test_what_keeps_a_run_from_starting_is_raised(desk: Path) -> None:
    with pytest.raises(agentctl.UsageError, match="there is no team file"):
        agentctl.load_team("nowhere")
    (desk / "team.yaml").write_text("name: one\nmodel: offline\ninstruction: Go.\n")
    with pytest.raises(agentctl.TeamError) as broken:
        agentctl.load_team(desk)
    assert (broken.value.exit_code, [found.code for found in broken.value.report]) == (2, ["unknown-key"])
    team = agentctl.load_team(SUPPORT)
    with pytest.raises(agentctl.UsageError, match="the question is empty"):
        team.run(" ")
    run = team.run(BALANCE)
    with pytest.raises(agentctl.UsageError, match="is one of team 'support_supervisor', not of 'one'"):
        scripted(desk, agent("one"), "agents: {one: [first]}").resume(run.run_id)
    with pytest.raises(agentctl.RunNotFound):
        team.resume("nothing")


def test_an_edited_team_goes_on_with_a_run(desk: Path) -> None:
    team = scripted(desk, agent("one"), "agents: {one: [first]}")
    run = team.run("Go.")
    edited = scripted(desk, agent("one", instructions="Otherwise."), "agents: {one: [second]}")
    assert edited.resume(run.run_id).answer == "first"
    assert edited.resume(run.run_id, edited=True).answer == "second"


@pytest.mark.parametrize("shape", ["Price", "Row"])
def test_an_answer_is_a_value_of_its_class(desk: Path, shape: str) -> None:
    team = scripted(desk, agent("one", output=f"tools:{shape}"), "agents: {one: ['{\"euros\": 39.5}']}")
    run = team.run("What does it cost?")
    sys.path.insert(0, str(desk))
    try:
        value = run.output
        assert run.output_as(type(value)) is value
        assert (value["euros"] if isinstance(value, dict) else getattr(value, "euros", None)) == 39.5
        with pytest.raises(TypeError, match="the output is no str"):
            run.output_as(str)
    finally:
        sys.path.remove(str(desk))


def test_a_run_is_recorded_and_replayed(desk: Path) -> None:
    team = scripted(desk, agent("one"), "agents: {one: [first]}")
    assert team.run("Go.", record="r.yaml", durable=False).answer == "first"
    (desk / "replies.yaml").write_text("agents: {one: [second]}")
    assert team.run("Go.", replay=desk / "r.yaml", durable=False).answer == "first"


def test_a_run_that_is_there_is_recorded_too(desk: Path) -> None:
    team = scripted(desk, agent("one"), "agents: {one: [first]}")
    for name in ("r.yaml", "s.yaml"):
        assert team.run("Go.", run_id="r1", record=name).answer == "first"
    assert (desk / "s.yaml").read_text() == (desk / "r.yaml").read_text()


def test_importing_it_imports_next_to_nothing() -> None:
    heavy = "litellm openai pydantic yaml jsonschema rich typer asyncio"
    text = f"import agentctl, sys; assert not set('{heavy}'.split()) & set(sys.modules)"
    subprocess.run([sys.executable, "-c", text], check=True)
    loaded = (
        "import agentctl, sys; agentctl.load_team(sys.argv[1]);"
        "assert not {'litellm', 'openai', 'pydantic', 'rich', 'typer'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", loaded, str(SUPPORT)], check=True)


def test_every_public_name_is_there() -> None:
    assert all(getattr(agentctl, name) is not None for name in dir(agentctl))
