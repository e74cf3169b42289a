"""What `show` shows a person, a program gets too, in the form that the schema describes."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from render_events import BILLING, ROOT, support_run
from test_render_show import odd_run, view
from test_render_strategies import STAGES, told

from agentctl.journal.summary import RunView
from agentctl.jsontypes import JsonObject
from agentctl.render.show_json import execution_json, show_json

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "run.schema.json").read_text(encoding="utf-8"))
EXECUTION = {"$defs": SCHEMA["$defs"], "$ref": "#/$defs/execution"}


def shown(run: RunView) -> Any:
    """The whole run and each execution of it, which keep to the schema."""
    whole = json.loads(json.dumps(show_json(run)))
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(whole)] == []
    for execution in run.executions:
        sent: dict[str, list[JsonObject]] = {
            step.step: [{"role": "user", "text": "x", "opaque": {}}] for step in execution.steps
        }
        one = json.loads(json.dumps(execution_json(run, execution, sent)))
        assert [error.message for error in Draft202012Validator(EXECUTION).iter_errors(one)] == []
    return whole


@pytest.mark.parametrize("name", STAGES)
def test_every_strategy_keeps_to_the_schema(name: str) -> None:
    run, _ = told(name)
    whole = shown(run)
    assert [len(one["steps"]) for one in whole["executions"]] == [len(one.steps) for one in run.executions]


def test_turns_calls_and_their_times_are_there() -> None:
    root, billing = shown(view(support_run()))["executions"]
    assert [step["kind"] for step in root["steps"]] == ["model"]
    turn, call, last = billing["steps"]
    assert (turn["model"], turn["finish"], turn["calls"][0]["name"]) == ("offline", "calls", "t")
    assert (call["tool"], call["arguments"]) == ("check_balance", {"account_id": "ACC-123"})
    assert (call["text"], call["failed"], call["status"]) == ('{"balance": 5432.10}', False, "completed")
    assert last["text"] == "The balance is 5432.10."
    assert all(step["at_ms"] >= billing["at_ms"] and step["started"] for step in billing["steps"])


def test_questions_doubts_and_failures_are_there() -> None:
    whole = shown(view(odd_run()))
    steps = [step for one in whole["executions"] for step in one["steps"]]
    assert {step["kind"] for step in steps} == {"model", "tool", "function", "wait", "timer"}
    assert {step["status"] for step in steps} == {"started", "completed", "failed", "skipped"}
    assert [step["answer"] for step in steps if "answer" in step] == [{"approve": True}]
    assert whole["executions"][1]["error"]["message"] == "no [/x] key"
    assert whole["executions"][1]["absorbed"] is True
    assert whole["executions"][2]["told"] == "look\nagain"


def test_one_execution_has_its_messages_and_its_decisions() -> None:
    run = view(support_run())
    message: JsonObject = {"role": "user", "text": "Hello", "opaque": {"model": "m"}}
    one = execution_json(run, run.executions[0], {f"{ROOT}/turn-1": [message]})
    assert one["id"] == ROOT
    assert json.loads(json.dumps(one["steps"]))[0]["sent"] == [{"role": "user", "text": "Hello"}]
    assert [decision["chosen"] for decision in json.loads(json.dumps(one["decisions"]))] == [["billing"]]
    other = execution_json(run, run.executions[1], {})
    assert (other["id"], other["decisions"]) == (BILLING, [])
