"""sequential, round_robin and random over HTTP: the order, what each turn is shown, where it ends."""

from __future__ import annotations

import pytest

import agentctl
from agentctl.jsontypes import Json
from e2e.cast import Stage, agent, crew, looker, looks
from e2e.command import Desk
from loopback.replies import Failure

BROKEN = Failure(status=400, body={"error": {"message": "out of order"}})


def test_a_chain_is_one_call_a_stage_each_shown_what_came_before(stage: Stage, wired: Desk) -> None:
    stage.set(agent("chain", *crew("first", "second", "third"), strategy="sequential"))
    done = wired("run", ".", "Go.")
    assert (done.returncode, done.stdout) == (0, "third is done\n")
    assert stage.order == ["first", "second", "third"]
    assert stage.shown("first") == ["user: Go."]
    assert stage.shown("second") == ["user: Go.\n\n[first] first is done"]
    assert stage.shown("third") == ["user: Go.\n\n[second] second is done"]


@pytest.mark.parametrize(
    ("passed", "third"),
    [
        ("output", "user: second is done"),
        ("all", "user: Go.\n\n[first] first is done\n\n[second] second is done"),
    ],
)
def test_what_a_stage_is_shown_is_for_the_file_to_say(stage: Stage, passed: str, third: str) -> None:
    strategy: Json = {"type": "sequential", "pass": passed}
    stage.set(agent("chain", *crew("first", "second", "third"), strategy=strategy))
    stage.run("Go.")
    assert stage.shown("third") == [third]


@pytest.mark.parametrize(
    "stop_if", [{"text": "stop here"}, {"regex": "^stop"}, {"function": "tools:asks_to_stop"}]
)
def test_a_chain_ends_early_with_the_answer_so_far(stage: Stage, stop_if: Json) -> None:
    strategy: Json = {"type": "sequential", "stop_if": stop_if}
    stage.set(agent("chain", *crew("first", "second", "third"), strategy=strategy), {"second": "stop here"})
    run = stage.run()
    assert (run.answer, stage.order) == ("stop here", ["first", "second"])
    assert run.decisions[-1].reason.startswith("ends here: ")


def test_a_failed_stage_is_where_a_resume_starts(stage: Stage) -> None:
    chain = agent("chain", looker("first"), *crew("second", "third"), strategy="sequential")
    stage.set(chain, {"first": [looks("A"), "A is fine."], "second": BROKEN})
    failed = stage.run()
    assert (failed.status, stage.order) == ("failed", ["first", "first", "second"])
    stage.set(chain)
    run = stage.resume(failed)
    assert (run.answer, stage.order[3:], stage.looked) == ("third is done", ["second", "third"], ["A"])


def test_a_round_gives_each_the_conversation_so_far(stage: Stage, wired: Desk) -> None:
    strategy: Json = {"type": "round_robin", "turns": 3}
    stage.set(
        agent("round", looker("writer"), *crew("critic"), strategy=strategy),
        {"writer": [looks("A"), "A draft.", "A better draft."], "critic": "Too short."},
    )
    done = wired("run", ".", "Write.")
    assert (done.returncode, done.stdout) == (0, "A better draft.\n")
    assert stage.order == ["writer", "writer", "critic", "writer"]
    assert stage.shown("critic") == ["user: Write.\n\n[writer] A draft."]
    assert stage.shown("writer", 3) == [
        "user: Write.",
        "assistant:  [look]",
        "tool: A is fine",
        "assistant: A draft.",
        "user: [critic] Too short.",
    ]
    assert stage.looked == ["A"], "its own tool exchanges are kept, so it does not look again"


def test_a_round_has_as_many_turns_as_agents_and_ends_by_the_last_turns_words(stage: Stage) -> None:
    stage.set(agent("round", *crew("a", "b", "c"), strategy="round_robin"))
    run = stage.run()
    assert (run.answer, run.path, stage.order) == ("c is done", ("round", "c"), ["a", "b", "c"])
    strategy: Json = {"type": "round_robin", "turns": 9, "stop_if": {"text": "b is done"}}
    stage.set(agent("round", *crew("a", "b", "c"), strategy=strategy))
    assert (stage.run().answer, stage.order[3:]) == ("b is done", ["a", "b"])


def test_a_closing_call_is_made_only_where_the_file_says_so(stage: Stage) -> None:
    strategy: Json = {"type": "round_robin", "synthesize": True}
    stage.set(agent("round", *crew("a", "b"), strategy=strategy), {"round": "All in one."})
    run = stage.run("Go.")
    assert (run.answer, run.agent, stage.order) == ("All in one.", "round", ["a", "b", "round"])
    (closing,) = stage.shown("round")
    assert closing.startswith("user: Go.\n\n[a] a is done\n\n[b] b is done\n\n[round] ")
    assert stage.seen("round").tools == []


def test_chance_resumes_to_the_same_draws(stage: Stage, wired: Desk) -> None:
    strategy: Json = {"type": "random", "turns": 6}
    lottery = agent("lottery", *crew("a", "b", "c"), strategy=strategy)
    stage.set(lottery, dict.fromkeys("abc", BROKEN))
    assert wired("run", "--run-id", "r", ".", "Go.").returncode == 1
    (first,) = stage.order
    stage.set(lottery)
    assert wired("resume", "r").returncode == 0
    decisions = agentctl.open_run("r", runs_dir=stage.runs).decisions
    drawn = [chosen for decision in decisions for chosen in decision.chosen]
    assert (drawn[0], len(drawn)) == (first, 6)
    assert stage.order == [first, *drawn]
    assert stage.shown(drawn[1], 2 if drawn[1] == first else 1)[0].startswith("user: Go.")


def test_a_stated_seed_draws_the_same_in_every_run(stage: Stage) -> None:
    strategy: Json = {"type": "random", "turns": 8, "seed": 7, "weights": {"a": 3, "b": 1}}
    stage.set(agent("lottery", *crew("a", "b", "c"), strategy=strategy))
    stage.run()
    first = list(stage.order)
    stage.run()
    assert stage.order == first + first
    assert set(first) <= {"a", "b"}, "who has no weight is never drawn"


def test_a_draw_is_one_call_and_no_model_decides(stage: Stage) -> None:
    stage.set(agent("lottery", *crew("a", "b"), strategy={"type": "random", "weights": {"b": 1}}))
    run = stage.run("Go.")
    assert (run.answer, run.path, stage.order) == ("b is done", ("lottery", "b"), ["b"])
    assert stage.shown("b") == ["user: Go."]
    assert [one.by for one in run.decisions] == ["chance"]
