"""`show` in its other forms: a page, a drawing, and a run watched while it goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_teams import ENTRY, SUPPORT, environment, says, start, write_team

from agentctl.cli.main import main
from terminal import Terminal

SLEEPS = "agents:\n  clerk:\n    - calls: [{name: wait_for, arguments: {name: go}}]\n    - text: 'Done.'\n"
WAITS = '''\
import pathlib
import time


def wait_for(name: str) -> str:
    """Waits until a file is there."""
    while not pathlib.Path(name).exists():
        time.sleep(0.01)
    return "it is there"
'''


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def going(here: Path) -> Iterator[subprocess.Popen[str]]:
    """A run `r1` whose tool ends as soon as the file `go` is there."""
    write_team(here, SLEEPS, "tools: ['tools:wait_for']\n")
    (here / "tools.py").write_text(WAITS, encoding="utf-8")
    process = start("run", ".", "Is it there?", "--run-id", "r1", cwd=here)
    journal = here / ".agentctl" / "runs" / "r1" / "journal.jsonl"
    deadline = time.monotonic() + 20
    while not (journal.exists() and '"tool.started"' in journal.read_text("utf-8")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    yield process
    (here / "go").touch()
    process.communicate(timeout=20)


def test_a_page_is_written_to_a_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_team(here, says("All is well."))
    assert main(["run", ".", "Well?", "--run-id", "r1"]) == 0
    assert main(["show", "r1", "--html", "run.html"]) == 0
    said = capsys.readouterr()
    assert said.err.endswith("wrote 'run.html'\n")
    assert "All is well." in (here / "run.html").read_text("utf-8")
    assert main(["show", "r1", "--html", "nowhere/run.html"]) == 2
    assert "cannot write the page to 'nowhere/run.html'" in capsys.readouterr().err


def test_an_execution_is_told_with_what_its_model_was_sent(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_team(here, SLEEPS, "instructions: Wait for it.\ntools: ['tools:wait_for']\n")
    (here / "tools.py").write_text(f"print('imported')\n{WAITS}", encoding="utf-8")
    (here / "go").touch()
    assert main(["run", ".", "Is it there?", "--run-id", "r1"]) == 0
    capsys.readouterr()
    assert main(["show", "r1", "--execution", "clerk"]) == 0
    told = capsys.readouterr().out
    assert "  sent as system: Wait for it.\n  sent as user: Is it there?\n  call: wait_for {" in told
    assert told.count("sent as") == 2  # the second call was sent the reply and the result, which stand there
    assert "imported" not in told
    assert main(["show", "r1", "--html", "run.html"]) == 0
    assert '["sent as system", "Wait for it."]' in (here / "run.html").read_text("utf-8")
    (here / "tools.py").unlink()
    capsys.readouterr()
    assert main(["show", "r1", "--execution", "clerk"]) == 0
    assert capsys.readouterr().out == "\n".join(
        line for line in told.split("\n") if not line.startswith("  sent as ")
    )


def test_a_run_is_drawn(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_team(here, says("All is well."))
    assert main(["run", ".", "Well?", "--run-id", "r1"]) == 0
    capsys.readouterr()
    assert main(["show", "r1", "--mermaid"]) == 0
    assert capsys.readouterr().out.startswith(
        'flowchart TD\n  e1["✓ clerk<br/>1 model call, 0 tool calls<br/>'
    )


def test_one_form_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "r1", "--json", "--mermaid"]) == 2
    assert "--mermaid and --json exclude each other" in capsys.readouterr().err


def test_a_run_is_followed_to_its_end(here: Path, going: subprocess.Popen[str]) -> None:
    follower = start("show", "r1", "--follow", cwd=here)
    assert follower.stdout is not None
    assert follower.stdout.readline() == "run r1\n"
    assert follower.stdout.readline().startswith("clerk: model script:script.yaml asked for ")
    assert follower.poll() is None
    (here / "go").touch()
    out, err = follower.communicate(timeout=20)
    assert (follower.returncode, err) == (0, "")
    assert out.startswith("clerk: wait_for(name='go') gave it is there")
    assert "\nr1  completed\nasked: Is it there?\n" in out
    assert going.wait(timeout=20) == 0


def test_a_finished_run_is_told_at_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_team(here, says("All is well."))
    assert main(["run", ".", "Well?", "--run-id", "r1"]) == 0
    capsys.readouterr()
    assert main(["show", "--last", "--follow"]) == 0
    assert capsys.readouterr().out.startswith("run r1\nclerk: model script:script.yaml replied")


@pytest.mark.usefixtures("going")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_whoever_follows_may_leave(number: signal.Signals, here: Path) -> None:
    terminal = Terminal([sys.executable, "-c", ENTRY, "show", "r1", "-f"], here, environment(), whole=True)
    try:
        terminal.until("wait_for(name='go')")
        terminal.process.send_signal(number)
        assert terminal.end()[0] == 130
        assert terminal.shown.rstrip().endswith("\x1b[?25h")  # the cursor is there again, below nothing
        assert "Traceback" not in terminal.shown
    finally:
        terminal.close()


@pytest.mark.usefixtures("going")
def test_a_reader_that_goes_away_ends_it(here: Path) -> None:
    follower = start("show", "r1", "--follow", cwd=here)
    assert follower.stdout is not None
    follower.stdout.readline()
    follower.stdout.close()
    (here / "go").touch()
    assert follower.wait(timeout=20) == 141
    assert follower.stderr is not None
    assert follower.stderr.read() == ""
    follower.stderr.close()


def test_a_program_gets_one_execution_in_full(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(SUPPORT), "What's the balance on account ACC-123?", "--run-id", "r2"]) == 0
    capsys.readouterr()
    assert main(["show", "r2", "--execution", "billing", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["agent"], [step["kind"] for step in told["steps"]]) == (
        "billing",
        ["model", "tool", "model"],
    )
    assert [message["role"] for message in told["steps"][0]["sent"]] == ["system", "user"]
    assert main(["show", "r2", "--json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert [len(one["steps"]) for one in whole["executions"]] == [1, 3]
    assert main(["show", "r2", "--execution", "biling", "--json"]) == 2
    assert "did you mean 'billing'?" in json.loads(capsys.readouterr().out)["error"]["hint"]
