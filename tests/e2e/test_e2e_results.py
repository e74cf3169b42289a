"""What a run leaves: its result in three places, the same in each."""

from __future__ import annotations

import json

from agentctl.jsontypes import Json, as_list, as_object
from e2e.command import BALANCE, SUPPORT, Desk


def within(shown: Json, printed: Json) -> Json:
    """What is shown, with those keys only that are printed."""
    if isinstance(printed, dict):
        return {key: within(as_object(shown)[key], printed[key]) for key in printed}
    if isinstance(printed, list):
        return [within(one, other) for one, other in zip(as_list(shown), printed, strict=True)]
    return shown


def test_the_result_is_printed_kept_and_shown_alike(desk: Desk) -> None:
    printed = json.loads(desk("run", "--json", SUPPORT, BALANCE).stdout)
    kept = desk.runs[0] / "result.json"
    assert json.loads(kept.read_text("utf-8")) == printed
    shown = json.loads(desk("show", "--json", printed["run_id"]).stdout)
    assert within(shown, printed) == printed, "what is shown has steps and times besides"
    assert shown["executions"][1]["steps"][1]["tool"] == "check_balance"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert json.loads(desk("resume", "--json", printed["run_id"]).stdout) == printed


def test_events_are_the_journal_and_end_with_the_answer(desk: Desk) -> None:
    lines = [json.loads(line) for line in desk("run", "--events", SUPPORT, BALANCE).stdout.splitlines()]
    journal = (desk.runs[0] / "journal.jsonl").read_text("utf-8").splitlines()
    recorded = [{key: value for key, value in json.loads(line).items() if key != "crc"} for line in journal]
    assert [line for line in lines if "seq" in line] == recorded
    assert lines[-1] == {
        "ev": "run.finished",
        "status": "completed",
        "answer": "The balance of account ACC-123 is 5432.10 USD.",
    }


def test_the_same_id_and_request_give_the_recorded_result(desk: Desk) -> None:
    first = desk("run", "--run-id", "daily", SUPPORT, BALANCE)
    again = desk("run", "--run-id", "daily", SUPPORT, BALANCE)
    assert (again.returncode, again.stdout) == (0, first.stdout)
    other = desk("run", "--run-id", "daily", SUPPORT, "Where is my order ORD-77?")
    assert other.returncode == 2
    assert "another request" in other.stderr
    assert desk.run_id == "daily"


def test_a_follow_up_stands_after_the_earlier_question_and_answer(desk: Desk) -> None:
    assert desk("run", "--run-id", "first", SUPPORT, BALANCE).returncode == 0
    done = desk("run", "--after", "first", SUPPORT, "And where is my order ORD-77?")
    assert "shipped" in done.stdout
    header = json.loads((desk.runs[0] / "run.json").read_text("utf-8"))
    assert header["earlier"][0]["text"] == BALANCE
