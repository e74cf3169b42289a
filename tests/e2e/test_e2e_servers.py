"""Teams with MCP servers as processes: what is kept of them, what is told, and that none is left behind."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from e2e.command import Desk, killed_when, until
from servers.desk import PROGRAM, alive, starts

TEAM = """
name: front
model: script:script.yaml
instructions: Route.
mcp_servers:
  desk:
    command: {python}
    args: [{program}, .]
    env: {{DESK_TOKEN: "${{DESK_SECRET}}"}}
agents:
  - name: billing
    description: Balances
    tools: [{{mcp: desk, exclude: [always_dies]}}]
  - name: technical
    description: Orders
    tools: [{{mcp: desk, include: [secret]}}]
"""
SECRET = "hunter2-0123"


def script(*billing: str) -> str:
    turns = "\n".join(f"    - {turn}" for turn in billing)
    return f"agents:\n  front:\n    - calls: [{{name: transfer_to_billing}}]\n  billing:\n{turns}\n"


@pytest.fixture
def team(tmp_path: Path) -> Desk:
    text = TEAM.format(python=json.dumps(sys.executable), program=json.dumps(str(PROGRAM)))
    (tmp_path / "team.yaml").write_text(text, "utf-8")
    return Desk(folder=tmp_path, variables={"DESK_SECRET": SECRET})


def write(desk: Desk, *billing: str) -> None:
    (desk.folder / "script.yaml").write_text(script(*billing), "utf-8")


def nowhere(desk: Desk) -> bool:
    """Whether the secret stands in no file of the run."""
    found = subprocess.run(["grep", "-rl", SECRET, ".agentctl"], cwd=desk.folder, capture_output=True)
    return found.stdout == b""


def ends(pid: int) -> None:
    until(lambda: not alive(pid))


def test_a_team_uses_a_server_whose_secret_is_kept_nowhere(team: Desk) -> None:
    write(team, "calls: [{name: secret}, {name: pictures}]", "All done.")
    done = team("run", ".", "go")
    assert (done.returncode, done.stdout) == (0, "All done.\n"), done.stderr
    assert SECRET not in done.stderr
    assert "token •••" in done.stderr
    assert nowhere(team)
    kept = (team.runs[0] / "team.yaml").read_text("utf-8")
    assert "DESK_TOKEN: ${DESK_SECRET}" in kept
    assert sorted(path.suffix for path in (team.runs[0] / "files").iterdir()) == [".pdf", ".png", ".wav"]
    (pid,) = starts(team.folder)
    ends(pid)


def test_a_secret_that_is_not_set_is_told_before_anything_starts(team: Desk) -> None:
    write(team, "All done.")
    done = Desk(folder=team.folder)("run", ".", "go")
    assert done.returncode == 2
    assert 'the variable "DESK_SECRET" is not set' in done.stderr
    assert starts(team.folder) == []


def test_a_program_that_is_not_there_is_told_before_anything_starts(team: Desk) -> None:
    write(team, "All done.")
    text = (team.folder / "team.yaml").read_text("utf-8")
    (team.folder / "team.yaml").write_text(
        text.replace(json.dumps(sys.executable), "no-such-program"), "utf-8"
    )
    done = team("run", ".", "go")
    assert done.returncode == 2
    assert 'the server "desk" needs the program "no-such-program", which is not on the PATH' in done.stderr
    assert not (team.folder / ".agentctl").exists()
    validated = team("validate", ".")
    assert validated.returncode == 0, "the file is right"
    assert "warning[mcp-program]" in validated.stdout
    assert "mcp-program" not in team("validate", "--no-import", ".").stdout


def test_a_server_that_ends_at_once_is_told_with_a_command_to_try(team: Desk) -> None:
    write(team, "All done.")
    text = (team.folder / "team.yaml").read_text("utf-8")
    text = text.replace(json.dumps(sys.executable), "sh")
    text = text.replace(json.dumps(str(PROGRAM)), '-c, "echo no luck >&2; exit 3"')
    (team.folder / "team.yaml").write_text(text, "utf-8")
    done = team("run", ".", "go")
    assert done.returncode == 1
    assert "it ended at once; its last words were: no luck" in done.stderr
    assert "see whether it works by itself: sh -c 'echo no luck >&2; exit 3' ." in done.stderr


def test_a_kill_leaves_no_server_and_the_resume_goes_on(team: Desk) -> None:
    write(
        team,
        "calls: [{name: check_balance, arguments: {account_id: A}}]",
        "calls: [{name: slow, arguments: {seconds: 1}}]",
        "Done.",
    )
    killed_when(team.start("run", ".", "go"), (team.folder / "slow").exists)
    (pid,) = starts(team.folder)
    ends(pid)
    waits = team("resume", team.run_id, "--json")
    assert waits.returncode == 3, "whether the slow call had an effect is for a person to say"
    assert len(starts(team.folder)) == 1, "nothing was needed of the server"
    step = json.loads(waits.stdout)["waiting_for"][0]["step"]
    done = team("resume", team.run_id, "--rerun", step)
    assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr
    assert (team.folder / "check_balance").read_text("utf-8").count("\n") == 1, "not called again"
    for pid in starts(team.folder):
        ends(pid)


HANGS = pytest.mark.parametrize(("hangs", "there"), [("in a call", "slow"), ("at its start", "starts")])


def hanging(team: Desk, hangs: str, there: str) -> subprocess.Popen[str]:
    """A run whose server neither listens to the end of its input nor to the signal to end."""
    write(team, "calls: [{name: slow, arguments: {seconds: 40}}]", "Done.")
    text = (team.folder / "team.yaml").read_text("utf-8")
    stubborn = f'env: {{DESK_STUBBORN: "{hangs}", '
    (team.folder / "team.yaml").write_text(text.replace("env: {", stubborn), "utf-8")
    process = team.start("run", ".", "go")
    until((team.folder / there).exists)
    return process


@HANGS
def test_a_kill_leaves_no_server_that_hangs(team: Desk, hangs: str, there: str) -> None:
    process = hanging(team, hangs, there)
    process.kill()
    process.communicate()
    (pid,) = starts(team.folder)
    ends(pid)


@HANGS
def test_an_interrupt_ends_within_a_second_and_leaves_no_server(team: Desk, hangs: str, there: str) -> None:
    process = hanging(team, hangs, there)
    began = time.monotonic()
    process.terminate()
    process.communicate()
    assert process.returncode == 130
    assert time.monotonic() - began < 3
    (pid,) = starts(team.folder)
    ends(pid)


def test_a_destructive_tool_waits_for_a_person(team: Desk) -> None:
    write(team, "calls: [{name: close_account, arguments: {account_id: A}}]", "It is closed.")
    waits = team("run", ".", "go")
    assert waits.returncode == 3
    assert not (team.folder / "close_account").exists()
    done = team("resume", team.run_id, "--approve")
    assert (done.returncode, done.stdout) == (0, "It is closed.\n"), done.stderr
    assert (team.folder / "close_account").read_text("utf-8").count("\n") == 1


def test_a_run_is_replayed_without_its_servers(team: Desk) -> None:
    write(team, "calls: [{name: check_balance, arguments: {account_id: A}}]", "It is 5432.10.")
    assert team("run", ".", "go", "--record", "recording.yaml").returncode == 0
    again = team("run", ".", "go", "--replay", "recording.yaml")
    assert (again.returncode, again.stdout) == (0, "It is 5432.10.\n"), again.stderr
    assert len(starts(team.folder)) == 1


def test_the_tools_of_every_agent_are_listed(team: Desk) -> None:
    write(team, "Done.")
    shown = team("tools", ".")
    assert shown.returncode == 0, shown.stderr
    assert "close_account  mcp:desk/close_account  needs approval" in shown.stdout
    assert "check_balance  mcp:desk/check_balance  idempotent" in shown.stdout
    assert "account_id (string): Such as ACC-123." in shown.stdout
    listed = json.loads(team("tools", ".", "--json").stdout)["agents"]
    assert [agent["agent"] for agent in listed] == ["front", "billing", "technical"]
    assert [tool["name"] for tool in listed[2]["tools"]] == ["secret"]
    balance = next(tool for tool in listed[1]["tools"] if tool["name"] == "check_balance")
    assert balance["parameters"]["required"] == ["account_id"]
    assert (balance["idempotent"], balance["approve"]) == (True, "never")
    for pid in starts(team.folder):
        ends(pid)


def test_an_agent_reaches_only_the_tools_that_its_own_list_names(team: Desk) -> None:
    text = """
agents:
  front:
    - calls: [{name: transfer_to_technical}]
  technical:
    - calls:
        - {name: check_balance, arguments: {account_id: A}}
        - {name: desk_check_balance, arguments: {account_id: A}}
        - {name: "mcp:desk/check_balance", arguments: {account_id: A}}
        - {name: transfer_to_billing}
        - {name: secret}
    - text: Done.
"""
    (team.folder / "script.yaml").write_text(text, "utf-8")
    done = team("run", ".", "go")
    assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr
    assert not (team.folder / "check_balance").exists()
    told = [json.loads(line) for line in (team.runs[0] / "journal.jsonl").read_text("utf-8").splitlines()]
    results = [record["out"]["text"] for record in told if record["ev"] == "tool.completed"]
    assert [text.startswith("There is no tool") for text in results] == [True] * 4 + [False]
    assert "Your tools are: secret." in results[0]


def test_a_replay_starts_no_server(team: Desk) -> None:
    write(team, "calls: [{name: check_balance, arguments: {account_id: A}}]", "All done.")
    done = team("run", ".", "go", "--record", "r.yaml")
    assert done.returncode == 0, done.stderr
    assert len(starts(team.folder)) == 1
    (team.folder / "script.yaml").unlink()
    keyless = Desk(folder=team.folder, variables={"DESK_SECRET": "another"})
    for words in (["--replay", "r.yaml"], ["--replay", team.run_id, "--ephemeral"]):
        again = keyless("run", ".", *words, "--record", "s.yaml")
        assert (again.returncode, again.stdout) == (0, "All done.\n"), again.stderr
        assert (team.folder / "s.yaml").read_text("utf-8") == (team.folder / "r.yaml").read_text("utf-8")
    assert len(starts(team.folder)) == 1
    text = (team.folder / "r.yaml").read_text("utf-8")
    (team.folder / "r.yaml").write_text(text.replace("listings:", "x-listings:"), "utf-8")
    told = keyless("run", ".", "--replay", "r.yaml", "--ephemeral")
    assert "does not tell which tools the servers of agent" in told.stderr
    assert len(starts(team.folder)) == 1


def test_what_a_server_declares_harmless_is_called_again_after_a_crash_and_nothing_else(team: Desk) -> None:
    """The journal is cut behind the start of a call, as a crash during it leaves it."""
    write(
        team,
        "calls: [{name: check_balance, arguments: {account_id: A}}]",
        "calls: [{name: set_limit, arguments: {account_id: A}}]",
        "calls: [{name: slow, arguments: {seconds: 0}}]",
        "Done.",
    )
    assert team("run", ".", "go").returncode == 0
    journal = team.runs[0] / "journal.jsonl"
    whole = journal.read_bytes().splitlines(keepends=True)
    for name, code in (("check_balance", 0), ("set_limit", 0), ("slow", 3)):
        started = next(
            at for at, line in enumerate(whole) if b"tool.started" in line and f".{name}".encode() in line
        )
        journal.write_bytes(b"".join(whole[: started + 1]))
        mark = team.folder / name
        before = mark.read_text("utf-8").count("\n")
        done = team("resume", team.run_id)
        assert done.returncode == code, done.stderr
        assert mark.read_text("utf-8").count("\n") == before + (code == 0), name
    for pid in starts(team.folder):
        ends(pid)
