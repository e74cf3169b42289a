"""What cannot be written is found before anything is paid, or the way to it is told; `-` is stdout."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cli_teams import FULL, on_full_device, pays, says, write_team

from agentctl.cli.main import main


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_team(tmp_path, says("Hello."))
    return tmp_path


@pytest.mark.parametrize("option", ["-o", "--record"])
def test_a_folder_that_cannot_be_written_is_found_before_anything_is_done(
    option: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda _path, mode: mode != os.W_OK)  # root may write anywhere
    assert main(["run", ".", "go", option, "x.yaml"]) == 2
    err = capsys.readouterr().err
    assert "to 'x.yaml': '.' is not writable" in err
    assert "hint: name a file somewhere else" in err
    assert not (here / ".agentctl").exists()


@on_full_device
def test_an_answer_that_could_not_be_written_is_shown_the_way_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["run", ".", "go", "--run-id", "r1", "-o", str(FULL)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-2:] == [
        "error: cannot write the answer to '/dev/full': No space left on device",
        "hint: the answer is kept: agentctl show r1",
    ]
    assert main(["run", ".", "go", "--ephemeral", "-o", str(FULL)]) == 1
    assert capsys.readouterr().out == "Hello.\n"


@on_full_device
def test_a_recording_that_could_not_be_written_keeps_no_answer_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["run", ".", "go", "--run-id", "r1", "--record", str(FULL)]) == 1
    out, err = capsys.readouterr()
    assert out == "Hello.\n"
    assert "error: cannot write the recording to '/dev/full': No space left on device" in err
    assert "hint: the run is kept: agentctl show r1" in err
    assert "resume" not in err
    assert main(["run", ".", "go", "--ephemeral", "--json", "--record", str(FULL)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["answer"], found["executions"]) == ("completed", "Hello.", [])


@on_full_device
def test_the_way_to_go_on_comes_last_also_then(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_team(here, pays(), "tools: [{function: tools:pay, approve: always}]\n")
    assert main(["run", ".", "go", "--run-id", "r1", "--json", "-o", str(FULL)]) == 3
    assert capsys.readouterr().err.splitlines()[-1] == "agentctl resume r1 --approve"


@on_full_device
@pytest.mark.parametrize(
    ("words", "what"), [(["show", "r1", "--html"], "the page"), (["test", ".", "--junit"], "the JUnit file")]
)
def test_other_files_are_named_too(
    words: list[str], what: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_team(here, says("Hello."), "tests: [{name: a, question: go, expect: {agent: clerk}}]\n")
    assert main(["run", ".", "go", "--run-id", "r1"]) == 0
    assert main([*words, str(FULL)]) == 1
    assert f"error: cannot write {what} to '/dev/full': No space left on device" in capsys.readouterr().err


def test_a_dash_is_stdout(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", ".", "go", "--run-id", "r1", "-o", "-", "-q"]) == 0
    assert capsys.readouterr().out == "Hello.\n"
    assert main(["show", "r1", "--html", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!")
    for words in (["run", ".", "go", "--record", "-"], ["test", ".", "--junit", "-"]):
        assert main(words) == 2
        assert "to stdout, where other things go" in capsys.readouterr().err
    assert not (here / "-").exists()
