"""Guardrails: what they judge, what a rejection does, and that it is never read as a pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from agentctl.jsontypes import Json, JsonObject
from agentctl.spec.settings import Guardrail, GuardrailAction, GuardrailPlace
from agentctl.spec.strategies import Handoff, Parallel, PlanExecute, Router, Sequential
from agentctl.tools.outputs import schema_shape
from engine.harness import (
    SPAN,
    Ran,
    Say,
    Stage,
    agent,
    call,
    calls,
    function,
    passes,
    person,
    play,
    resumed_everywhere,
    tool,
)


def rail(
    on: GuardrailPlace,
    action: GuardrailAction = "fail",
    *,
    regex: str | None = None,
    by: str | None = None,
    message: str | None = None,
    replacement: str | None = None,
    tools: tuple[str, ...] = (),
    attempts: int = 2,
) -> Guardrail:
    return Guardrail(
        on=on,
        action=action,
        regex=regex,
        function=function(by) if by else None,
        message=message,
        replacement=replacement,
        tools=tools,
        attempts=attempts,
        span=SPAN,
    )


def solo(
    *rails: Guardrail,
    says: Say | list[Say] = "Fine.",
    judge: Callable[..., object] | None = None,
    request: str = "What now?",
    ran: Callable[[JsonObject], str] = lambda arguments: f"ran {arguments.get('at')}",
    idempotent: bool = False,
) -> Stage:
    return Stage(
        root=replace(agent("solo"), guardrails=rails),
        says={"solo": says},
        tools={"solo": [tool("look", ran, idempotent=idempotent)]},
        functions={"judge": judge} if judge else {},
        request=request,
    )


def failed(ran: Ran) -> str:
    assert ran.ended.ev == "run.failed", ran.ended
    assert ran.error["code"] == "guardrail"
    return str(ran.error["message"])


def test_an_input_is_rejected_before_anything_is_asked() -> None:
    ran = play(solo(rail("input", regex="(?i)password", message="no passwords"), request="My Password?"))
    assert failed(ran) == "the guardrail of agent 'solo' at team.yaml:4:3 rejected the request: no passwords"
    assert ran.order == []
    assert [one.step for one in ran.events("guardrail.completed")] == ["solo/input/guard-1.rejected"]


def test_an_input_is_fixed() -> None:
    ran = play(solo(rail("input", "fix", regex="[0-9]+", replacement="#"), request="card 1234, 99"))
    assert ran.shown("solo") == ["user: card #, #"]


def test_the_note_of_a_parent_is_input_too() -> None:
    one = replace(agent("one"), guardrails=(rail("input", regex="secret"),))
    stage = Stage(
        root=agent("desk", strategy=Handoff(), agents=[one]), says={"desk": passes("one", "a secret")}
    )
    assert "rejected the request" in failed(play(stage))


@pytest.mark.parametrize("verdict", [False, "it is rude", {"message": "it is rude"}])
def test_a_function_that_rejects_is_never_a_pass(verdict: Json) -> None:
    ran = play(solo(rail("output", by="judge"), judge=lambda text: verdict))
    assert ("it is rude" if verdict else "it is not allowed") in failed(ran)
    assert [one.step for one in ran.events("function.completed")] == ["solo/turn-1/guard-1"]


@pytest.mark.parametrize("verdict", [None, 1, 0, "", [], {}, {"ok": True}])
def test_no_verdict_is_not_a_pass_either(verdict: Json) -> None:
    assert "gave no verdict" in failed(play(solo(rail("output", by="judge"), judge=lambda text: verdict)))


def test_a_function_that_raises_fails_the_run() -> None:
    def judge(text: str) -> bool:
        raise ValueError(text)

    ran = play(solo(rail("output", by="judge"), judge=judge))
    assert ran.error["code"] == "function-failed"


def test_a_rejected_answer_is_asked_for_again() -> None:
    ran = play(solo(rail("output", "retry", regex="rude", message="be kind"), says=["rude", "kind"]))
    assert ran.answer == "kind"
    assert ran.shown("solo", 2)[-1] == "user: Not accepted (the answer): be kind"


def test_the_retries_are_bounded() -> None:
    ran = play(solo(rail("output", "retry", regex="rude", attempts=1), says="rude"))
    assert "rejected the answer 2 times" in failed(ran)
    assert len(ran.order) == 2
    assert [record.data["action"] for record in ran.events("guardrail.started")] == ["retry", "fail"]


def test_an_answer_is_fixed_and_judged_on() -> None:
    rails = (
        rail("output", "fix", regex="a", replacement="b"),
        rail("output", "fix", regex="b", replacement="c"),
    )
    assert play(solo(*rails, says="a b")).answer == "c c"


def test_a_replacement_that_is_rejected_itself_fails() -> None:
    ran = play(solo(rail("output", "fix", regex="a", replacement="aa"), says="a"))
    assert "still rejects" in failed(ran)
    assert [record.data["action"] for record in ran.events("guardrail.started")] == ["fail"]


@pytest.mark.parametrize("verdict", [False, "no", {"message": "no"}, {"replacement": 3}])
def test_fix_without_a_replacement_fails(verdict: Json) -> None:
    ran = play(solo(rail("output", "fix", by="judge"), judge=lambda text: verdict))
    assert "gave nothing to put in its place" in failed(ran)
    assert [record.data["action"] for record in ran.events("guardrail.started")] == ["fail"]


def test_a_function_gives_the_replacement() -> None:
    stage = solo(rail("output", "fix", by="judge"), judge=lambda text: {"replacement": text.upper()})
    assert play(stage).answer == "FINE."


def test_text_beside_calls_is_not_judged_as_output() -> None:
    turn = calls(call("look"), text="rude")
    assert play(solo(rail("output", regex="rude"), says=[turn, "Fine."])).answer == "Fine."


def test_arguments_that_are_rejected_are_told_and_nothing_is_run() -> None:
    def ran(arguments: JsonObject) -> str:
        assert arguments == {"at": "home"}
        return "seen"

    says: list[Say] = [
        calls(call("look", '{"at": ["x", "/etc"]}')),
        calls(call("look", '{"at": "home"}')),
        "Done.",
    ]
    got = play(solo(rail("tool", "retry", regex="^/etc", message="stay at home"), says=says, ran=ran))
    assert got.answer == "Done."
    assert got.shown("solo", 2)[-1] == "tool: Not accepted (the arguments of 'look'): stay at home"


def test_arguments_are_fixed_and_the_record_says_so() -> None:
    says: list[Say] = [calls(call("look", '{"at": "/etc/x", "n": 1}')), "Done."]
    ran = play(solo(rail("tool", "fix", regex="^/etc", replacement="/home"), says=says))
    assert ran.shown("solo", 2)[-1] == "tool: ran /home/x"
    (started,) = ran.events("tool.started")
    assert started.data["arguments"] == {"at": "/home/x", "n": 1}
    assert len(ran.events("guardrail.completed")) == 1


def test_a_function_judges_the_name_and_the_arguments_of_some_tools() -> None:
    judged: list[object] = []

    def judge(name: str, arguments: JsonObject) -> bool:
        judged.append((name, arguments))
        return True

    says: list[Say] = [calls(call("look", '{"at": 1}')), "Done."]
    play(solo(rail("tool", by="judge", tools=("look",)), says=says, judge=judge))
    play(solo(rail("tool", by="judge", tools=("send",)), says=says, judge=judge))
    assert judged == [("look", {"at": 1})]


def test_a_call_that_fails_the_run() -> None:
    says: list[Say] = [calls(call("look", '{"at": "/etc"}'))]
    assert "rejected the arguments of 'look'" in failed(play(solo(rail("tool", regex="etc"), says=says)))


def test_a_person_lets_an_answer_pass_or_not() -> None:
    stage = solo(rail("output", "ask", regex="rude"), says="rude")
    assert play(replace(stage, ask=person({"approve": True}))).answer == "rude"
    denied = play(replace(stage, ask=person({"approve": False, "reason": "too rude"})))
    assert "a person did not let it pass: too rude" in failed(denied)


def test_a_question_waits_where_nobody_answers() -> None:
    stage = solo(rail("output", "ask", regex="rude"), says="rude")
    waiting = play(stage)
    assert waiting.ended.ev == "run.waiting"
    ran = play(stage, waiting.records, signals={"solo/turn-1/guard-1/ask": {"approve": True}})
    assert ran.answer == "rude"


def test_what_is_rejected_is_asked_about_each_time_whatever_was_allowed_for_the_run() -> None:
    """Neither a general consent to the tool nor one to an earlier rejection is a pass."""
    look = [calls(call("look", f'{{"at": "/etc/{n}"}}')) for n in range(3)]
    stage = solo(rail("tool", "ask", regex="1$|2$"), says=[*look, "Done."])
    asking = tool("look", lambda arguments: f"ran {arguments.get('at')}", approve=True)
    asked: list[JsonObject] = []

    async def ask(question: JsonObject) -> Json:
        asked.append(question)
        return {"approve": True, "always": True}

    ran = play(replace(stage, tools={"solo": [asking]}, ask=ask))
    assert ran.answer == "Done."
    assert [(one.get("guardrail"), one["arguments"]) for one in asked] == [
        (None, {"at": "/etc/0"}),
        (True, {"at": "/etc/1"}),
        (True, {"at": "/etc/2"}),
    ]


def test_a_person_refuses_a_call_and_the_model_is_told() -> None:
    says: list[Say] = [calls(call("look", '{"at": "/etc"}')), "Done."]
    stage = replace(solo(rail("tool", "ask", regex="etc"), says=says), ask=person({"approve": False}))
    assert "A person did not allow this call" in play(stage).shown("solo", 2)[-1]


@pytest.mark.parametrize("strategy", [Handoff(), Router()])
def test_a_specialists_answer_is_judged_on_its_way_out(strategy: Handoff | Router) -> None:
    def desk(one: Guardrail) -> Ran:
        choice = passes("one") if isinstance(strategy, Handoff) else '{"agent": "one", "reason": "r"}'
        root = agent("desk", strategy=strategy, agents=[agent("one"), agent("two")])
        return play(Stage(root=replace(root, guardrails=(one,)), says={"desk": choice, "one": "rude"}))

    assert desk(rail("output", "fix", regex="rude", replacement="kind")).answer == "kind"
    assert "rejected the answer" in failed(desk(rail("output", regex="rude")))
    assert "rejected what 'one' answered" in failed(desk(rail("output", "retry", regex="rude")))


def test_the_closing_answer_and_a_planners_are_judged() -> None:
    one = rail("output", "retry", regex="rude")
    for strategy, says in (
        (Parallel(synthesize=True), ["rude", "kind"]),
        (PlanExecute(), ['{"steps": [], "answer": "rude"}', '{"steps": [], "answer": "kind"}']),
    ):
        root = replace(
            agent("team", strategy=strategy, agents=[agent("one"), agent("two")]), guardrails=(one,)
        )
        assert play(Stage(root=root, says={"team": says})).answer == "kind"


def test_where_the_model_is_never_asked_nothing_is_judged() -> None:
    root = agent("team", strategy=Sequential(), agents=[agent("one"), agent("two")])
    ran = play(Stage(root=replace(root, guardrails=(rail("input", regex="."),))))
    assert ran.ended.ev == "run.completed"


def test_what_is_fixed_must_keep_its_shape() -> None:
    shape = schema_shape({"type": "object"})
    root = replace(agent("solo"), output=shape.schema, guardrails=(
        rail("output", "fix", regex="a", replacement="b"), rail("output", "fix", regex="z.*", replacement=""),
    ))  # fmt: skip
    stage = Stage(root=root, outputs={"solo": shape})
    assert play(replace(stage, says={"solo": '{"x": "a"}'})).ended.data["output"] == {"x": "b"}
    assert "does not have the shape" in failed(play(replace(stage, says={"solo": '{"x": "z"}'})))


def test_it_resumes_from_each_of_its_records() -> None:
    says: list[Say] = [calls(call("look", '{"at": "/etc"}')), "rude", "kind 1"]
    rails = (
        rail("tool", "fix", regex="/etc", replacement="/home"),
        rail("output", "retry", by="judge"),
        rail("output", "fix", regex="[0-9]", replacement="#"),
    )
    resumed_everywhere(
        lambda: solo(*rails, says=says, judge=lambda text: "rude" not in text, idempotent=True)
    )
