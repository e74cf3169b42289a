"""swarm over HTTP: who may pass to whom, what moves along, what becomes of every call, where it ends."""

from __future__ import annotations

import json

from agentctl.jsontypes import Json, as_list, as_object
from e2e.cast import Stage, agent, crew, looker, looks, passes, several, shown, transfer
from e2e.command import Desk
from loopback.replies import Call


def test_control_moves_along_with_the_whole_conversation(stage: Stage, wired: Desk) -> None:
    stage.set(
        agent("desk", looker("triage"), *crew("tech", "billing"), strategy="swarm"),
        {
            "triage": [
                looks("A"),
                transfer("billing", message="pay A", text="A is fine, paying it."),
                "B is fine too.",
            ],
            "billing": transfer("triage", message="what of B?"),
        },
    )
    done = wired("run", ".", "Pay A.")
    assert (done.returncode, done.stdout) == (0, "B is fine too.\n")
    assert stage.order == ["triage", "triage", "billing", "triage"]
    assert stage.seen("triage").tools == ["look", "transfer_to_tech", "transfer_to_billing"]
    assert stage.seen("billing").tools == ["transfer_to_triage", "transfer_to_tech"]
    assert stage.shown("billing") == ["user: Pay A.\n\n[triage] A is fine, paying it.\n\n[triage] pay A"]
    assert stage.shown("triage", 3) == [
        "user: Pay A.",
        "assistant:  [look]",
        "tool: A is fine",
        "assistant: A is fine, paying it. [transfer_to_billing]",
        "tool: Transferred to billing.",
        "user: [billing] what of B?",
    ]
    assert stage.looked == ["A"]
    assert "triage → billing: pay A (model" in done.stderr


def test_the_message_is_required_and_a_transfer_without_one_is_refused(stage: Stage) -> None:
    stage.set(
        agent("desk", *crew("a", "b"), strategy="swarm"),
        {"a": [transfer("b"), transfer("b", message="please")]},
    )
    assert stage.run().answer == "b is done"
    (tool,) = as_list(stage.seen("a").body["tools"])
    parameters = as_object(as_object(as_object(tool)["function"])["parameters"])
    assert parameters["required"] == ["message"]
    assert stage.shown("a", 2)[-1].startswith("tool: A transfer needs a `message`")


def test_transitions_say_who_may_pass_to_whom(stage: Stage) -> None:
    strategy: Json = {"type": "swarm", "start": "b", "transitions": {"b": ["a"]}}
    stage.set(agent("desk", *crew("a", "b", "c"), strategy=strategy), {"b": transfer("a", message="go on")})
    run = stage.run()
    assert (run.answer, run.path, stage.order) == ("a is done", ("desk", "a"), ["b", "a"])
    assert (stage.seen("b").tools, stage.seen("a").tools) == (["transfer_to_a"], [])


def test_of_several_transfers_the_first_permitted_counts_and_all_are_answered(stage: Stage) -> None:
    turn = several(
        passes("nobody", message="x"),
        Call(name="look", arguments={"what": "A"}),
        passes("c", message="first"),
        passes("b", message="second"),
        text="Passing on.",
    )
    stage.set(
        agent("desk", looker("a"), *crew("b", "c"), strategy="swarm"),
        {"a": [turn, "Finished."], "c": transfer("a", message="back to you")},
    )
    run = stage.run()
    assert (run.answer, stage.order, stage.looked) == ("Finished.", ["a", "c", "a"], ["A"])
    *_, told, unknown, looked, passed, dropped, back = stage.shown("a", 2)
    assert told.startswith("assistant: Passing on. [transfer_to_nobody] [look] [transfer_to_c]")
    assert unknown.startswith("tool: There is no tool 'transfer_to_nobody'")
    assert (looked, passed) == ("tool: A is fine", "tool: Transferred to c.")
    assert dropped == "tool: Dropped: only one transfer counts in a turn, and 'c' came first."
    assert back == "user: [c] back to you"
    refused = [one.reason for one in run.decisions if not one.chosen]
    assert len(refused) == 2
    assert "transfer_to_b" in refused[1]


def test_rules_pass_control_after_a_turn(stage: Stage) -> None:
    strategy: Json = {
        "type": "swarm",
        "handoff_when": [
            {"from": "b", "text": "fine", "to": "c"},
            {"tool": "look", "contains": "is fine", "to": "b"},
        ],
    }
    stage.set(
        agent("desk", looker("a"), *crew("b", "c"), strategy=strategy),
        {"a": [looks("A"), "I looked."], "b": "All is fine."},
    )
    run = stage.run("Go.")
    assert (run.answer, stage.order) == ("c is done", ["a", "a", "b", "c"])
    assert stage.shown("c") == ["user: Go.\n\n[a] I looked.\n\n[b] All is fine."]
    assert [one.by for one in run.decisions] == ["rule", "rule"]


def test_passing_back_and_forth_ends_at_a_limit_with_the_last_answer(stage: Stage, wired: Desk) -> None:
    stage.set(
        agent("desk", *crew("a", "b"), strategy="swarm"),
        {
            "a": transfer("b", message="yours", text="I am not sure."),
            "b": transfer("a", message="no, yours", text="Neither am I."),
        },
    )
    done = wired("run", "--json", ".", "Go.")
    result = json.loads(done.stdout)
    assert (done.returncode, result["status"]) == (4, "limit")
    assert result["answer"] == "Neither am I."
    assert "passed control to each other and back 3 times" in result["error"]["message"]
    assert stage.order == ["a", "b"] * 3


def test_hand_offs_are_bounded(stage: Stage, wired: Desk) -> None:
    strategy: Json = {"type": "swarm", "max_handoffs": 2}
    stage.set(
        agent("desk", *crew("a", "b", "c"), strategy=strategy),
        {
            "a": transfer("b", message="go", text="From a."),
            "b": transfer("c", message="go", text="From b."),
            "c": transfer("a", message="go", text="From c."),
        },
    )
    done = wired("run", ".", "Go.")
    assert (done.returncode, done.stdout, stage.order) == (4, "From c.\n", ["a", "b", "c"])
    assert "limit of 2 hand-offs (max_handoffs, team.yaml:1:" in done.stderr


def test_a_team_may_be_a_member(stage: Stage) -> None:
    inner = agent("inner", *crew("x", "y"), strategy="sequential")
    stage.set(agent("desk", *crew("a"), inner, strategy="swarm"), {"a": transfer("inner", message="both")})
    run = stage.run("Go.")
    assert (run.answer, run.path, stage.order) == ("y is done", ("desk", "inner", "y"), ["a", "x", "y"])
    assert shown(stage.seen("x")) == ["user: Go.\n\n[a] both"]
