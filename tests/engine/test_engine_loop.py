"""The loop of a single agent: calls answered once, bad calls told, empty and cut replies, repetition."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from agentctl.errors import FatalToolError
from agentctl.jsontypes import Json, JsonObject
from agentctl.models.messages import Reply
from agentctl.tools.tool import Tool
from engine.harness import Ran, Say, Stage, agent, call, calls, person, play, tool


def solo(*says: Say, tools: Sequence[Tool] = ()) -> Stage:
    mine = tools or [tool("look", lambda arguments: f"saw {arguments.get('at', 'all')}", idempotent=True)]
    return Stage(root=agent("solo", instructions="Do it."), says={"solo": list(says)}, tools={"solo": mine})


def results(ran: Ran) -> list[str]:
    """The tool results that the last request showed."""
    return [
        line.removeprefix("tool: ") for line in ran.shown("solo", len(ran.order)) if line.startswith("tool:")
    ]


def test_a_turn_without_calls_is_the_answer() -> None:
    ran = play(solo("It is done."))
    assert (ran.answer, ran.path) == ("It is done.", ["solo"])
    assert ran.shown("solo") == ["system: Do it.", "user: What now?"]


def test_all_calls_of_a_turn_run_and_are_answered_in_call_order() -> None:
    two = calls(call("look", '{"at": "b"}', call_id="1"), call("look", '{"at": "a"}', call_id="2"))
    ran = play(solo(two, "Done."))
    assert results(ran) == ["saw b", "saw a"]
    assert [record.step for record in ran.events("tool.completed")] == [
        "solo/turn-1/call-1.look",
        "solo/turn-1/call-2.look",
    ]


@pytest.mark.parametrize("raw", ["", "null", "  "])
def test_no_arguments_are_an_empty_object(raw: str) -> None:
    assert results(play(solo(calls(call("look", raw)), "Done."))) == ["saw all"]


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ('{"at": "b', "not valid JSON"),
        ("[1]", "must be a JSON object"),
        ('"b"', "must be a JSON object"),
        ("{" + "x" * 1000, "…"),
    ],
)
def test_unreadable_arguments_are_told_and_nothing_is_run(raw: str, told: str) -> None:
    ran = play(solo(calls(call("look", raw)), "Done.", tools=[tool("look", fail)]))
    assert ran.answer == "Done."
    assert told in results(ran)[0]
    assert len(results(ran)[0]) < 500


def fail(_arguments: JsonObject) -> str:
    raise AssertionError("it must not be called")


def test_an_unknown_tool_is_told_the_nearest_and_the_list() -> None:
    ran = play(solo(calls(call("lok")), "Done."))
    assert results(ran) == ["There is no tool 'lok'. Did you mean 'look'? Your tools are: look."]


def test_the_same_failing_call_three_times_ends_it() -> None:
    ran = play(solo(calls(call("lok"))))
    assert ran.ended.ev == "run.failed"
    assert ran.error["code"] == "repeated-call"
    assert len(ran.model.saw) == 3


def test_failing_calls_that_differ_go_on() -> None:
    tries = [calls(call("lok", f'{{"n": {n}}}')) for n in range(6)]
    assert play(solo(*tries, "Done.")).answer == "Done."


def test_an_empty_reply_is_nudged_once() -> None:
    ran = play(solo("  ", "Here."))
    assert ran.answer == "Here."
    assert ran.shown("solo", 2)[-1].startswith("user: Your reply was empty.")
    ran = play(solo("", ""))
    assert (ran.ended.ev, ran.error["code"]) == ("run.failed", "empty-reply")
    assert len(ran.model.saw) == 2


def test_a_cut_reply_is_continued_at_most_twice_and_comes_back_whole() -> None:
    cut = [Reply(text=part, finish="length") for part in ("one ", "two ", "three")]
    assert play(solo(*cut[:1], "end")).answer == "one end"
    ran = play(solo(*cut, "never asked"))
    assert ran.answer == "one two three"
    assert ran.shown("solo", 2)[-2] == "assistant: one "
    assert ran.shown("solo", 3)[-2] == "assistant: one two "


def test_a_fatal_tool_ends_the_run() -> None:
    def explode(_arguments: JsonObject) -> str:
        raise FatalToolError("the ledger is on fire")

    ran = play(solo(calls(call("look")), "Done.", tools=[tool("look", explode)]))
    assert (ran.ended.ev, ran.error["message"]) == ("run.failed", "the ledger is on fire")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"approve": True}, "sold"),
        (
            {"approve": False, "reason": "too dear"},
            "A person did not allow this call (too dear). It was not made.",
        ),
        ({"approve": False}, "A person did not allow this call. It was not made."),
    ],
)
def test_a_call_that_needs_consent(answer: Json, told: str) -> None:
    made = [tool("sell", lambda _: "sold", approve=True), tool("look", lambda _: "saw", idempotent=True)]
    stage = solo(calls(call("sell"), call("look")), "Done.", tools=made)
    waiting = play(stage)
    assert waiting.ended.ev == "run.waiting"
    assert len(waiting.events("tool.completed")) == 1, "the other call of the turn was not held up"
    step = "solo/turn-1/call-1.sell/approve"
    resumed = play(stage, waiting.records, signals={step: answer})
    assert resumed.answer == "Done."
    assert results(resumed) == [told, "saw"]
    stage.ask = person(answer)
    assert results(play(stage)) == [told, "saw"]


def test_consent_only_where_a_function_says_so() -> None:
    from engine.harness import function

    stage = solo(
        calls(call("sell", '{"at": 5}', call_id="1"), call("sell", '{"at": 500}', call_id="2")),
        "Done.",
        tools=[tool("sell", lambda _: "sold", approve=function("dear"))],
    )
    stage.functions = {"dear": lambda name, arguments: name == "sell" and arguments["at"] > 100}
    waiting = play(stage)
    assert [one.step for one in waiting.events("wait.started")] == ["solo/turn-1/call-2.sell/approve"]
