"""router: what the choosing model sees, repair, fallback, functions, and the one agent that answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from agentctl.jsontypes import as_object
from agentctl.spec.strategies import Handoff, RoundRobin, Router
from agentctl.spec.team import Agent
from engine.harness import Ran, Say, Stage, agent, function, leaves, passes, play, resumed_everywhere

CHOICE = '{"agent": "tech", "reason": "an order"}'


def desk(options: Router, *says: Say, members: list[Agent] | None = None) -> Stage:
    root = agent(
        "desk",
        strategy=options,
        agents=members or leaves("billing", "tech"),
        instructions="You send requests on.",
    )
    return Stage(root=root, says={"desk": says or CHOICE, "tech": "It is on its way."})


def run(options: Router, *says: Say) -> Ran:
    return play(desk(options, *says))


def test_one_choice_and_the_agents_own_call() -> None:
    ran = run(Router())
    assert ran.order == ["desk", "tech"]
    assert (ran.answer, ran.path) == ("It is on its way.", ["desk", "tech"])
    assert ran.decisions == [(["tech"], "model", "an order")]
    assert ran.events("decision.completed")[0].data["among"] == ["billing", "tech"]
    assert ran.executions == ["desk", "desk/tech.1"]


def test_the_choosing_model_sees_instructions_purposes_and_the_request_alone() -> None:
    ran = run(Router())
    system, *rest = ran.shown("desk")
    assert system.startswith("system: You send requests on.\n\n")
    assert "- billing: does billing\n- tech: does tech" in system
    assert rest == ["user: What now?"]
    asked = ran.model.saw[0]
    assert asked.tools == ()
    choices = as_object(as_object(as_object(asked.schema)["properties"])["agent"])["enum"]
    assert choices == ["billing", "tech"]
    assert "does billing" in asked.search_texts["billing"]


def test_the_chosen_agent_gets_the_request_untouched() -> None:
    assert run(Router()).shown("tech") == ["user: What now?"]


@pytest.mark.parametrize(
    "reply",
    [
        f"```json\n{CHOICE}\n```",
        f"I choose this:\n{CHOICE}\nas you see.",
        '{"agent": "tech", "confidence": 0.9}',
    ],
)
def test_a_choice_is_read_whatever_stands_around_it(reply: str) -> None:
    assert run(Router(), reply).order == ["desk", "tech"]


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("tech", "holds no JSON object"),
        ("", "holds no JSON object"),
        ('{"agent": "tech"} or {"agent": "billing"}', "holds no JSON object"),
        ('{"agent": "technical"}', '`agent` must be one of billing, tech; it was "technical".'),
        ('{"agent": ["tech"]}', "`agent` must be one of"),
        ("{}", "`agent` must be one of"),
    ],
)
def test_a_reply_that_names_nobody_is_asked_again_once_with_the_error(reply: str, problem: str) -> None:
    ran = run(Router(), reply, CHOICE)
    assert ran.order == ["desk", "desk", "tech"]
    assert problem in ran.shown("desk", 2)[-1]
    assert [one.step for one in ran.events("model.completed")] == [
        "desk/turn-1",
        "desk/turn-1.1",
        "desk/tech.1/turn-1",
    ]


def test_nobody_twice_fails_the_run() -> None:
    ran = run(Router(), "nobody")
    assert (ran.ended.ev, ran.order, ran.error["code"]) == ("run.failed", ["desk", "desk"], "router-nobody")
    assert "'desk'" in str(ran.error["message"])


def test_nobody_twice_goes_to_the_fallback() -> None:
    ran = run(Router(fallback="tech"), "nobody")
    assert (ran.answer, ran.path) == ("It is on its way.", ["desk", "tech"])
    [(chosen, by, reason)] = ran.decisions
    assert (chosen, by) == (["tech"], "rule")
    assert reason.startswith("fallback: the model of router 'desk' named none")


def test_a_finished_choice_of_nobody_is_made_anew_after_a_failed_run() -> None:
    failed = run(Router(), "nobody")
    ran = play(desk(Router()), failed.records)
    assert ran.answer == "It is on its way."


def by_function(found: Callable[..., object], fallback: str | None = None) -> Stage:
    stage = desk(Router(by=function("pick"), fallback=fallback))
    stage.functions = {"pick": found}
    return stage


def test_a_function_routes_in_code() -> None:
    def pick(request: str, agents: dict[str, str]) -> str:
        assert (request, agents) == ("What now?", {"billing": "does billing", "tech": "does tech"})
        return "tech"

    ran = play(by_function(pick))
    assert ran.order == ["tech"]
    assert ran.decisions == [(["tech"], "function", "returned by tools:pick")]


def test_an_async_function_routes_as_well() -> None:
    async def pick(_request: str, _agents: dict[str, str]) -> str:
        return "tech"

    assert play(by_function(pick)).order == ["tech"]


@pytest.mark.parametrize("found", ["technical", None, 3, ["tech"]])
def test_a_function_that_names_nobody_fails_and_says_what_it_returned(found: object) -> None:
    ran = play(by_function(lambda *_: found))
    assert (ran.ended.ev, ran.error["code"], ran.order) == ("run.failed", "router-nobody", [])
    message = str(ran.error["message"])
    assert "'tools:pick'" in message
    assert "technical" in message or str(found) in message or "null" in message or '["tech"]' in message


def test_a_function_that_names_nobody_goes_to_the_fallback() -> None:
    assert play(by_function(lambda *_: None, fallback="tech")).decisions[0][0] == ["tech"]


def test_a_function_that_raises_fails_the_run() -> None:
    def pick(*_: object) -> str:
        raise RuntimeError("no idea")

    ran = play(by_function(pick))
    assert (ran.ended.ev, ran.error["code"]) == ("run.failed", "function-failed")


def test_inside_another_strategy_it_chooses_by_the_request_and_passes_the_conversation_on() -> None:
    inner = agent("inner", strategy=Router(), agents=leaves("billing", "tech"))
    root = agent("root", strategy=RoundRobin(), agents=[agent("first"), inner])
    ran = play(Stage(root=root, says={"inner": CHOICE, "first": "I began."}))
    assert ran.shown("inner")[1:] == ["user: What now?"]
    assert ran.shown("tech") == ["user: What now?", "user: [first] I began."]
    assert ran.path == ["root", "inner", "tech"]


def test_a_note_to_the_router_is_a_part_of_what_it_routes() -> None:
    inner = agent("inner", strategy=Router(), agents=leaves("billing", "tech"))
    root = agent("root", strategy=Handoff(), agents=[inner])
    ran = play(Stage(root=root, says={"root": passes("inner", "it is about the order"), "inner": CHOICE}))
    assert ran.shown("inner")[1:] == ["user: What now?", "user: [root] it is about the order"]
    assert ran.shown("tech") == ["user: What now?", "user: [root] it is about the order"]


def test_a_member_with_context_task_is_given_the_request_alone() -> None:
    members = [agent("billing"), agent("tech", context="task")]
    assert play(desk(Router(), members=members)).shown("tech") == ["user: What now?"]


@pytest.mark.parametrize("says", [(CHOICE,), ("what?", CHOICE), ("what?",)])
def test_it_resumes_from_every_record_to_the_same_end(says: tuple[Say, ...]) -> None:
    resumed_everywhere(partial(desk, Router(fallback="tech"), *says))


def test_a_function_is_not_asked_again_once_it_finished() -> None:
    resumed_everywhere(lambda: by_function(lambda *_: "tech"))
