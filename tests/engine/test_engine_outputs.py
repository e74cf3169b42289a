"""Structured answers: read tolerantly, mended within bounds, wherever an agent's own model answers."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from agentctl.models.messages import Reply
from agentctl.spec.strategies import Handoff, Parallel, PlanExecute, Swarm
from agentctl.tools.outputs import schema_shape
from engine.harness import Ran, Say, Stage, agent, call, calls, passes, play, resumed_everywhere, tool

SHAPE = schema_shape({"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"]})
FITS = '{"total": 12}'


def solo(*says: Say, retries: int = 2, tools: bool = False) -> Stage:
    root = replace(agent("solo"), output=SHAPE.schema, output_retries=retries)
    mine = {"solo": [tool("look", lambda _: "12", idempotent=True)]} if tools else {}
    return Stage(root=root, says={"solo": list(says)}, outputs={"solo": SHAPE}, tools=mine)


def output(ran: Ran) -> object:
    return ran.ended.data.get("output")


@pytest.mark.parametrize(
    "text",
    [
        FITS,
        f"  {FITS}\n",
        f"```json\n{FITS}\n```",
        f"Here it is:\n```\n{FITS}\n```\nAnything else?",
        f"The total is {FITS} as asked.",
    ],
)
def test_fences_and_words_around_it_are_tolerated(text: str) -> None:
    ran = play(solo(text))
    assert output(ran) == {"total": 12}
    assert ran.answer == FITS
    assert len(ran.order) == 1


def test_the_shape_goes_with_the_request() -> None:
    ran = play(solo(FITS))
    assert ran.model.saw[0].schema == SHAPE.schema


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("It is twelve.", "there is no JSON value in it"),
        ('{"total": "x"}', "total must be a number"),
        ('{"total": NaN}', "NaN is no number in JSON"),
        ('{"total": 1, "total": 2}', 'the key "total" stands in it twice'),
        ('{"total": 1} or {"total": 2}', "there are several JSON values in it"),
        ("{}", 'has no key "total"'),
    ],
)
def test_an_answer_of_another_shape_goes_back_with_the_reason(wrong: str, told: str) -> None:
    ran = play(solo(wrong, FITS))
    assert output(ran) == {"total": 12}
    assert told in ran.shown("solo", 2)[-1]


def test_mending_ends_after_output_retries() -> None:
    ran = play(solo("No."))
    assert ran.error["code"] == "invalid-output"
    assert "asked 3 times" in str(ran.error["message"])
    assert len(ran.order) == 3
    assert len(play(solo("No.", retries=0)).order) == 1


def test_an_answer_that_is_cut_for_good_is_not_asked_for_again() -> None:
    cut = Reply(text='{"total": ', finish="length")
    ran = play(solo(cut))
    assert ran.error["code"] == "invalid-output"
    assert "was cut at its length limit" in str(ran.error["message"])
    assert len(ran.order) == 3


def test_thoughts_without_their_beginning_are_left_out() -> None:
    assert output(play(solo(f'hm {{"total": 1}}</think>{FITS}'))) == {"total": 12}


def test_a_mending_turn_offers_no_tools() -> None:
    ran = play(solo(calls(call("look")), "It is twelve.", FITS, tools=True))
    assert output(ran) == {"total": 12}
    assert [len(request.tools) for request in ran.model.saw] == [1, 1, 0]


def test_a_null_answer_is_told_from_none() -> None:
    anything = schema_shape({"type": ["null", "object"]})
    root = replace(agent("solo"), output=anything.schema)
    ran = play(Stage(root=root, says={"solo": "null"}, outputs={"solo": anything}))
    assert "output" in ran.ended.data
    assert output(ran) is None


def test_text_that_fits_by_itself_needs_no_quotes() -> None:
    word = schema_shape({"enum": ["yes", "no"]})
    root = replace(agent("solo"), output=word.schema)
    ran = play(Stage(root=root, says={"solo": " yes\n"}, outputs={"solo": word}))
    assert (output(ran), ran.answer) == ("yes", "yes")


def test_the_supervisor_of_a_handoff_answers_in_shape_and_a_specialist_in_its_own() -> None:
    def desk(*says: Say) -> Stage:
        root = replace(agent("desk", strategy=Handoff(), agents=[agent("one")]), output=SHAPE.schema)
        return Stage(root=root, says={"desk": list(says), "one": "In words."}, outputs={"desk": SHAPE})

    assert output(play(desk("Twelve.", FITS))) == {"total": 12}
    passed = play(desk(passes("one")))
    assert (passed.answer, "output" in passed.ended.data) == ("In words.", False)


def test_what_a_specialist_answers_in_shape_is_the_runs_output() -> None:
    one = replace(agent("one"), output=SHAPE.schema)
    stage = Stage(
        root=agent("desk", strategy=Handoff(), agents=[one]),
        says={"desk": passes("one"), "one": FITS},
        outputs={"one": SHAPE},
    )
    ran = play(stage)
    assert (output(ran), ran.path) == ({"total": 12}, ["desk", "one"])


def test_a_member_of_a_swarm_answers_in_shape() -> None:
    two = replace(agent("two"), output=SHAPE.schema)
    stage = Stage(
        root=agent("swarm", strategy=Swarm(), agents=[agent("one"), two]),
        says={"one": passes("two"), "two": ["Twelve.", FITS]},
        outputs={"two": SHAPE},
    )
    assert output(play(stage)) == {"total": 12}


def test_the_closing_answer_has_the_shape_and_is_mended() -> None:
    root = agent("team", strategy=Parallel(synthesize=True), agents=[agent("one"), agent("two")])
    stage = Stage(
        root=replace(root, output=SHAPE.schema),
        says={"team": ["Twelve.", FITS]},
        outputs={"team": SHAPE},
    )
    ran = play(stage)
    assert output(ran) == {"total": 12}
    assert [record.step for record in ran.events("model.completed")][-2:] == [
        "team/synthesis",
        "team/synthesis.1",
    ]


def test_a_planner_answers_in_shape() -> None:
    plan = json.dumps({"steps": [{"id": "a", "agent": "one", "task": "count", "depends_on": []}]})
    end = [json.dumps({"steps": [], "answer": answer}) for answer in ("Twelve.", FITS)]
    root = agent("team", strategy=PlanExecute(), agents=[agent("one")])
    stage = Stage(
        root=replace(root, output=SHAPE.schema), says={"team": [plan, *end]}, outputs={"team": SHAPE}
    )
    ran = play(stage)
    assert output(ran) == {"total": 12}
    assert "fits this JSON Schema" in ran.shown("team")[0]


def test_it_resumes_from_each_of_its_records() -> None:
    resumed_everywhere(lambda: solo(calls(call("look")), "Twelve.", "{}", FITS, tools=True))


def test_numbers_of_turns_count_in_the_turns_limit() -> None:
    root = replace(agent("solo", limits={"turns": 2}), output=SHAPE.schema)
    ran = play(Stage(root=root, says={"solo": "No."}, outputs={"solo": SHAPE}))
    assert ran.ended.ev == "run.limit"
