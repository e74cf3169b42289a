"""Whole processes, interrupted while a tool hangs that nothing can stop."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_teams import (
    BLOCKING,
    ENTRY,
    FULL,
    PAYING,
    SLEEPING,
    SLEEPS,
    TOOLS,
    on_full_device,
    pays,
    says,
    start,
    write_team,
)

from agentctl.cli.main import main
from agentctl.journal.summary import run_json, summarise


def _sleeping(folder: Path, *more: str, tools: str = SLEEPING) -> subprocess.Popen[str]:
    """A run whose tool has begun to sleep for a minute."""
    write_team(folder, SLEEPS, tools)
    process = start("run", ".", "go", "--run-id", "r1", *more, cwd=folder)
    deadline = time.monotonic() + 20
    while not (folder / "started").exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_stops_cleanly_within_a_second(
    number: signal.Signals, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    process = _sleeping(tmp_path)
    began = time.monotonic()
    process.send_signal(number)
    out, err = process.communicate(timeout=10)
    assert time.monotonic() - began < 1.0
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    assert err.rstrip().splitlines()[-1] == "agentctl resume r1"
    assert main(["show", "r1", "--json", "--runs-dir", str(tmp_path / ".agentctl" / "runs")]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "interrupted"


def test_a_tool_that_blocks_everything_is_left_behind_within_a_second(tmp_path: Path) -> None:
    process = _sleeping(tmp_path, tools=BLOCKING)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=10)
    assert time.monotonic() - began < 1.2
    assert process.returncode == 130
    assert err.rstrip().splitlines()[-1] == "agentctl resume r1"


def test_the_second_signal_ends_at_once(tmp_path: Path) -> None:
    process = _sleeping(tmp_path, tools=BLOCKING)
    began = time.monotonic()
    while process.poll() is None:
        process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    process.communicate()
    assert time.monotonic() - began < 0.5
    assert process.returncode == 130


def test_events_end_with_the_interruption(tmp_path: Path) -> None:
    process = _sleeping(tmp_path, "--events")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=10)
    last = json.loads(out.splitlines()[-1])
    assert (last["ev"], last["status"]) == ("run.finished", "interrupted")


def test_a_reader_of_events_that_goes_away_stops_the_run(tmp_path: Path) -> None:
    write_team(tmp_path, pays(), PAYING)
    process = start("run", ".", "go", "--events", "--run-id", "r1", cwd=tmp_path)
    assert process.stdout is not None
    process.stdout.close()
    process.wait(timeout=20)
    assert process.returncode in (3, 130, 141)
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()
    process.stderr.close()


def test_cancel_stops_a_run_from_another_process(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = str(tmp_path / ".agentctl" / "runs")
    process = _sleeping(tmp_path)
    assert main(["cancel", "r1", "--runs-dir", runs]) == 0
    assert "was asked to stop" in capsys.readouterr().err
    _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert "the run was cancelled" in err
    assert err.rstrip().splitlines()[-1] == "agentctl resume r1"


IMPORTING = """
import pathlib, time
pathlib.Path("importing").touch()
time.sleep(60)
"""


def _importing(folder: Path, *words: str) -> subprocess.Popen[str]:
    """A command that is stuck in the module of the team's tools."""
    (folder / "importing").unlink(missing_ok=True)
    (folder / "tools.py").write_text(f"{IMPORTING}\n{TOOLS}")
    process = start(*words, cwd=folder)
    deadline = time.monotonic() + 20
    while not (folder / "importing").exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    return process


@pytest.mark.parametrize("more", [[], ["--run-id", "r1"], ["--json"]])
def test_before_a_run_has_begun_there_is_none_to_go_on_with(more: list[str], tmp_path: Path) -> None:
    write_team(tmp_path, pays(), PAYING)
    process = _importing(tmp_path, "run", ".", "go", *more)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, err) == (130, "interrupted before anything was started\n")
    if "--json" not in more:
        assert out == ""
        return
    found = json.loads(out)
    assert (found["run_id"], found["status"]) == ("", "interrupted")
    assert set(found) == set(run_json(summarise({}, [], live=False)))


@pytest.mark.parametrize("words", [["resume", "--last"], ["run", ".", "go", "--run-id", "r1"]])
def test_a_run_that_is_there_is_named_also_before_it_goes_on(words: list[str], tmp_path: Path) -> None:
    write_team(tmp_path, pays(), PAYING)
    waits = start("run", ".", "go", "--run-id", "r1", cwd=tmp_path)
    waits.communicate(timeout=20)
    assert waits.returncode == 3
    process = _importing(tmp_path, *words)
    _, err = process.communicate(timeout=10)
    assert (process.returncode, err.splitlines()[-1]) == (130, "agentctl resume r1")


@on_full_device
def test_events_that_nobody_can_write_leave_a_run_to_go_on_with(tmp_path: Path) -> None:
    write_team(tmp_path, SLEEPS, SLEEPING)
    with FULL.open("w") as full:
        words = [sys.executable, "-c", ENTRY, "run", ".", "go", "--events", "--run-id", "r1"]
        done = subprocess.run(
            words, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=20
        )
    lines = done.stderr.splitlines()
    assert done.returncode == 130
    assert lines[0] == "error: cannot write the events to stdout: No space left on device"
    assert lines[-2:] == ["continue with:", "agentctl resume r1"]


@on_full_device
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_an_answer_that_stdout_does_not_take_is_shown_the_way_to(more: list[str], tmp_path: Path) -> None:
    write_team(tmp_path, says("Hello."))
    for words, last in (
        (["run", ".", "go", "--run-id", "r1"], "hint: the answer is kept: agentctl show r1"),
        (["show", "r1"], "error: cannot write to stdout: No space left on device"),
    ):
        with FULL.open("w") as full:
            done = subprocess.run(
                [sys.executable, "-c", ENTRY, *words, *more],
                cwd=tmp_path,
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        assert (done.returncode, done.stderr.splitlines()[-1]) == (1, last)
