"""What `validate` says of a folder: which YAML files were checked, and which it passed over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentctl.cli.main import main

GOOD = "name: desk\nmodel: offline\ninstructions: Answer.\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "team.yaml").write_text(GOOD)
    (tmp_path / "compose.yaml").write_text("name: shop\nservices: {}\n")
    return tmp_path


@pytest.mark.parametrize(
    "written",
    [
        "name: q\nmodle: offline\nsystem_prompt: x\nmax_turns: 5\n",
        "name: q\n\tmodel: offline\n",
        "team: {name: q, model: offline, agents: []}\n",
        "- name: q\n  model: offline\n  instructions: x\n",
        "agents:\n  one: {role: x, goal: y}\n",
    ],
    ids=["misspelt", "tab", "around", "list", "crew"],
)
def test_a_broken_team_file_of_another_name_is_told_of(
    here: Path, capsys: pytest.CaptureFixture[str], written: str
) -> None:
    (here / "x.yaml").write_text(written)
    assert main(["validate", ".", "--json"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert {one["path"] for one in found["diagnostics"]} == {"x.yaml"}
    assert found["checked"] == ["team.yaml", "x.yaml"]
    assert found["passed_over"] == ["compose.yaml"]


def test_a_team_file_in_another_encoding_is_told_of(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "x.yaml").write_bytes(GOOD.encode("utf-16"))
    assert main(["validate", ".", "--json"]) == 2
    assert [one["code"] for one in json.loads(capsys.readouterr().out)["diagnostics"]] == ["yaml-encoding"]


def test_stderr_says_what_was_checked_and_what_was_not(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "empty.yaml").write_text("")
    (here / "replies.yaml").write_text("agents: {desk: [Hello]}\n")
    (here / "x.test.yaml").write_text(
        "team: team.yaml\n"
        "tests: [{name: a, question: Hi, model: 'script:replies.yaml', expect: {agent: desk}}]\n"
    )
    assert main(["validate", "."]) == 0
    captured = capsys.readouterr()
    assert captured.out == "no problems found\n"
    assert captured.err.splitlines() == [
        "checked replies.yaml, team.yaml, x.test.yaml",
        "passed over as no team file: compose.yaml, empty.yaml",
    ]
    assert main(["validate", ".", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["validate", "team.yaml"]) == 0
    assert capsys.readouterr().err == ""


def test_a_folder_without_a_team_says_what_it_has(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "team.yaml").unlink()
    assert main(["validate", "."]) == 2
    assert "name the team file; passed over: compose.yaml" in capsys.readouterr().err
