from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from journal_runs import Story
from jsonschema import Draft202012Validator

from agentctl.journal.records import Record
from agentctl.journal.summary import RunView, Status, Tokens, run_json, summarise
from agentctl.jsontypes import JsonObject

HEADER: JsonObject = {
    "run_id": "r1",
    "team": "support",
    "request": "How much?",
    "created": "2026-11-29T13:15:02+00:00",
}
SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "run.schema.json").read_text(encoding="utf-8"))
BILLING = "root/billing.1"


def used(calls: int) -> JsonObject:
    """What so many model calls of a story use."""
    each = {"input": 10, "output": 5, "cached": 2, "reasoning": 1, "total": 15}
    return {f"{name}_tokens": calls * number for name, number in each.items()}


def view(story: Story, *, live: bool = False) -> RunView:
    """The view, whose JSON keeps to the schema."""
    found = summarise(HEADER, story.records, live=live)
    as_json = json.loads(json.dumps(run_json(found)))
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(as_json)] == []
    return found


def support() -> Story:
    """A finished run: root hands over to billing, which calls a tool."""
    story = Story()
    story.add("run.started", agentctl="0.1.0", format=1)
    story.add("execution.started", "root", agent="root", parent="", attempt=1, seen=0)
    story.model("root/turn-1")
    story.add(
        "decision.completed",
        "root/decision-1",
        chosen=["billing"],
        among=["billing", "sales"],
        by="model",
        reason="money",
    )
    story.add("execution.started", BILLING, agent="billing", parent="root", attempt=1, seen=1, t=1.0)
    story.model(f"{BILLING}/turn-1", model="n")
    call = f"{BILLING}/turn-1/call-1.check_balance"
    story.add(
        "tool.started", call, agent="billing", tool="check_balance", arguments={"id": "ACC-123"}, key="k"
    )
    story.add("tool.completed", call, out={"text": "5432.10"}, ms=3, t=1.25)
    story.model(f"{BILLING}/turn-2", model="n")
    story.add("execution.completed", BILLING, t=1.5, answer="5432.10", agent="billing", path=["billing"])
    for ev, step in (("execution.completed", "root"), ("run.completed", "")):
        story.add(ev, step, t=2.0, answer="5432.10", agent="billing", path=["root", "billing"])
    return story


def test_a_finished_run() -> None:
    run = view(support())
    assert (run.status, run.answer, run.agent, run.path) == (
        "completed",
        "5432.10",
        "billing",
        ("root", "billing"),
    )
    assert (run.started, run.ended, run.ms) == (1001.0, 1000.0 + len(support().records), 2000.0)
    assert run.usage == Tokens(input=30, output=15, cached=6, reasoning=3)
    assert (run.cost_usd, run.cost_complete, run.models) == (1.5, True, ("m", "n"))
    assert run.error is None
    assert run.waiting_for == ()


def test_its_executions_and_steps() -> None:
    root, billing = view(support()).executions
    assert (root.id, root.parent, root.agent, root.attempt) == ("root", "", "root", 1)
    assert (billing.id, billing.parent, billing.agent) == (BILLING, "root", "billing")
    assert (root.request, billing.request) == ("How much?", "How much?")
    assert (root.ms, billing.ms) == (2000.0, 500.0)
    assert (root.cost_usd, billing.cost_usd) == (0.5, 1.0)
    assert (root.model_calls, billing.model_calls) == (1, 2)
    assert (root.tool_calls, billing.tool_calls) == (0, 1)
    assert (billing.answer, billing.answered_by, billing.path) == ("5432.10", "billing", ("billing",))
    assert [decision.chosen for decision in root.decisions] == [("billing",)]
    assert [(step.step, step.kind, step.status, step.ms) for step in billing.steps] == [
        (f"{BILLING}/turn-1", "model", "completed", 20.0),
        (f"{BILLING}/turn-1/call-1.check_balance", "tool", "completed", 3.0),
        (f"{BILLING}/turn-2", "model", "completed", 20.0),
    ]
    tool = billing.steps[1]
    assert (tool.detail["tool"], tool.detail["arguments"]) == ("check_balance", {"id": "ACC-123"})
    assert tool.detail["out"] == {"text": "5432.10"}
    assert tool.tries == 1


def test_the_result_as_json() -> None:
    result = run_json(view(support()))
    assert result["decisions"] == [
        {
            "execution": "root",
            "by": "model",
            "chosen": ("billing",),
            "among": ("billing", "sales"),
            "reason": "money",
            "usage": used(1),
            "cost_usd": 0.5,
        }
    ]
    assert result["usage"] == used(3)
    assert "output" not in result
    assert "answers" not in result


def test_output_and_answers_stand_only_where_they_are() -> None:
    story = support()
    story.add("run.completed", answer="{}", agent="p", path=["p"], output=None, answers={"a": "1"})
    result = run_json(view(story))
    assert result["output"] is None
    assert result["answers"] == {"a": "1"}


def test_nothing_recorded_yet() -> None:
    assert view(Story(), live=True).status == "running"
    run = view(Story())
    assert (run.status, run.started, run.ended, run.ms) == ("stopped", 1795958102.0, None, 0.0)
    assert (run.cost_usd, run.cost_complete) == (0, True)
    assert summarise({}, [], live=False).started == 0.0


@pytest.mark.parametrize(
    ("ev", "status"),
    [
        ("run.completed", "completed"),
        ("run.failed", "failed"),
        ("run.limit", "limit"),
        ("run.waiting", "waiting"),
        ("run.interrupted", "interrupted"),
        ("run.cancelled", "cancelled"),
    ],
)
def test_how_a_run_stands(ev: str, status: Status) -> None:
    story = Story()
    story.add("run.started")
    story.add("execution.started", "root", agent="root", parent="", attempt=1)
    assert view(story, live=True).status == "running"
    assert view(story).status == "stopped"
    assert view(story).executions[0].status == "stopped"
    assert view(story, live=True).executions[0].status == "running"
    story.add(ev)
    assert view(story, live=True).status == status
    open_ones = {"waiting", "interrupted", "cancelled"}
    assert view(story).executions[0].status == (status if status in open_ones else "stopped")
    story.add("run.resumed", t=0.0)
    assert view(story, live=True).status == "running"
    assert view(story).status == "stopped"


def test_a_limit_keeps_the_last_answer_and_its_error() -> None:
    story = Story()
    error: JsonObject = {
        "code": "limit",
        "message": "'turns' reached",
        "limit": "turns",
        "hint": "raise it",
        "execution": "root",
    }
    story.add("execution.started", "root", agent="root", parent="", attempt=1)
    story.add("execution.failed", "root", error=error, cause="limit")
    story.add("run.limit", error=error, answer="so far")
    run = view(story)
    assert (run.answer, run.error) == ("so far", error)
    assert (run.executions[0].status, run.executions[0].answer) == ("limit", None)
    assert run.executions[0].error == error


def test_attempts_and_absorbed_failures() -> None:
    story = Story()
    story.add("execution.started", "root", agent="root", parent="", attempt=1)
    story.add("execution.started", "root/a.1", agent="a", parent="root", attempt=1, request="do it")
    story.add("execution.failed", "root/a.1", error={"code": "x", "message": "y"}, cause="step")
    story.add("execution.started", "root/a.1~2", agent="a", parent="root", attempt=2, request="do it")
    story.add("execution.failed", "root/a.1~2", error={"code": "x", "message": "y"}, cause="rule")
    story.add(
        "execution.failed", "root/a.1~2", error={"code": "x", "message": "y"}, cause="rule", absorbed=True
    )
    _, first, second = view(story).executions
    assert [(e.attempt, e.status, e.absorbed) for e in (first, second)] == [
        (1, "failed", False),
        (2, "failed", True),
    ]
    assert second.request == "do it"


def test_work_is_counted_over_processes_without_the_time_between() -> None:
    story = Story()
    story.add("run.started", t=0.5)
    story.add("execution.started", "root", agent="root", parent="", attempt=1, t=1.0)
    story.add("run.waiting", waiting_for=[], t=3.0)
    story.add("run.resumed", t=0.25)
    story.add("execution.completed", "root", answer="x", agent="root", path=["root"], t=2.0)
    run = view(story)
    assert run.ms == 5000.0
    assert run.executions[0].ms == 4000.0


def test_an_execution_that_goes_on_after_its_failure_is_under_way() -> None:
    story = Story()
    story.add("execution.started", "root", agent="root", parent="", attempt=1)
    story.add("execution.started", "root/a.1", agent="a", parent="root", attempt=1)
    story.add("model.started", "root/a.1/turn-1", model="m")
    story.add("model.failed", "root/a.1/turn-1", error={"code": "model-server", "message": "no"}, ms=5)
    for execution in ("root/a.1", "root"):
        story.add("execution.failed", execution, error={"code": "x", "message": "y"}, cause="step")
    story.add("run.failed", error={"code": "x", "message": "y"})
    assert [execution.status for execution in view(story).executions] == ["failed", "failed"]
    assert view(story).executions[1].steps[0].status == "failed"
    assert view(story).cost_complete
    story.add("run.resumed", t=0.0)
    story.model("root/a.1/turn-1")
    run = view(story, live=True)
    assert [execution.status for execution in run.executions] == ["running", "running"]
    assert run.executions[0].error is None
    assert [(step.status, step.tries) for step in run.executions[1].steps] == [("completed", 2)]


def started_call() -> Story:
    story = Story()
    story.add("run.started")
    story.add("execution.started", "root", agent="root", parent="", attempt=1)
    story.model("root/turn-1")
    story.add("model.started", "root/turn-2", model="m")
    return story


def test_a_call_under_way_in_a_live_run_is_not_lost() -> None:
    run = view(started_call(), live=True)
    assert run.cost_complete
    assert run.executions[0].steps[1].status == "started"
    assert run.executions[0].steps[1].ms is None


def test_a_call_under_way_when_its_process_died_leaves_the_cost_open() -> None:
    story = started_call()
    assert not view(story).cost_complete
    story.add("run.resumed", t=0.0)
    story.model("root/turn-2")
    story.add("run.completed", answer="x", agent="root", path=["root"])
    run = view(story)
    assert (run.cost_usd, run.cost_complete) == (1.0, False)
    assert run.executions[0].model_calls == 2


def test_a_call_made_again_in_one_process_leaves_the_cost_open() -> None:
    story = started_call()
    story.model("root/turn-2")
    assert not view(story, live=True).cost_complete


def test_unknown_prices() -> None:
    story = Story()
    story.add("execution.started", "root", agent="root", parent="", attempt=1)
    story.model("root/turn-1", cost=None)
    run = view(story)
    assert (run.cost_usd, run.cost_complete) == (None, False)
    story.model("root/turn-2", cost=0.25)
    run = view(story)
    assert (run.cost_usd, run.cost_complete) == (0.25, False)
    assert (run.executions[0].cost_usd, run.executions[0].cost_complete) == (0.25, False)


def test_open_questions_while_it_runs_and_once_it_waits() -> None:
    story = Story()
    story.add("execution.started", "root", agent="root", parent="", attempt=1)
    story.add(
        "wait.started", "root/choose-1", request={"kind": "choose", "question": "Who?", "choices": ["a"]}
    )
    assert view(story).waiting_for == ()
    assert run_json(view(story, live=True))["waiting_for"] == [
        {"step": "root/choose-1", "kind": "choose", "question": "Who?", "choices": ["a"], "command": None}
    ]
    listed: JsonObject = {
        "step": "root/choose-1",
        "kind": "choose",
        "question": "Who?",
        "choices": ["a"],
        "command": "agentctl resume r1 --choose a",
    }
    story.add("run.waiting", waiting_for=[listed])
    run = view(story)
    assert run.waiting_for == (listed,)
    assert run.executions[0].status == "waiting"
    story.add("run.resumed", t=0.0)
    story.add("wait.completed", "root/choose-1", answer="a", ms=0)
    assert view(story, live=True).waiting_for == ()
    assert view(story, live=True).executions[0].steps[0].detail["answer"] == "a"


def test_every_kind_of_step() -> None:
    story = Story()
    story.add("execution.started", "root", agent="root", parent="", attempt=1, t=0.0)
    for thing in ("function", "draw", "timer"):
        story.add(f"{thing}.started", f"root/{thing}", t=1.0)
        story.add(f"{thing}.completed", f"root/{thing}", t=1.5)
    story.add("tool.started", "root/t")
    story.add("tool.skipped", "root/t", out={"text": "unknown"})
    story.add("tool.completed", "root/u", out={"text": "x"}, reused="root~1/u", ms=0)
    (root,) = view(story).executions
    assert [(step.kind, step.status) for step in root.steps] == [
        ("function", "completed"),
        ("function", "completed"),
        ("timer", "completed"),
        ("tool", "skipped"),
        ("tool", "completed"),
    ]
    assert root.steps[0].ms == 500.0
    assert root.tool_calls == 0


def test_what_is_not_known_changes_nothing() -> None:
    story = support()
    plain = view(story)
    story.add("mystery.started", "root/x")
    story.add("model.text", "root/turn-1", text="h")
    story.add("tool.started", "nowhere/t")
    story.add("decision.completed", "nowhere/d", chosen=[], among=[], by="rule", reason="")
    story.add("execution.mystery", "root")
    story.add("signal.received", "root", kind="cancel", value=None)
    found = view(story)
    assert found.status == "completed"
    assert found.executions == plain.executions
    assert len(found.decisions) == 2


def test_ten_thousand_steps_are_folded_at_once() -> None:
    story = Story()
    story.add("execution.started", "root", agent="root", parent="", attempt=1)
    for number in range(10_000):
        story.model(f"root/a/b/c/turn-{number}")
    began = time.process_time()
    run = summarise(HEADER, story.records, live=False)
    assert time.process_time() - began < 2
    assert run.executions[0].model_calls == 10_000


def test_an_end_without_a_start_is_still_shown() -> None:
    record = Record(seq=1, batch=1, ts=1.0, t=0.0, ev="execution.failed", step="root/a.1")
    (execution,) = summarise(HEADER, [record], live=False).executions
    assert (execution.agent, execution.parent, execution.status) == ("a.1", "root", "failed")


def decided(story: Story, step: str, by: str) -> None:
    story.add("decision.completed", step, chosen=["a"], among=["a", "b"], reason="", by=by)


def test_a_decision_costs_what_the_calls_of_its_turn_cost() -> None:
    story = Story()
    story.add("execution.started", "root", agent="root", parent="", attempt=1, seen=0)
    story.model("root/turn-1", cost=0.25)
    story.model("root/turn-1.1", cost=0.5)
    decided(story, "root/choice", "model")
    decided(story, "root/turn-1/stop", "rule")
    story.model("root/turn-2", cost=None)
    decided(story, "root/turn-2/call-1.t", "model")
    found = [(one.cost_usd, one.usage.total) for one in view(story).decisions]
    assert found == [(0.75, 30), (0.0, 0), (None, 15)], "of a rule nothing, of an unknown price null"


def test_in_a_swarm_the_members_call_decides() -> None:
    story = Story()
    story.add("execution.started", "root", agent="root", parent="", attempt=1, seen=0)
    story.add("execution.started", BILLING, agent="billing", parent="root", attempt=1, seen=0)
    story.model(f"{BILLING}/turn-1", cost=0.25)
    decided(story, "root/handoff-1", "model")
    (decision,) = view(story).decisions
    assert decision.cost_usd == 0.25


def test_a_call_that_was_not_made_again_is_named_after_its_source() -> None:
    story = support()
    known, unknown = f"{BILLING}/turn-3/call-1.check_balance", f"{BILLING}/turn-3/call-2.look"
    source = f"{BILLING}/turn-1/call-1.check_balance"
    story.add("tool.completed", known, out={"text": "5432.10"}, reused=source, ms=0)
    story.add("tool.completed", unknown, out={"text": "fine"}, reused="elsewhere", ms=0)
    steps = {step.step: step.detail for one in view(story).executions for step in one.steps}
    assert (steps[known]["tool"], steps[known]["arguments"]) == ("check_balance", {"id": "ACC-123"})
    assert (steps[unknown]["tool"], steps[unknown]["arguments"]) == ("look", None)
