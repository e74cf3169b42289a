"""Runs recorded and replayed from the command line: without a key, in any order, no call too many."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

import agentctl
from e2e.command import BALANCE, ROOT, SUPPORT, Desk
from loopback.replies import Answer, call
from loopback.server import LoopbackServer

SAMPLES = sorted(path.parent.name for path in (ROOT / "teams").glob("*/team.yaml"))


def keyless(desk: Desk) -> Desk:
    return Desk(folder=desk.folder)


def recorded(wired: Desk, server: LoopbackServer) -> None:
    server.say(
        call("transfer_to_billing", {"reason": "money"}),
        call("check_balance", {"account_id": "ACC-123"}),
        Answer(text="You have 5432.10 USD, sk-loopback-0123456789abcdef."),
    )
    done = wired("run", SUPPORT, BALANCE, "--record", "balance.yaml")
    assert done.returncode == 0, done.stderr


def test_a_recording_answers_without_a_key_or_a_server(wired: Desk, openai_server: LoopbackServer) -> None:
    recorded(wired, openai_server)
    asked = len(openai_server.requests)
    for named in ("balance.yaml", wired.run_id):
        again = keyless(wired)("run", SUPPORT, "--replay", named, "--json")
        assert again.returncode == 0, again.stderr
        found = json.loads(again.stdout)
        assert (found["path"], found["answer"][:20]) == (
            ["support_supervisor", "billing"],
            "You have 5432.10 USD",
        )
        wired_runs = [run for run in wired.runs if run.name == found["run_id"]]
        assert len(wired_runs) == 1
        for path in sorted(wired_runs[0].iterdir()):
            path.unlink()
        wired_runs[0].rmdir()
    assert len(openai_server.requests) == asked


def test_a_recording_is_readable_redacted_and_the_same_each_time(
    wired: Desk, openai_server: LoopbackServer
) -> None:
    recorded(wired, openai_server)
    text = (wired.folder / "balance.yaml").read_text(encoding="utf-8")
    assert "sk-loopback" not in text
    assert "•••" in text
    assert "continues: support_supervisor/billing.1/turn-1" in text
    assert text.count("You handle billing questions") == 1
    again = keyless(wired)("run", SUPPORT, "--replay", "balance.yaml", "--record", "again.yaml")
    assert again.returncode == 0, again.stderr
    assert (wired.folder / "again.yaml").read_text(encoding="utf-8") == text


def test_text_streams_in_a_replay_as_it_did(wired: Desk, openai_server: LoopbackServer) -> None:
    words = "One two three. " * 20
    openai_server.say(call("transfer_to_billing"), Answer(text=words))

    def streamed(output: str) -> list[str]:
        events = [json.loads(line) for line in output.splitlines()]
        return [event["text"] for event in events if event["ev"] == "model.text"]

    live = wired("run", SUPPORT, "Hello", "--events", "--record", "r.yaml")
    again = keyless(wired)("run", SUPPORT, "--replay", "r.yaml", "--events")
    assert len(streamed(live.stdout)) > 1
    assert streamed(again.stdout) == streamed(live.stdout)


def test_the_first_call_that_was_not_recorded_is_told_with_what_differs(
    wired: Desk, openai_server: LoopbackServer
) -> None:
    recorded(wired, openai_server)
    asked = keyless(wired)("run", SUPPORT, "Where is my order?", "--replay", "balance.yaml")
    assert asked.returncode == 1
    assert "sent now: user: Where is my order?" in asked.stderr
    assert f"recorded: user: {BALANCE}" in asked.stderr
    filled = wired(
        "run", SUPPORT, "Where is my order?", "--replay", "balance.yaml", "--replay-missing", "live"
    )
    assert "the loopback server has no further answer" in filled.stderr


def test_gaps_are_filled_by_the_live_model(wired: Desk, openai_server: LoopbackServer) -> None:
    recorded(wired, openai_server)
    path = wired.folder / "balance.yaml"
    kept, _, _ = path.read_text(encoding="utf-8").partition("  - step: support_supervisor/billing.1/turn-2")
    path.write_text(kept + "tools: []\n", encoding="utf-8")
    openai_server.say(Answer(text="Filled in."))
    filled = wired("run", SUPPORT, "--replay", "balance.yaml", "--replay-missing", "live")
    assert filled.stdout == "Filled in.\n", filled.stderr


def test_an_edited_recording_is_what_is_answered(wired: Desk, openai_server: LoopbackServer) -> None:
    recorded(wired, openai_server)
    path = wired.folder / "balance.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("account_id: ACC-123", "account_id: ACC-456"), encoding="utf-8")
    again = keyless(wired)("run", SUPPORT, "--replay", "balance.yaml", "--json")
    assert again.returncode == 0, again.stderr
    live = keyless(wired)("run", SUPPORT, "--replay", "balance.yaml", "--replay-tools", "live")
    assert live.returncode == 1
    assert '"balance":"87.50"' in live.stderr
    assert "5432.10" in live.stderr


def heard(events: Iterable[agentctl.Event]) -> tuple[agentctl.RunView, dict[str, list[str]]]:
    """The run, and the pieces in which each step's text came, in whatever order the steps went."""
    pieces: dict[str, list[str]] = {}
    for event in events:
        if isinstance(event, agentctl.TextStreamed):
            pieces.setdefault(event.step, []).append(event.text)
    assert isinstance(event, agentctl.RunFinished)
    return event.run, pieces


@pytest.mark.parametrize("name", SAMPLES)
def test_runs_of_every_strategy_replay_to_the_same_end(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AGENTCTL_MODEL", raising=False)
    team = agentctl.load_team(ROOT / "teams" / name)
    question = team.spec.tests[0].question
    one, other = tmp_path / "one.yaml", tmp_path / "other.yaml"
    first, streamed = heard(team.stream(question, durable=False, record=one))
    again, replayed = heard(team.stream(question, durable=False, replay=one, record=other))
    assert (again.status, again.answer, again.path) == (first.status, first.answer, first.path)
    assert {each.id for each in again.executions} == {each.id for each in first.executions}
    assert replayed == streamed
    assert other.read_text("utf-8") == one.read_text("utf-8")


def test_a_persons_answers_are_part_of_a_run_and_replay(desk: Desk) -> None:
    team = ROOT / "teams" / "dispatch"
    desk("run", team, "There is a leak in the south district")
    run_id = desk.run_id
    assert desk("resume", run_id, "--choose", "plumbing").returncode == 3
    done = desk("resume", run_id, "--finish")
    again = desk("run", team, "--replay", run_id)
    assert (again.returncode, again.stdout) == (0, done.stdout)


def test_a_replay_that_stopped_goes_on_from_its_recording(desk: Desk) -> None:
    team = ROOT / "teams" / "dispatch"
    desk("run", team, "There is a leak in the south district", "--record", "r.yaml")
    waits = desk("run", team, "--replay", "r.yaml", "--json")
    run_id = json.loads(waits.stdout)["run_id"]
    resumed = desk("resume", run_id, "--choose", "plumbing")
    assert resumed.returncode == 1
    assert "has no call 1 of agent" in resumed.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--replay", "nothing"], "there is no run"),
        (["--replay-tools", "live"], "there is nothing to replay"),
        (["--record", "no/where.yaml"], "cannot write the recording"),
        (["--replay", "r.yaml", "--model", "offline"], "--model has no effect"),
    ],
)
def test_wrong_usage_is_told(desk: Desk, words: list[str], told: str) -> None:
    (desk.folder / "r.yaml").write_text("recording: 1\n")
    done = desk("run", SUPPORT, "Hello", *words)
    assert done.returncode == 2
    assert told in done.stderr


def test_the_sample_teams_pass_their_own_tests(desk: Desk) -> None:
    done = desk("test", ROOT / "teams", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    tested = {Path(each["file"]).parent.name for each in json.loads(done.stdout)["tests"]}
    assert tested == set(SAMPLES)
