"""parallel: all at once, bounded, every answer by name, failures in their place or at the end."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial

import pytest

from agentctl.models.messages import ModelRequest, Reply, Usage
from agentctl.spec.strategies import Handoff, Parallel, RoundRobin, Sequential
from agentctl.spec.team import Limit
from engine.harness import (
    SPAN,
    Ran,
    Say,
    SpokenModel,
    Stage,
    agent,
    broken,
    call,
    calls,
    leaves,
    passes,
    play,
    resumed_everywhere,
)

SAYS: dict[str, Say] = {"a": "A says", "b": "B says", "c": "C says"}


def panel(options: Parallel, **says: Say) -> Stage:
    root = agent("panel", strategy=options, agents=leaves("a", "b", "c"))
    return Stage(root=root, says={**SAYS, **says})


def run(options: Parallel, **says: Say) -> Ran:
    return play(panel(options, **says))


def test_every_answer_stands_under_its_name_in_file_order() -> None:
    ran = run(Parallel())
    assert sorted(ran.order) == ["a", "b", "c"]
    assert ran.answer == "## a\n\nA says\n\n## b\n\nB says\n\n## c\n\nC says"
    assert (ran.ended.data["agent"], ran.path) == ("panel", ["panel"])
    assert ran.ended.data["answers"] == SAYS
    assert ran.shown("b") == ["user: What now?"]
    assert ran.executions == ["panel", "panel/a.1", "panel/b.1", "panel/c.1"]


class Held(SpokenModel):
    """Replies when as many are busy as ever will be at once."""

    async def pause(self, request: ModelRequest) -> None:
        for _ in range(20):
            await asyncio.sleep(0)


@pytest.mark.parametrize(("bound", "at_once"), [(None, 3), (2, 2), (1, 1), (9, 3)])
def test_as_many_at_once_as_are_allowed(bound: int | None, at_once: int) -> None:
    stage = panel(Parallel(max_concurrency=bound))
    stage.model = Held(SAYS)
    assert play(stage).answer.endswith("C says")
    assert stage.model.most_at_once == at_once


def test_a_failed_branch_fails_the_run_after_the_others_ended_and_runs_alone_on_resume() -> None:
    ran = run(Parallel(), a=broken())
    assert ran.ended.ev == "run.failed"
    assert ran.error["execution"] == "panel/a.1"
    done = {one.step for one in ran.events("execution.completed")}
    assert done == {"panel/b.1", "panel/c.1"}
    mended = play(panel(Parallel()), ran.records)
    assert mended.order == ["a"]
    assert mended.ended.data["answers"] == SAYS


def test_the_first_failure_in_file_order_is_the_runs_error() -> None:
    ran = run(Parallel(), b=broken(), c=broken())
    assert ran.error["execution"] == "panel/b.1"


def test_a_failure_is_told_in_its_place_where_the_run_is_to_go_on() -> None:
    ran = run(Parallel(on_error="continue"), b=broken())
    assert ran.ended.ev == "run.completed"
    assert (
        ran.answer
        == "## a\n\nA says\n\n## b\n\nThis agent failed: the model is out of order\n\n## c\n\nC says"
    )
    assert ran.ended.data["answers"] == {"a": "A says", "c": "C says"}


def test_a_told_failure_is_an_outcome_and_is_not_tried_again() -> None:
    ran = run(Parallel(on_error="continue"), b=broken())
    before_the_end = [one for one in ran.records if one.step != "panel" or one.ev == "execution.started"][:-1]
    assert play(panel(Parallel(on_error="continue")), before_the_end).order == []


def test_the_teams_own_limit_is_no_failure_of_a_branch() -> None:
    costly = Reply(text="A says", usage=Usage(input=60))
    root = agent(
        "panel", strategy=Parallel(max_concurrency=1, on_error="continue"), agents=leaves("a", "b", "c")
    )
    stage = Stage(root=replace(root, limits={"tokens": Limit(value=100, span=SPAN)}), says={"*": costly})
    ran = play(stage)
    assert (ran.ended.ev, ran.order) == ("run.limit", ["a", "b"])
    assert ran.error["limit"] == "tokens"
    raised = play(Stage(root=root, says={"*": costly}), ran.records)
    assert (raised.ended.ev, raised.order) == ("run.completed", ["c"])


def test_a_branchs_own_limit_is_its_failure() -> None:
    members = [agent("a", limits={"turns": 1}), agent("b")]
    root = agent("panel", strategy=Parallel(on_error="continue"), agents=members)
    ran = play(Stage(root=root, says={"a": calls(call("x"))}))
    assert ran.ended.data["answers"] == {"b": "b is done"}
    assert "This agent failed: agent 'a' reached its limit of 1 turn: 1 used" in ran.answer


def test_no_branch_that_succeeded_is_a_failure() -> None:
    ran = run(Parallel(on_error="continue"), a=broken(), b=broken(), c=broken())
    assert (ran.ended.ev, ran.error["code"]) == ("run.failed", "all-branches-failed")
    assert "the model is out of order" in str(ran.error["message"])
    mended = play(panel(Parallel(on_error="continue")), ran.records)
    assert mended.ended.data["answers"] == SAYS


def test_members_see_the_note_that_came_with_the_request_and_no_conversation() -> None:
    inner = agent("inner", strategy=Parallel(), agents=[agent("a"), agent("b", context="conversation")])
    root = agent("root", strategy=RoundRobin(), agents=[agent("first"), inner])
    ran = play(Stage(root=root, says={"first": "I began."}))
    assert ran.shown("a") == ["user: What now?"]
    assert ran.shown("b") == ["user: What now?", "user: [first] I began."]
    handed = agent(
        "desk", strategy=Handoff(), agents=[agent("panel", strategy=Parallel(), agents=leaves("a", "b"))]
    )
    ran = play(Stage(root=handed, says={"desk": passes("panel", "look at the draft")}))
    assert ran.shown("a") == ["user: What now?", "user: [desk] look at the draft"]
    assert (ran.path, ran.ended.data["answers"]) == (["desk", "panel"], {"a": "a is done", "b": "b is done"})


def test_synthesize_writes_one_answer_and_keeps_each_by_name() -> None:
    ran = run(Parallel(synthesize=True), panel="all in all")
    assert (ran.answer, ran.path, ran.ended.data["answers"]) == ("all in all", ["panel"], SAYS)
    assert ran.shown("panel")[:4] == [
        "user: What now?",
        *(f"user: [{name}] {text}" for name, text in SAYS.items()),
    ]


def test_a_branch_may_be_a_team() -> None:
    chain = agent("chain", strategy=Sequential(), agents=leaves("b", "c"))
    ran = play(Stage(root=agent("panel", strategy=Parallel(), agents=[agent("a"), chain]), says=SAYS))
    assert ran.answer == "## a\n\nA says\n\n## chain\n\nC says"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (Parallel(), {}),
        (Parallel(max_concurrency=1), {}),
        (Parallel(on_error="continue"), {"b": broken()}),
        (Parallel(), {"b": broken()}),
        (Parallel(synthesize=True), {"panel": "all in all"}),
    ],
)
def test_it_resumes_from_every_record_to_the_same_end(options: Parallel, says: dict[str, Say]) -> None:
    resumed_everywhere(partial(panel, options, **says))
