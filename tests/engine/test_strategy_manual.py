"""manual: whoever chooses is asked, nothing by default; waiting, unknown names, failures, functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from agentctl.jsontypes import Json, JsonObject, as_list, as_object
from agentctl.spec.strategies import Manual, Parallel
from engine.harness import Ran, Say, Stage, agent, broken, function, leaves, person, play, resumed_everywhere

BILLING: Json = {"choose": "billing"}
FINISH: Json = {"finish": True}


def desk(*answers: Json, options: Manual | None = None) -> Stage:
    root = agent("desk", strategy=options or Manual(), agents=leaves("billing", "tech"))
    ask = person(*answers) if answers else None
    return Stage(root=root, says={"billing": "It is 12.", "tech": "It is sent."}, ask=ask)


def test_away_from_a_terminal_it_waits_and_chooses_nothing() -> None:
    ran = play(desk())
    assert (ran.ended.ev, ran.order) == ("run.waiting", [])
    [question] = as_list(ran.ended.data["waiting_for"])
    assert as_object(question) == {
        "step": "desk/choose-1",
        "kind": "choose",
        "question": "Which agent of 'desk' goes next?",
        "choices": ["billing", "tech", "finish"],
        "command": "answer",
        "agents": {"billing": "does billing", "tech": "does tech"},
        "last": "",
    }
    [waits] = ran.events("wait.started")
    assert as_object(waits.data["request"])["agents"] == {"billing": "does billing", "tech": "does tech"}


def test_an_answer_from_elsewhere_goes_on_and_the_next_question_waits() -> None:
    waiting = play(desk())
    ran = play(desk(), waiting.records, signals={"desk/choose-1": BILLING})
    assert (ran.ended.ev, ran.order) == ("run.waiting", ["billing"])
    assert as_object(as_list(ran.ended.data["waiting_for"])[0])["step"] == "desk/choose-2"
    request = as_object(ran.events("wait.started")[-1].data["request"])
    assert request["last"] == "It is 12."
    assert as_object(as_list(ran.ended.data["waiting_for"])[0])["last"] == "It is 12."
    done = play(desk(), ran.records, signals={"desk/choose-2": FINISH})
    assert (done.answer, done.path, done.order) == ("It is 12.", ["desk", "billing"], [])


def test_at_a_terminal_the_person_is_asked_until_they_finish() -> None:
    ran = play(desk(BILLING, {"choose": "tech", "reason": "to be sure"}, FINISH))
    assert ran.order == ["billing", "tech"]
    assert (ran.answer, ran.path) == ("It is sent.", ["desk", "tech"])
    assert ran.decisions == [
        (["billing"], "person", ""),
        (["tech"], "person", "to be sure"),
        ([], "person", "finished"),
    ]
    assert ran.shown("tech") == ["user: What now?", "user: [billing] It is 12."]


def test_finish_may_be_said_as_a_choice() -> None:
    assert play(desk(BILLING, {"choose": "finish"})).answer == "It is 12."


@pytest.mark.parametrize("answer", [{"choose": "sales"}, {}, "billing", None, {"choose": 3}])
def test_an_answer_that_names_nobody_is_asked_again(answer: Json) -> None:
    waiting = play(desk())
    ran = play(desk(), waiting.records, signals={"desk/choose-1": answer})
    if answer is None:
        assert as_object(as_list(ran.ended.data["waiting_for"])[0])["step"] == "desk/choose-1"
        return
    [question] = as_list(ran.ended.data["waiting_for"])
    assert as_object(question)["step"] == "desk/choose-2"
    assert "There is no agent '" in str(as_object(question)["question"])
    assert ran.order == []


def test_a_failure_is_shown_and_the_choice_is_open_again() -> None:
    asked: list[JsonObject] = []
    given = [BILLING, {"choose": "tech"}, FINISH]

    async def ask(request: JsonObject) -> Json:
        asked.append(request)
        return given.pop(0)

    stage = desk()
    stage.says, stage.ask = {"billing": broken(), "tech": "It is sent."}, ask
    ran = play(stage)
    assert (ran.ended.ev, ran.answer) == ("run.completed", "It is sent.")
    failure = "'billing' failed: the model is out of order"
    assert [one["last"] for one in asked] == ["", failure, "It is sent."]
    assert asked[1]["question"] == f"{failure}. Which agent of 'desk' goes next?"
    assert ran.shown("tech") == ["user: What now?"]


def test_finishing_before_anybody_answered_is_no_success() -> None:
    ran = play(desk(FINISH))
    assert (ran.ended.ev, ran.error["code"]) == ("run.failed", "manual-nobody")
    again = play(desk(BILLING, FINISH), ran.records)
    assert again.answer == "It is 12."


def test_turns_bound_it_and_reaching_them_is_completion() -> None:
    ran = play(desk(BILLING, BILLING, BILLING, options=Manual(turns=2)))
    assert (ran.ended.ev, ran.order) == ("run.completed", ["billing", "billing"])
    assert ran.executions == ["desk", "desk/billing.1", "desk/billing.2"]


def test_turns_that_all_failed_are_no_success() -> None:
    stage = desk(BILLING, BILLING, options=Manual(turns=2))
    stage.says = {"billing": broken()}
    ran = play(stage)
    assert ran.error["code"] == "manual-nobody"
    assert "the model is out of order" in str(ran.error["message"])


def chosen_by(choose: Callable[..., object], **says: Say) -> Stage:
    stage = desk(options=Manual(choose=function("choose"), turns=4))
    stage.functions = {"choose": choose}
    stage.says = {**stage.says, **says}
    return stage


def test_a_function_chooses_from_the_conversation_and_none_finishes() -> None:
    seen: list[list[JsonObject]] = []

    def choose(conversation: list[JsonObject], agents: JsonObject) -> str | None:
        assert agents == {"billing": "does billing", "tech": "does tech"}
        seen.append(conversation)
        return ["billing", "tech", None][len(conversation) - 1]

    ran = play(chosen_by(choose))
    assert (ran.answer, ran.order) == ("It is sent.", ["billing", "tech"])
    assert seen[2] == [
        {"agent": "user", "text": "What now?"},
        {"agent": "billing", "text": "It is 12."},
        {"agent": "tech", "text": "It is sent."},
    ]
    assert [by for _, by, _ in ran.decisions] == ["function"] * 3


def test_a_function_is_told_a_failure() -> None:
    def choose(conversation: list[JsonObject], _agents: JsonObject) -> str | None:
        last = conversation[-1]
        return None if last["agent"] == "tech" else "tech" if last.get("failed") else "billing"

    ran = play(chosen_by(choose, billing=broken()))
    assert (ran.answer, ran.order) == ("It is sent.", ["billing", "tech"])


def test_a_function_that_returns_an_unknown_name_fails_and_says_which_returned_what() -> None:
    ran = play(chosen_by(lambda *_: "sales"))
    assert ran.error["code"] == "manual-unknown"
    assert "'tools:choose'" in str(ran.error["message"])
    assert '"sales"' in str(ran.error["message"])


def test_an_agent_may_be_called_finish() -> None:
    root = agent("desk", strategy=Manual(turns=1), agents=leaves("finish", "tech"))
    assert play(Stage(root=root, ask=person({"choose": "finish"}))).path == ["desk", "finish"]


def test_while_one_waits_other_branches_go_on() -> None:
    inner = agent("desk", strategy=Manual(turns=1), agents=leaves("billing", "tech"))
    root = agent("panel", strategy=Parallel(), agents=[inner, agent("other")])
    ran = play(Stage(root=root))
    assert (ran.ended.ev, ran.order) == ("run.waiting", ["other"])
    done = play(Stage(root=root), ran.records, signals={"panel/desk.1/choose-1": {"choose": "tech"}})
    assert done.order == ["tech"]
    assert done.answer == "## desk\n\ntech is done\n\n## other\n\nother is done"


def test_it_resumes_from_every_record_to_the_same_end() -> None:
    def choose(conversation: list[JsonObject], _agents: JsonObject) -> str | None:
        return ["billing", "tech", None][len(conversation) - 1]

    resumed_everywhere(partial(chosen_by, choose))
    resumed_everywhere(partial(chosen_by, choose, billing=broken()))


def finished(*answers: Json) -> Ran:
    return play(desk(*answers))


def test_a_person_is_not_asked_again_what_they_answered() -> None:
    whole = finished(BILLING, {"choose": "tech"}, FINISH)
    answers: list[Json] = [BILLING, {"choose": "tech"}, FINISH]
    for cut in range(1, len(whole.records)):
        given = sum(one.ev == "wait.completed" for one in whole.records[:cut])
        assert play(desk(*answers[given:]), whole.records[:cut]).answer == "It is sent."
