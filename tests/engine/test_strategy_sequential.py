"""sequential: order, what each stage sees by `pass` and `context`, stop_if, failures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from agentctl.jsontypes import Json
from agentctl.spec.settings import Retry
from agentctl.spec.strategies import Sequential, StopIf
from agentctl.spec.team import Agent
from engine.harness import Ran, Saying, Stage, agent, broken, function, leaves, play, resumed_everywhere

SAYS = {"a": "A says", "b": "B says", "c": "C says"}


def chain(options: Sequential, members: Sequence[Agent] = ()) -> Stage:
    root = agent("chain", strategy=options, agents=members or leaves("a", "b", "c"))
    return Stage(root=root, says=SAYS)


def run(options: Sequential, members: Sequence[Agent] = ()) -> Ran:
    return play(chain(options, members))


def test_each_stage_sees_the_request_and_the_output_before_it() -> None:
    ran = run(Sequential())
    assert ran.order == ["a", "b", "c"]
    assert ran.shown("a") == ["user: What now?"]
    assert ran.shown("b") == ["user: What now?", "user: [a] A says"]
    assert ran.shown("c") == ["user: What now?", "user: [b] B says"]
    assert (ran.answer, ran.path, ran.ended.data["agent"]) == ("C says", ["chain", "c"], "c")
    assert ran.executions == ["chain", "chain/a.1", "chain/b.1", "chain/c.1"]
    assert ran.decisions == []


def test_output_passes_nothing_but_the_output() -> None:
    ran = run(Sequential(pass_="output"))
    assert ran.shown("a") == ["user: What now?"]
    assert ran.shown("b") == ["user: A says"]
    assert ran.shown("c") == ["user: B says"]


def test_all_passes_every_earlier_output() -> None:
    ran = run(Sequential(pass_="all"))
    assert ran.shown("c") == ["user: What now?", "user: [a] A says", "user: [b] B says"]


def test_a_stage_with_a_context_of_its_own_goes_by_that() -> None:
    members = [agent("a"), agent("b", context="task"), agent("c", context="conversation")]
    ran = run(Sequential(), members)
    assert ran.shown("b") == ["user: A says"]
    assert ran.shown("c") == ["user: What now?", "user: [a] A says", "user: [b] B says"]


@pytest.mark.parametrize("stop_if", [StopIf(text="B s"), StopIf(regex="^B"), StopIf(text="A says")])
def test_stop_if_ends_the_chain_with_the_output_so_far(stop_if: StopIf) -> None:
    ran = run(Sequential(stop_if=stop_if))
    last = "a" if stop_if.text == "A says" else "b"
    assert ran.order == ["a", "b"][: "ab".index(last) + 1]
    assert (ran.answer, ran.path) == (SAYS[last], ["chain", last])
    [(chosen, by, reason)] = ran.decisions
    assert (chosen, by) == ([], "rule")
    assert reason.startswith(f"ends here: the answer of '{last}' ")


def test_stop_if_minds_case() -> None:
    assert run(Sequential(stop_if=StopIf(text="b says"))).order == ["a", "b", "c"]


def test_stop_if_by_function_is_given_the_conversation() -> None:
    seen: list[Json] = []

    def enough(conversation: list[dict[str, str]]) -> bool:
        seen.append([f"{one['agent']}: {one['text']}" for one in conversation])
        return conversation[-1]["agent"] == "b"

    stage = chain(Sequential(stop_if=StopIf(function=function("enough"))))
    stage.functions = {"enough": enough}
    ran = play(stage)
    assert (ran.answer, ran.order) == ("B says", ["a", "b"])
    assert seen == [["user: What now?", "a: A says"], ["user: What now?", "a: A says", "b: B says"]]
    assert ran.decisions[0][1] == "function"


def test_the_last_stage_is_not_judged() -> None:
    ran = run(Sequential(stop_if=StopIf(text="C says")))
    assert (ran.answer, ran.decisions) == ("C says", [])


def test_a_failed_stage_fails_the_run_and_a_resume_starts_there() -> None:
    stage = chain(Sequential())
    stage.says = {**SAYS, "b": broken()}
    ran = play(stage)
    assert (ran.ended.ev, ran.order) == ("run.failed", ["a", "b"])
    assert ran.error["execution"] == "chain/b.1"
    mended = play(chain(Sequential()), ran.records)
    assert (mended.answer, mended.order) == ("C says", ["b", "c"])


def test_a_stage_is_retried_on_its_own() -> None:
    failing: list[Saying] = [broken(), "B says"]
    stage = chain(Sequential(), [agent("a"), agent("b", retry=Retry(attempts=2, delay=0)), agent("c")])
    stage.says = {**SAYS, "b": lambda _: failing.pop(0)}
    ran = play(stage)
    assert (ran.answer, ran.order) == ("C says", ["a", "b", "b", "c"])
    assert "chain/b.1~2" in ran.executions


def test_synthesize_adds_one_closing_call_that_sees_every_output() -> None:
    stage = chain(Sequential(synthesize=True))
    stage.says = {**SAYS, "chain": "all in all"}
    ran = play(stage)
    assert ran.order == ["a", "b", "c", "chain"]
    assert ran.shown("chain")[:4] == [
        "user: What now?",
        "user: [a] A says",
        "user: [b] B says",
        "user: [c] C says",
    ]
    assert (ran.answer, ran.path) == ("all in all", ["chain"])


def test_a_chain_inside_a_chain_is_given_what_came_before() -> None:
    inner = agent("inner", strategy=Sequential(), agents=leaves("b", "c"))
    ran = run(Sequential(), [agent("a"), inner])
    assert ran.shown("b") == ["user: What now?", "user: [a] A says"]
    assert ran.shown("c") == ["user: What now?", "user: [a] A says", "user: [b] B says"]
    assert ran.path == ["chain", "inner", "c"]


@pytest.mark.parametrize(
    "options", [Sequential(), Sequential(stop_if=StopIf(text="B")), Sequential(synthesize=True)]
)
def test_it_resumes_from_every_record_to_the_same_end(options: Sequential) -> None:
    resumed_everywhere(partial(chain, options))
