"""handoff, router and manual over HTTP: who is asked, what each is shown, and whose words are the answer."""

from __future__ import annotations

import json
from contextlib import closing

import pytest

from agentctl.jsontypes import Json, JsonObject
from e2e.cast import Stage, agent, crew, looker, looks, passes, several, together, transfer
from e2e.command import Desk
from loopback.replies import Answer, Call, call


def test_a_hand_off_is_two_calls_and_the_specialists_words(stage: Stage, wired: Desk) -> None:
    team = agent("desk", *crew("billing", "sales"), strategy="handoff")
    stage.set(team, {"desk": transfer("billing", reason="a balance", message="ACC-1", text="One moment.")})
    done = wired("run", ".", "What is my balance?")
    assert (done.returncode, done.stdout) == (0, "billing is done\n")
    assert stage.order == ["desk", "billing"]
    assert stage.seen("desk").tools == ["transfer_to_billing", "transfer_to_sales"]
    assert stage.shown("desk") == ["user: What is my balance?"]
    assert stage.seen("billing").tools == []
    assert stage.shown("billing") == ["user: What is my balance?\n\n[desk] One moment.\n\n[desk] ACC-1"]
    assert "desk → billing: a balance (model" in done.stderr


def test_a_hand_off_that_is_not_needed_is_one_call(stage: Stage) -> None:
    stage.set(agent("desk", *crew("billing", "sales"), strategy="handoff"), {"desk": "Good morning."})
    run = stage.run()
    assert (run.answer, run.agent, stage.order) == ("Good morning.", "desk", ["desk"])
    assert [one.reason for one in run.decisions] == ["answered itself"]


def test_several_hand_offs_in_a_turn_run_at_once_and_are_all_answered(stage: Stage) -> None:
    both = several(passes("billing", message="the balance"), passes("sales", message="the price"))
    billing, sales = together(Answer(text="It is done."), Answer(text="It is done."))
    stage.set(
        agent("desk", *crew("billing", "sales"), strategy="handoff"),
        {"desk": [both, "Both are done."], "billing": billing, "sales": sales},
    )
    run = stage.run("Balance and price?")
    assert (run.answer, run.agent) == ("Both are done.", "desk")
    assert stage.server.most_at_once == 2
    assert (stage.order[0], sorted(stage.order[1:3]), stage.order[3:]) == (
        "desk",
        ["billing", "sales"],
        ["desk"],
    )
    assert stage.shown("sales") == ["user: Balance and price?\n\n[desk] the price"]
    assert stage.shown("desk", 2)[1:] == [
        "assistant:  [transfer_to_billing] [transfer_to_sales]",
        "tool: It is done.",
        "tool: It is done.",
    ]


def test_tools_beside_a_hand_off_run_first_and_their_results_go_along(stage: Stage) -> None:
    team = agent(
        "desk", *crew("billing"), strategy="handoff", tools=[{"function": "tools:look", "idempotent": True}]
    )
    turn = several(passes("billing", message="help"), Call(name="look", arguments={"what": "ACC-1"}))
    stage.set(team, {"desk": turn})
    run = stage.run()
    assert (run.answer, stage.order, stage.looked) == ("billing is done", ["desk", "billing"], ["ACC-1"])
    assert stage.shown("billing") == [
        "user: What now?\n\n[desk] help\nResult of look: ACC-1 is fine",
    ]


def test_a_hand_off_to_nobody_beside_a_real_one_loses_neither(stage: Stage) -> None:
    turn = several(passes("bililng", message="x"), passes("sales", message="y"))
    stage.set(agent("desk", *crew("billing", "sales"), strategy="handoff"), {"desk": [turn, "Done."]})
    run = stage.run()
    assert (run.answer, stage.order) == ("Done.", ["desk", "sales", "desk"])
    unknown, answered = stage.shown("desk", 2)[-2:]
    assert "Did you mean 'transfer_to_billing'?" in unknown
    assert answered == "tool: sales is done"


def test_a_supervisor_that_keeps_the_last_word_hands_off_again(stage: Stage) -> None:
    stage.set(
        agent("desk", *crew("billing", "sales"), strategy={"type": "handoff", "final": "supervisor"}),
        {"desk": [transfer("billing"), transfer("sales"), "All together."]},
    )
    run = stage.run()
    assert run.answer == "All together."
    assert stage.order == ["desk", "billing", "desk", "sales", "desk"]
    assert stage.shown("sales") == ["user: What now?\n\n[billing] billing is done"]


def test_who_must_hand_off_is_asked_once_more_with_a_forced_choice(stage: Stage) -> None:
    stage.set(
        agent("desk", *crew("billing"), strategy={"type": "handoff", "required": True}),
        {"desk": ["I can do that.", transfer("billing")]},
    )
    assert stage.run().answer == "billing is done"
    assert stage.order == ["desk", "desk", "billing"]
    assert "tool_choice" not in stage.seen("desk").body
    assert stage.seen("desk", 2).body["tool_choice"] == "required"


def chooses(name: str, reason: str = "it fits") -> str:
    return json.dumps({"agent": name, "reason": reason})


def test_a_router_is_the_choice_and_the_agents_own_calls(stage: Stage, wired: Desk) -> None:
    team = agent("sorter", looker("first"), *crew("second"), strategy="router")
    stage.set(team, {"sorter": chooses("first"), "first": [looks("A"), "A is fine."]})
    done = wired("run", ".", "How is A?")
    assert (done.returncode, done.stdout) == (0, "A is fine.\n")
    assert stage.order == ["sorter", "first", "first"]
    choice = stage.seen("sorter")
    assert choice.tools == []
    told = str(choice.messages[0]["content"])
    assert "- first: Does first\n- second: Does second" in told
    assert '"enum":["first","second"]' in told
    assert stage.shown("first") == ["user: How is A?"]
    assert "sorter → first: it fits (model" in done.stderr


def test_a_router_is_asked_once_more_and_then_falls_back(stage: Stage) -> None:
    strategy: Json = {"type": "router", "fallback": "second"}
    stage.set(agent("sorter", *crew("first", "second"), strategy=strategy), {"sorter": chooses("nobody")})
    run = stage.run()
    assert (run.answer, stage.order) == ("second is done", ["sorter", "sorter", "second"])
    assert "must be one of first, second" in stage.shown("sorter", 2)[-1]
    assert [(one.by, one.chosen) for one in run.decisions] == [("rule", ("second",))]


@pytest.mark.parametrize(("function", "answer"), [("third", "third is done"), ("nobody", None)])
def test_a_router_by_function_asks_no_model_for_the_choice(
    stage: Stage, function: str, answer: str | None
) -> None:
    strategy: Json = {"type": "router", "by": f"tools:{function}"}
    stage.set(agent("sorter", *crew("first", "third"), strategy=strategy))
    run = stage.run()
    assert (run.answer, stage.order) == (answer, ["third"] if answer else [])
    if answer is None:
        assert run.error is not None
        assert "tools:nobody" in str(run.error["message"])
        assert '"nobody"' in str(run.error["message"])


def test_a_person_assigns_from_the_command_line(stage: Stage, wired: Desk) -> None:
    stage.set(agent("desk", *crew("first", "second"), strategy="manual"))
    waits = wired("run", "--run-id", "r", ".", "What now?")
    assert (waits.returncode, waits.stdout) == (3, "")
    assert waits.stderr.splitlines()[-1] == "agentctl resume r --choose first"
    assert stage.order == [], "nobody was chosen by default"
    assert wired("resume", "r", "--choose", "nobody").returncode == 2
    told = wired("resume", "r", "--choose", "second")
    assert (told.returncode, stage.order) == (3, ["second"])
    assert "answered last: second is done\n  first: Does first\n" in told.stderr
    done = wired("resume", "r", "--finish")
    assert (done.returncode, done.stdout) == (0, "second is done\n")


def test_whoever_is_assigned_sees_what_was_said(stage: Stage) -> None:
    stage.set(agent("desk", *crew("first", "second"), strategy="manual"))
    answers: list[Json] = [{"choose": "second"}, {"choose": "first"}, {"finish": True}]

    async def ask(_question: JsonObject) -> Json:
        return answers.pop(0)

    assert stage.run(ask=ask).answer == "first is done"
    assert stage.order == ["second", "first"]
    assert stage.shown("first") == ["user: What now?\n\n[second] second is done"]


def test_a_person_assigns_at_a_terminal(stage: Stage, wired: Desk) -> None:
    stage.set(agent("desk", *crew("first", "second"), strategy="manual"))
    with closing(wired.at_terminal("run", ".", "What now?")) as terminal:
        terminal.until("a name, a number, or finish> ")
        assert "1. first: Does first" in terminal.text
        assert "2. second: Does second" in terminal.text
        assert stage.order == []
        terminal.send("third\n")
        terminal.until("'third' is none of: first, second, finish")
        terminal.send("2\n")
        terminal.until("second is done")
        terminal.send("finish\n")
        assert terminal.end() == (0, "second is done\n")
    assert stage.order == ["second"]


def test_a_function_assigns_until_it_names_nobody(stage: Stage) -> None:
    strategy: Json = {"type": "manual", "choose": "tools:in_turn"}
    stage.set(agent("desk", *crew("first", "second"), strategy=strategy))
    run = stage.run()
    assert (run.answer, stage.order) == ("second is done", ["first", "second"])
    assert [(one.by, one.chosen) for one in run.decisions] == [
        ("function", ("first",)),
        ("function", ("second",)),
        ("function", ()),
    ]


def test_a_chosen_agent_that_fails_leaves_the_choice_open(stage: Stage) -> None:
    stage.set(
        agent("desk", *crew("first", "second"), strategy="manual"),
        {"first": call("no_such_tool")},
    )
    asked: list[str] = []
    answers: list[Json] = [{"choose": "first"}, {"choose": "second"}, {"finish": True}]

    async def ask(question: JsonObject) -> Json:
        asked.append(str(question["question"]))
        return answers.pop(0)

    run = stage.run(ask=ask)
    assert run.answer == "second is done"
    assert asked[1].startswith("'first' failed: ")
