"""parallel over HTTP: all at once, bounded exactly, no finished branch lost."""

from __future__ import annotations

import json

import pytest

from agentctl.jsontypes import Json
from e2e.cast import Lines, Stage, agent, crew, looker, looks, together
from e2e.command import Desk
from loopback.replies import Answer, Failure

BROKEN = Failure(status=400, body={"error": {"message": "out of order"}})


def test_all_get_the_request_at_once_and_are_listed_in_the_order_of_the_file(
    stage: Stage, wired: Desk
) -> None:
    a, b, c = together(Answer(text="slow", delay=0.3), Answer(text="fast"), Answer(text="c is done"))
    stage.set(agent("panel", *crew("a", "b", "c"), strategy="parallel"), {"a": a, "b": b, "c": c})
    done = wired("run", "--json", ".", "Look at it.")
    result = json.loads(done.stdout)
    assert result["answer"] == "## a\n\nslow\n\n## b\n\nfast\n\n## c\n\nc is done"
    assert result["answers"] == {"a": "slow", "b": "fast", "c": "c is done"}
    assert (result["agent"], result["path"]) == ("panel", ["panel"])
    assert sorted(stage.order) == ["a", "b", "c"]
    assert stage.server.most_at_once == 3
    for name in "abc":
        assert stage.shown(name) == ["user: Look at it."]


@pytest.mark.parametrize(("most", "agents"), [(1, 3), (4, 9)])
def test_no_more_than_max_concurrency_are_under_way(stage: Stage, most: int, agents: int) -> None:
    strategy: Json = {"type": "parallel", "max_concurrency": most}
    stage.set(agent("panel", *crew(*(f"a{i}" for i in range(agents))), strategy=strategy))
    gate = stage.hold(most)
    run = stage.run()
    assert (run.status, len(stage.order), gate.held) == ("completed", agents, most)


def test_a_run_has_at_most_a_hundred_model_calls_under_way(stage: Stage) -> None:
    stage.set(agent("panel", *crew(*(f"a{i}" for i in range(150))), strategy="parallel"))
    gate = stage.hold(100)
    run = stage.run()
    assert (run.status, len(run.answers)) == ("completed", 150)
    assert (len(stage.order), gate.held) == (150, 100)


def test_a_failed_branch_leaves_the_others_recorded_and_is_resumed_alone(stage: Stage, wired: Desk) -> None:
    panel = agent("panel", looker("a"), *crew("b", "c"), strategy="parallel")
    lines: Lines = {"a": [looks("A"), "A is fine."], "b": BROKEN, "c": Answer(text="late", delay=0.2)}
    stage.set(panel, lines)
    failed = wired("run", "--run-id", "r", ".", "Look at it.")
    assert (failed.returncode, sorted(stage.order)) == (1, ["a", "a", "b", "c"])
    assert "out of order" in failed.stderr
    stage.set(panel)
    done = wired("resume", "r")
    assert (done.returncode, stage.order[4:], stage.looked) == (0, ["b"], ["A"])
    assert done.stdout == "## a\n\nA is fine.\n\n## b\n\nb is done\n\n## c\n\nlate\n"


def test_failures_are_told_in_their_place_where_the_file_says_so(stage: Stage) -> None:
    strategy: Json = {"type": "parallel", "on_error": "continue"}
    stage.set(agent("panel", *crew("a", "b"), strategy=strategy), {"a": BROKEN})
    run = stage.run()
    assert (run.status, dict(run.answers)) == ("completed", {"b": "b is done"})
    told, done = str(run.answer).split("\n\n## b\n\n")
    assert told.startswith("## a\n\nThis agent failed: ")
    assert done == "b is done"
    stage.set(agent("panel", *crew("a", "b"), strategy=strategy), {"a": BROKEN, "b": BROKEN})
    assert stage.run().status == "failed"


def test_branches_below_branches_are_at_once_too(stage: Stage) -> None:
    teams = [agent(name, *crew(f"{name}1", f"{name}2"), strategy="parallel") for name in "ab"]
    stage.set(agent("panel", *teams, strategy="parallel"))
    gate = stage.hold(4)
    assert stage.run().answers == {
        "a": "## a1\n\na1 is done\n\n## a2\n\na2 is done",
        "b": "## b1\n\nb1 is done\n\n## b2\n\nb2 is done",
    }
    assert gate.held == 4


def test_a_wait_for_a_person_lets_the_other_branches_end(stage: Stage, wired: Desk) -> None:
    desk = agent("desk", *crew("first", "second"), strategy="manual")
    stage.set(agent("panel", desk, *crew("c"), strategy="parallel"))
    waits = wired("run", "--run-id", "r", ".", "Go.")
    assert (waits.returncode, stage.order) == (3, ["c"])
    assert wired("resume", "r", "--choose", "second").returncode == 3
    done = wired("resume", "r", "--finish")
    assert (done.returncode, stage.order) == (0, ["c", "second"])
    assert done.stdout == "## desk\n\nsecond is done\n\n## c\n\nc is done\n"
