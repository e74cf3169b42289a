"""round_robin and random: who has each turn, what it sees, when it ends, and that a resume draws the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial

import pytest

from agentctl.jsontypes import Json
from agentctl.spec.strategies import Random, RoundRobin, StopIf, Strategy
from engine.harness import (
    Ran,
    Say,
    Stage,
    agent,
    broken,
    call,
    calls,
    function,
    leaves,
    play,
    resumed_everywhere,
    tool,
)

SAYS: Mapping[str, Say] = {"editor": "a draft", "critic": "too long"}


def table(strategy: Strategy) -> Stage:
    root = agent("table", strategy=strategy, agents=leaves("editor", "critic"))
    return Stage(root=root, says=SAYS)


def run(strategy: Strategy) -> Ran:
    return play(table(strategy))


def test_each_member_has_one_turn_by_default() -> None:
    ran = run(RoundRobin())
    assert ran.order == ["editor", "critic"]
    assert (ran.answer, ran.path) == ("too long", ["table", "critic"])
    assert ran.decisions == [(["editor"], "rotation", "turn 1 of 2"), (["critic"], "rotation", "turn 2 of 2")]


def test_turns_go_round_and_each_sees_the_conversation_so_far() -> None:
    ran = run(RoundRobin(turns=3))
    assert ran.order == ["editor", "critic", "editor"]
    assert ran.shown("critic") == ["user: What now?", "user: [editor] a draft"]
    assert ran.shown("editor", 2) == ["user: What now?", "assistant: a draft", "user: [critic] too long"]
    assert ran.executions == ["table", "table/editor.1", "table/critic.1", "table/editor.2"]
    assert ran.ended.ev == "run.completed"


def test_a_member_with_context_task_sees_the_request_alone() -> None:
    root = agent("table", strategy=RoundRobin(), agents=[agent("editor"), agent("critic", context="task")])
    assert play(Stage(root=root, says=SAYS)).shown("critic") == ["user: What now?"]


def test_stop_if_judges_each_turn_alone() -> None:
    stage = table(RoundRobin(turns=6, stop_if=StopIf(text="APPROVED")))
    stage.says = {"editor": "a draft", "critic": lambda one: "APPROVED" if len(one.messages) > 3 else "no"}
    ran = play(stage)
    assert (ran.order, ran.answer) == (["editor", "critic", "editor", "critic"], "APPROVED")
    assert ran.decisions[-1] == ([], "rule", "ends here: the answer of 'critic' contains 'APPROVED'")


def test_stop_if_may_be_a_function() -> None:
    stage = table(RoundRobin(turns=6, stop_if=StopIf(function=function("enough"))))
    stage.functions = {"enough": lambda conversation: len(conversation) == 4}
    assert len(play(stage).order) == 3


@pytest.mark.parametrize(
    ("returned", "told"),
    [(True, "true"), ("maybe", '"maybe"'), (2, "2"), ({"stop": False}, '{"stop":false}')],
)
def test_the_record_says_what_a_stop_function_returned(returned: Json, told: str) -> None:
    stage = table(RoundRobin(turns=6, stop_if=StopIf(function=function("enough"))))
    stage.functions = {"enough": lambda _conversation: returned}
    ran = play(stage)
    assert ran.order == ["editor"]
    assert ran.decisions[-1] == ([], "function", f"ends here: tools:enough returned {told}")


def test_a_long_value_of_a_stop_function_is_cut_in_the_record() -> None:
    stage = table(RoundRobin(turns=6, stop_if=StopIf(function=function("enough"))))
    stage.functions = {"enough": lambda _conversation: "x" * 999}
    assert len(play(stage).decisions[-1][2]) < 150


@pytest.mark.parametrize("returned", [False, None, "", 0, []])
def test_what_python_takes_for_false_does_not_stop(returned: Json) -> None:
    stage = table(RoundRobin(turns=2, stop_if=StopIf(function=function("enough"))))
    stage.functions = {"enough": lambda _conversation: returned}
    assert play(stage).order == ["editor", "critic"]


def test_a_failed_member_fails_it() -> None:
    stage = table(RoundRobin())
    stage.says = {**SAYS, "editor": broken()}
    assert play(stage).ended.ev == "run.failed"


def test_a_member_that_has_another_turn_keeps_its_own_tool_exchanges() -> None:
    look = tool("look", lambda _: "42")
    stage = table(RoundRobin(turns=3))
    stage.tools = {"editor": [look]}
    stage.says = {"editor": [calls(call("look")), "it is 42"], "critic": "sure?"}
    ran = play(stage)
    assert ran.shown("critic") == ["user: What now?", "user: [editor] it is 42"]
    assert ran.shown("editor", 3) == [
        "user: What now?",
        "assistant:  [look]",
        "tool: 42",
        "assistant: it is 42",
        "user: [critic] sure?",
    ]


def test_random_draws_one_by_default() -> None:
    ran = run(Random(seed=7))
    [drawn] = ran.order
    [(chosen, by, reason)] = ran.decisions
    assert (chosen, by, reason) == ([drawn], "chance", "weight 1 of 2, seed 7")
    assert ran.path == ["table", drawn]


def test_a_seed_makes_the_draws_repeatable() -> None:
    first = run(Random(seed=3, turns=20)).order
    assert run(Random(seed=3, turns=20)).order == first
    assert set(first) == {"editor", "critic"}
    assert run(Random(seed=4, turns=20)).order != first


def test_weights_say_how_often_each_is_drawn() -> None:
    drawn = Counter(run(Random(seed=1, turns=100, weights={"editor": 9, "critic": 1})).order)
    assert 80 <= drawn["editor"] <= 97
    assert run(Random(turns=20, weights={"critic": 1})).order == ["critic"] * 20


def test_without_a_seed_the_drawn_one_is_on_record_and_a_resume_draws_the_same() -> None:
    whole = run(Random(turns=6))
    seeds = {reason.partition("seed ")[2] for _, _, reason in whole.decisions}
    assert len(seeds) == 1
    for cut in range(1, len(whole.records)):
        if any(one.ev == "draw.completed" for one in whole.records[:cut]):
            resumed = play(table(Random(turns=6)), whole.records[:cut])
            assert [one[0] for one in resumed.decisions] == [one[0] for one in whole.decisions]


def test_two_runs_without_a_seed_draw_by_different_ones() -> None:
    first, second = run(Random()), run(Random())
    assert first.events("draw.completed")[0].data["out"] != second.events("draw.completed")[0].data["out"]


@pytest.mark.parametrize(
    "strategy",
    [
        RoundRobin(turns=3),
        RoundRobin(turns=5, stop_if=StopIf(regex="long$")),
        RoundRobin(synthesize=True),
        Random(seed=5, turns=3),
        Random(seed=5, weights={"editor": 2, "critic": 1}, turns=2, synthesize=True),
    ],
)
def test_it_resumes_from_every_record_to_the_same_end(strategy: Strategy) -> None:
    resumed_everywhere(partial(table, strategy))
