"""Processes killed with `kill -9`, and what `resume` then does and does not do again."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.command import Desk, killed_when, until
from loopback.replies import call, text
from loopback.server import LoopbackServer

TEAM = """
name: front
model: openai/gpt-4o-mini
instructions: Route.
agents:
  - name: billing
    description: Balances
    tools: [{{function: "tools:check_balance", idempotent: {idempotent}}}]
"""
TOOLS = '''
import pathlib, time
from agentctl import ToolContext

def check_balance(account_id: str, context: ToolContext) -> str:
    """Balance of an account."""
    with open("called", "a") as file:
        file.write(context.idempotency_key + "\\n")
    while not pathlib.Path("go").exists():
        time.sleep(0.01)
    return "5432.10"
'''


@pytest.fixture
def team(wired: Desk) -> Desk:
    write(wired.folder, idempotent=True)
    return wired


def write(folder: Path, *, idempotent: bool) -> None:
    (folder / "team.yaml").write_text(TEAM.format(idempotent=str(idempotent).lower()), "utf-8")
    (folder / "tools.py").write_text(TOOLS, "utf-8")


def calls(desk: Desk) -> list[str]:
    path = desk.folder / "called"
    return path.read_text("utf-8").splitlines() if path.exists() else []


def killed_in_the_tool(desk: Desk, server: LoopbackServer) -> None:
    server.say(call("transfer_to_billing", {"reason": "balance"}), call("check_balance", {"account_id": "A"}))
    killed_when(desk.start("run", ".", "balance of A?"), lambda: calls(desk) != [])
    assert len(server.requests) == 2


def test_finished_model_calls_and_the_decision_are_not_made_again(
    team: Desk, openai_server: LoopbackServer
) -> None:
    killed_in_the_tool(team, openai_server)
    (team.folder / "go").touch()
    openai_server.say(text("It is 5432.10."))
    done = team("resume", team.run_id)
    assert (done.returncode, done.stdout) == (0, "It is 5432.10.\n")
    assert len(openai_server.requests) == 3
    first, second = calls(team)
    assert first == second, "an idempotent call keeps its key"


def test_a_finished_run_gives_its_answer_and_calls_nothing(team: Desk, openai_server: LoopbackServer) -> None:
    (team.folder / "go").touch()
    openai_server.say(
        call("transfer_to_billing"), call("check_balance", {"account_id": "A"}), text("It is 5432.10.")
    )
    assert team("run", ".", "balance of A?").returncode == 0
    before = (team.runs[0] / "journal.jsonl").read_bytes()
    done = team("resume", team.run_id)
    assert (done.returncode, done.stdout) == (0, "It is 5432.10.\n")
    assert len(openai_server.requests) == 3
    assert (team.runs[0] / "journal.jsonl").read_bytes() == before


def test_a_call_in_doubt_waits_for_a_person(wired: Desk, openai_server: LoopbackServer) -> None:
    write(wired.folder, idempotent=False)
    killed_in_the_tool(wired, openai_server)
    done = wired("resume", wired.run_id)
    assert (done.returncode, done.stdout) == (3, "")
    step = "front/billing.1/turn-1/call-1.check_balance"
    assert done.stderr.splitlines()[-2:] == [
        f"agentctl resume {wired.run_id} --rerun {step}",
        f"agentctl resume {wired.run_id} --skip {step}",
    ]
    both = wired("resume", wired.run_id, "--skip", step, "--rerun", step)
    assert both.returncode == 2
    assert "two answers" in both.stderr
    assert wired("resume", wired.run_id).returncode == 3, "a refused command leaves no answer"
    assert len(calls(wired)) == 1
    openai_server.say(text("I could not find out."))
    done = wired("resume", wired.run_id, "--skip", step)
    assert (done.returncode, done.stdout) == (0, "I could not find out.\n")
    assert len(calls(wired)) == 1
    assert "unknown" in str(openai_server.requests[-1].messages[-1]["content"])


def test_a_call_in_doubt_is_made_again_where_a_person_says_so(
    wired: Desk, openai_server: LoopbackServer
) -> None:
    write(wired.folder, idempotent=False)
    killed_in_the_tool(wired, openai_server)
    (wired.folder / "go").touch()
    openai_server.say(text("It is 5432.10."))
    done = wired("resume", wired.run_id, "--rerun", "front/billing.1/turn-1/call-1.check_balance")
    assert (done.returncode, done.stdout) == (0, "It is 5432.10.\n")
    assert len(calls(wired)) == 2


def test_a_run_in_use_is_left_alone(team: Desk, openai_server: LoopbackServer) -> None:
    openai_server.say(call("transfer_to_billing"), call("check_balance", {"account_id": "A"}), text("Done."))
    process = team.start("run", ".", "balance of A?")
    until(lambda: calls(team) != [])
    done = team("resume", team.run_id)
    assert done.returncode == 5
    assert str(process.pid) in done.stderr
    (team.folder / "go").touch()
    out, _ = process.communicate()
    assert (process.returncode, out) == (0, "Done.\n")


def test_a_live_run_is_cancelled_from_elsewhere(team: Desk, openai_server: LoopbackServer) -> None:
    openai_server.say(call("transfer_to_billing"), call("check_balance", {"account_id": "A"}))
    process = team.start("run", ".", "balance of A?")
    until(lambda: calls(team) != [])
    assert team("cancel", team.run_id).returncode == 0
    _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert f"agentctl resume {team.run_id}" in err
    (team.folder / "go").touch()
    openai_server.say(text("Done."))
    assert team("resume", team.run_id).stdout == "Done.\n"
