"""Runs taken up at every record: what is under way then is handled by its rule, whatever it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from agentctl.journal.records import Record
from agentctl.jsontypes import Json, JsonObject
from agentctl.spec.settings import Retry
from agentctl.spec.strategies import Handoff, Manual, RoundRobin, Router, Sequential, StopIf, Strategy
from engine.harness import Stage, agent, broken, call, calls, function, leaves, play, tool

TURNS: Sequence[tuple[Strategy, Callable[..., Json]]] = [
    (Router(by=function("by")), lambda request, agents: "b"),
    (Manual(choose=function("by")), lambda said, agents: "a" if len(said) == 1 else None),
    (Sequential(stop_if=StopIf(function=function("by"))), lambda said: said[-1]["text"] == "a is done"),
    (RoundRobin(turns=2, stop_if=StopIf(function=function("by"))), lambda said: len(said) > 2),
]


@pytest.mark.parametrize(("strategy", "answers"), TURNS, ids=["by", "choose", "stop_if", "stop_if of turns"])
def test_a_function_that_finished_is_not_called_again_and_one_under_way_is(
    strategy: Strategy, answers: Callable[..., Json]
) -> None:
    called: list[Sequence[Json]] = []

    def by(*given: Json) -> Json:
        called.append(given)
        return answers(*given)

    team = Stage(root=agent("desk", strategy=strategy, agents=leaves("a", "b")), functions={"by": by})
    whole = play(team)
    asked = list(called)
    assert whole.ended.ev == "run.completed"
    assert asked
    for cut, newest in enumerate(whole.records[:-1], start=1):
        called.clear()
        kept = whole.records[:cut]
        assert play(team, kept).answer == whole.answer
        finished = sum(record.ev == "function.completed" for record in kept)
        assert called == asked[finished:], f"cut after {newest.ev} {newest.step}"


def test_a_timer_that_a_crash_cut_short_goes_on_to_its_deadline_and_never_beyond_its_length() -> None:
    """The deadline is past by now, or the clock went back since and it lies an hour ahead."""
    retry = Retry(attempts=2, delay=0.01, max_delay=0.01)
    root = agent("desk", strategy=Sequential(), agents=[agent("a", retry=retry)])
    whole = play(Stage(root=root, says={"a": broken()}))
    cut = next(at for at, one in enumerate(whole.records, start=1) if one.ev == "timer.started")
    for ahead in (-3600, 3600):
        timer = whole.records[cut - 1]
        moved = replace(timer, data={"deadline": time.time() + ahead})
        resumed = play(Stage(root=root), [*whole.records[: cut - 1], moved])
        assert resumed.answer == "a is done"
        assert resumed.executions[-1] == "desk/a.1~2", "the attempt that it waited for"
        assert [one.ev for one in resumed.records].count("timer.started") == 1


def test_a_denial_reaches_the_model_with_its_reason_also_after_a_crash() -> None:
    paid: list[str] = []

    def pays(_arguments: JsonObject) -> str:
        paid.append("paid")
        return "paid"

    pay = tool("pay", pays, approve=True)
    clerk = Stage(
        root=agent("desk", strategy=Handoff(), agents=leaves("clerk")),
        says={
            "desk": calls(call("transfer_to_clerk")),
            "clerk": [calls(call("pay", '{"n": 3}')), "Not paid."],
        },
        tools={"clerk": [pay]},
    )
    waiting = play(clerk)
    question = "desk/clerk.1/turn-1/call-1.pay/approve"
    given: Json = {"approve": False, "reason": "too dear"}
    ran = play(clerk, waiting.records, signals={question: given})
    assert (ran.answer, paid) == ("Not paid.", [])
    assert "too dear" in ran.shown("clerk")[-1]
    answered = next(at for at, one in enumerate(ran.records, start=1) if one.ev == "wait.completed")
    again = play(clerk, ran.records[:answered])
    assert (again.answer, again.shown("clerk")[-1], paid) == ("Not paid.", ran.shown("clerk")[-1], [])


def test_a_second_answer_to_a_question_changes_nothing() -> None:
    manual = Stage(root=agent("desk", strategy=Manual(turns=1), agents=leaves("a", "b")))
    waiting = play(manual)

    def answer(name: str) -> Record:
        value: Json = {"choose": name}
        data: dict[str, Json] = {"kind": "answer", "value": value}
        return replace(waiting.records[-1], ev="signal.received", step="desk/choose-1", data=data)

    ran = play(manual, [*waiting.records, answer("b"), answer("a")])
    assert ran.answer == "b is done"
