"""Calls and delegations done again by hand, and limits raised: what is kept, and what follows from it."""

from __future__ import annotations

import asyncio
import json
import shlex
import subprocess

import pytest

import agentctl
from agentctl import RunView
from agentctl.api.answers import Reply
from agentctl.api.revising import Wish
from agentctl.errors import UsageError
from agentctl.jsontypes import Json, JsonObject
from e2e.cast import Cast, Lines, Stage, agent, crew, looks, passes, several, steps, transfer
from e2e.command import Desk, killed_when
from loopback.replies import Answer, Failure, Scripted
from loopback.server import Seen

SELLS: JsonObject = {"function": "tools:look"}


def seller(**keys: Json) -> JsonObject:
    return agent("seller", tools=[SELLS], **keys)


def first_run(stage: Stage, team: JsonObject, lines: Lines | None = None) -> RunView:
    stage.set(team, lines)
    run = stage.run()
    stage.server.requests.clear()
    return run


def again(stage: Stage, *rerun: str, retry: str | None = None) -> RunView:
    replies = [Reply(kind="rerun", step=step) for step in rerun]
    return asyncio.run(agentctl.resume(runs_dir=stage.runs, replies=replies, wish=Wish(retry=retry)))


def test_a_finished_call_is_made_again_and_what_follows_from_it(stage: Stage) -> None:
    lines: Lines = {"seller": [looks("it"), "sold"]}
    first_run(stage, seller(), lines)
    tools = stage.folder / "tools.py"
    tools.write_text(tools.read_text("utf-8").replace("is fine", "is broken"), "utf-8")
    run = again(stage, "seller/turn-1/call-1.look")
    assert (run.status, stage.looked) == ("completed", ["it", "it"])
    assert stage.order == ["seller"]
    assert stage.shown("seller")[-1] == "tool: it is broken"
    stage.server.requests.clear()
    assert stage.resume(run).answer == "sold"
    assert (stage.order, stage.looked) == ([], ["it", "it"])


def test_a_call_again_with_the_same_result_asks_no_model(stage: Stage) -> None:
    first_run(stage, seller(), {"seller": [looks("it"), "sold"]})
    run = again(stage, "seller/turn-1/call-1.look")
    assert (run.answer, stage.order, stage.looked) == ("sold", [], ["it", "it"])
    assert [(one.status, one.answer) for one in run.executions] == [("completed", "sold")]
    assert stage.resume(run) == run, "its end is on record again, once"


def test_there_is_no_such_call(stage: Stage) -> None:
    run = first_run(stage, seller(), {"seller": [looks("it"), "sold"]})
    with pytest.raises(UsageError, match="no open question"):
        again(stage, "seller/turn-1/call-2.look")
    assert stage.resume(run).answer == "sold"


def routed() -> JsonObject:
    return agent("desk", seller(), *crew("other"), strategy="handoff")


def test_a_delegation_again_keeps_the_decision_and_the_rest(stage: Stage) -> None:
    both = several(passes("seller", message="sell"), passes("other", message="help"))
    lines: Lines = {"desk": [both, "Both are done."], "seller": [looks("it"), "sold"]}
    run = first_run(stage, routed(), lines)
    assert run.answer == "Both are done."
    stage.set(routed(), {**lines, "seller": [looks("it"), "sold again"]})
    run = again(stage, retry="desk/seller.1")
    assert stage.order == ["seller", "seller", "desk"], "the hand-off is not decided again"
    assert stage.looked == ["it"], "an effect is not had twice"
    assert [one.id for one in run.executions if one.agent == "seller"] == ["desk/seller.1", "desk/seller.1~2"]
    assert stage.shown("desk")[-2:] == ["tool: sold again", "tool: other is done"]
    stage.server.requests.clear()
    assert stage.resume(run).answer == "Both are done."
    assert stage.order == []


def test_a_delegation_again_by_its_agent_and_again(stage: Stage, wired: Desk) -> None:
    lines: Lines = {"desk": transfer("other", message="help"), "other": "one"}
    run = first_run(stage, agent("desk", *crew("other", "third"), strategy="handoff"), lines)
    for attempt, words in ((2, "two"), (3, "three")):
        stage.set(agent("desk", *crew("other", "third"), strategy="handoff"), {**lines, "other": words})
        done = wired("resume", run.run_id, "--retry", "other", "--json")
        result = json.loads(done.stdout)
        assert result["answer"] == words
        assert result["executions"][-1]["id"] == f"desk/other.1~{attempt}"
    assert stage.order == ["other", "other"]


def test_what_cannot_be_tried_again(stage: Stage, wired: Desk) -> None:
    run = first_run(stage, agent("desk", *crew("other", "third"), strategy="handoff"), {"desk": "Hello."})
    done = wired("resume", run.run_id, "--retry", "desk/othr.1")
    assert done.returncode == 2
    assert 'has no execution "desk/othr.1"' in done.stderr
    assert wired("resume", run.run_id).stdout == "Hello.\n"


def test_a_part_of_an_attempt_that_was_replaced_is_no_more(stage: Stage) -> None:
    inner = agent("lead", *crew("one", "two"), strategy="sequential")
    first_run(stage, agent("desk", inner, *crew("last"), strategy="sequential"))
    again(stage, retry="lead")
    with pytest.raises(UsageError, match="which attempt 2 has replaced"):
        again(stage, retry="desk/lead.1/one.1")
    stage.server.requests.clear()
    run = again(stage, retry="desk/lead.1~2/one.1")
    assert stage.order == ["one"]
    assert run.answer == "last is done"


def test_a_call_of_a_replaced_attempt_is_refused_and_the_one_that_counts_is_named(stage: Stage) -> None:
    lines: Lines = {"desk": transfer("seller", message="sell"), "seller": [looks("it"), "sold"]}
    run = first_run(stage, routed(), lines)
    again(stage, retry="seller")
    with pytest.raises(UsageError, match="which attempt 2 has replaced") as refused:
        again(stage, "desk/seller.1/turn-1/call-1.look")
    assert 'name "desk/seller.1~2/turn-1/call-1.look"' in str(refused.value.hint)
    assert stage.resume(run).answer == "sold", "nothing was changed"
    again(stage, "desk/seller.1~2/turn-1/call-1.look")
    assert stage.looked == ["it", "it"]


def test_a_call_that_the_run_does_not_come_to_any_more_is_refused(stage: Stage) -> None:
    first_run(stage, seller(), {"seller": [looks("it"), looks("more"), "sold"]})
    tools = stage.folder / "tools.py"
    tools.write_text(tools.read_text("utf-8").replace("is fine", "is broken"), "utf-8")
    stage.server.script = Cast({"seller": [looks("it"), "not sold"]})
    assert again(stage, "seller/turn-1/call-1.look").answer == "not sold"
    with pytest.raises(UsageError, match="does not come to"):
        again(stage, "seller/turn-2/call-1.look")
    assert stage.looked == ["it", "more", "it"]


@pytest.mark.parametrize("revised", ["retry", "rerun"])
def test_a_failure_that_the_parent_was_told_is_kept_unless_it_is_what_is_done_again(
    stage: Stage, revised: str
) -> None:
    team = agent(
        "desk",
        seller(),
        agent("lead", *crew("inner"), strategy="sequential"),
        strategy={"type": "parallel", "on_error": "continue"},
    )
    lines: Lines = {"seller": [looks("it"), "sold"], "inner": Failure(status=400)}
    run = first_run(stage, team, lines)
    failed = run.answer
    assert failed is not None
    assert "This agent failed: " in failed
    call = "desk/seller.1/turn-1/call-1.look"
    run = again(stage, call) if revised == "rerun" else again(stage, retry="seller")
    assert "inner" not in stage.order
    assert (run.status, run.answer) == ("completed", failed)
    stage.server.script = Cast({**lines, "inner": "done after all"})
    assert stage.resume(run).answer == failed
    run = again(stage, retry="inner")
    assert stage.order[-1] == "inner"
    assert run.answers["lead"] == "done after all"


def slow(_seen: Seen) -> Scripted:
    return Answer(text="sold again", delay=5)


def test_a_delegation_again_survives_a_crash(stage: Stage, wired: Desk) -> None:
    lines: Lines = {"desk": transfer("seller", message="sell"), "seller": [looks("it"), "sold"]}
    run = first_run(stage, routed(), lines)
    stage.set(routed(), {**lines, "seller": [looks("it"), slow]})
    killed_when(
        wired.start("resume", run.run_id, "--retry", "seller"), lambda: stage.order == ["seller", "seller"]
    )
    stage.server.requests.clear()
    stage.set(routed(), {**lines, "seller": [looks("it"), "sold at last"]})
    run = stage.resume(run)
    assert (run.answer, stage.order, stage.looked) == ("sold at last", ["seller"], ["it"])
    assert [one.attempt for one in run.executions if one.agent == "seller"] == [1, 2]


def onward(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The words of the command that a run which reached a limit ends with."""
    assert done.returncode == 4, done.stderr
    *_, before, last = done.stderr.splitlines()
    assert before == "continue with:"
    return shlex.split(last)[1:]


def test_raising_a_limit_raises_that_of_the_agent_which_had_reached_it(stage: Stage, wired: Desk) -> None:
    lines: Lines = {"desk": transfer("seller", message="sell"), "seller": [looks("a"), looks("b"), "sold"]}
    run = first_run(stage, agent("desk", seller(limits={"turns": 2}), *crew("x"), strategy="handoff"), lines)
    assert run.status == "limit"
    assert onward(wired("resume", run.run_id)) == ["resume", run.run_id, "--max-turns", "4"]
    done = wired("resume", run.run_id, "--max-turns", "3")
    assert (done.returncode, done.stdout) == (0, "sold\n"), done.stderr
    assert stage.looked == ["a", "b"]


def test_an_agents_wallet_is_raised_without_the_runs_being_lowered(stage: Stage, wired: Desk) -> None:
    poor = seller(limits={"tokens": 20})
    rich = agent("desk", *crew("a", "b", "c", "d", "e", "f"), poor, strategy="sequential")
    run = first_run(stage, rich, LOOKING)
    assert run.usage.total > 2 * 24, "more than is offered to the seller"
    assert (run.status, run.error and run.error["agent"]) == ("limit", "seller")
    done = wired(*onward(wired("resume", run.run_id)))
    assert (done.returncode, done.stdout) == (0, "sold\n"), done.stderr


LOOKING: Lines = {"seller": [looks("a"), looks("b"), "sold"]}
BOUNCED: Lines = {"one": [transfer("two", message="you"), "done"], "two": transfer("one", message="me")}
BOTH = several(passes("one"), passes("two"), passes("three"))
PLANNED = steps(("a", "one", []), ("b", "two", []), ("c", "one", []))


@pytest.mark.parametrize(
    ("team", "lines", "option"),
    [
        (seller(limits={"tokens": 20}), LOOKING, "--max-tokens"),
        (seller(limits={"tool_calls": 1}), LOOKING, "--max-tool-calls"),
        (seller(limits={"cost_usd": 0.0000001}), LOOKING, "--max-cost"),
        (seller(limits={"turns": 1}), LOOKING, "--max-turns"),
        (
            agent("desk", *crew("one", "two", "three"), strategy={"type": "handoff", "max_handoffs": 1}),
            {"desk": [BOTH, "done"]},
            "--max-handoffs",
        ),
        (
            agent("desk", *crew("one", "two"), strategy={"type": "swarm", "max_handoffs": 1}),
            BOUNCED,
            "--max-handoffs",
        ),
        (
            agent("lead", *crew("one", "two"), strategy={"type": "plan_execute", "max_steps": 1}),
            {"lead": [PLANNED, '{"steps": [], "answer": "done"}']},
            "--max-steps",
        ),
    ],
)
def test_the_last_line_goes_on_until_the_work_is_done(
    stage: Stage, wired: Desk, team: JsonObject, lines: Lines, option: str
) -> None:
    """However often the limit is reached again, the command printed then leads on from there."""
    first_run(stage, team, lines)
    done = wired("resume", "--last")
    for _ in range(8):
        words = onward(done)
        assert words[2] == option
        before = len(stage.server.requests)
        done = wired(*words)
        if done.returncode == 0:
            break
        assert len(stage.server.requests) > before or stage.looked, "it went on from there"
    assert (done.returncode, done.stdout) in ((0, "sold\n"), (0, "done\n")), done.stderr


def test_a_bound_that_no_strategy_has_is_refused(stage: Stage, wired: Desk) -> None:
    run = first_run(stage, seller(limits={"turns": 1}), LOOKING)
    done = wired("resume", run.run_id, "--max-handoffs", "5")
    assert done.returncode == 2
    assert "--max-handoffs has no effect" in done.stderr
    assert wired("resume", run.run_id, "--max-turns", "3").stdout == "sold\n"


def test_a_run_that_leaves_nothing_tells_no_way_on(stage: Stage, wired: Desk) -> None:
    stage.set(seller(limits={"turns": 1}), LOOKING)
    done = wired("run", ".", "What now?", "--ephemeral", "--json")
    assert done.returncode == 4
    assert "command" not in json.loads(done.stdout)["error"]
    assert "resume" not in done.stderr


def test_time_is_raised_too(stage: Stage, wired: Desk) -> None:
    first_run(stage, seller(limits={"time": 0.2}), {"seller": lambda _seen: Answer(text="sold", delay=1)})
    words = onward(wired("resume", "--last"))
    assert words[2:] == ["--max-time", "1m"]
    stage.server.script = Cast({"seller": "sold"})
    assert wired(*words).stdout == "sold\n"


@pytest.mark.parametrize("strategy", ["swarm", "plan_execute"])
def test_what_no_option_raises_takes_an_edited_team(stage: Stage, wired: Desk, strategy: str) -> None:
    """Peers that pass control to and fro, and a planner that was told how often it may plan."""
    if strategy == "swarm":
        team = agent("desk", *crew("one", "two"), strategy={"type": "swarm"})
        lines: Lines = {"one": transfer("two", message="you"), "two": transfer("one", message="you")}
        mended: JsonObject = {**team, "strategy": {"type": "swarm", "transitions": {"one": ["two"]}}}
    else:
        team = agent("desk", *crew("one", "two"), strategy={"type": "plan_execute", "max_replans": 0})
        lines = {
            "desk": [steps(("a", "one", [])), steps(("b", "two", [])), '{"steps": [], "answer": "done"}']
        }
        mended = {**team, "strategy": {"type": "plan_execute", "max_replans": 1}}
    first_run(stage, team, lines)
    words = onward(wired("resume", "--last"))
    assert words[2:] == ["--with", str(stage.folder / "team.yaml")]
    stage.set(mended, {**lines, "two": "done"})
    done = wired(*words, "--yes")
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
