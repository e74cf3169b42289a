"""What a command that fails prints for a program that asked for JSON: one object, whatever went wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentctl.cli.main import main
from agentctl.jsontypes import Json, as_list, as_object


def printed(words: list[str], capsys: pytest.CaptureFixture[str]) -> Json:
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.err
    found: Json = json.loads(captured.out)
    return found


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["show", "nope", "--json"], "run-not-found", 'there is no run "nope"'),
        (["tools", "nope", "--json"], "usage", 'there is no team file "nope"'),
        (["test", "nope", "--json"], "usage", 'there is no team file "nope"'),
        (["validate", "--format", "json", "--nope"], "usage", "there is no option '--nope'"),
        (["validate", "--format=json", "--nope"], "usage", "there is no option '--nope'"),
        (["runs", "--json", "--nope"], "usage", "there is no option '--nope'"),
        (["run", "nope", "--json"], "usage", 'there is no team file "nope"'),
        (["run", "--json"], "usage", "missing argument"),
    ],
)
def test_an_error_is_an_object_on_stdout_too(
    words: list[str],
    code: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    error = as_object(as_object(printed(words, capsys))["error"])
    assert error["code"] == code
    assert message in str(error["message"])


def test_what_is_wrong_with_a_team_stands_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "team.yaml").write_text("name: a\nmodel: offline\ninstruction: Go.\n")
    found = as_object(printed(["tools", ".", "--json"], capsys))
    assert as_object(found["error"])["code"] == "team"
    assert "unknown-key" in [as_object(each)["code"] for each in as_list(found["diagnostics"])]


@pytest.mark.parametrize("words", [["show", "nope"], ["show", "--", "--json"]])
def test_a_person_is_told_on_stderr_alone(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err != "") == ("", True)
