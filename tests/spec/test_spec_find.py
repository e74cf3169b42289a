from __future__ import annotations

from pathlib import Path

import pytest

from agentctl.diagnostics import Report
from agentctl.errors import UsageError
from agentctl.spec.read import find_team, read_team, team_environ

TEAM = "name: desk\nmodel: ${DESK_MODEL}\ninstructions: x\n"


def test_a_file_or_the_team_yaml_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "team.yaml").write_text(TEAM, encoding="utf-8")
    assert find_team(tmp_path) == tmp_path / "team.yaml"
    assert find_team(tmp_path / "team.yaml") == tmp_path / "team.yaml"


def test_a_missing_file_is_told_with_what_is_near(tmp_path: Path) -> None:
    (tmp_path / "support.yaml").write_text(TEAM, encoding="utf-8")
    with pytest.raises(UsageError, match="there is no team file") as caught:
        find_team(tmp_path / "suport.yaml")
    assert caught.value.hint == f'did you mean "{tmp_path / "support.yaml"}"?'
    with pytest.raises(UsageError) as caught:
        find_team(tmp_path / "nowhere" / "at_all.yaml")
    assert caught.value.hint == "give a team file, or a folder that has one"


def test_a_folder_without_a_team_names_what_it_has(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"has no team\.yaml") as caught:
        find_team(tmp_path)
    assert "a folder that has one" in (caught.value.hint or "")
    (tmp_path / "desk.yml").write_text(TEAM, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        find_team(tmp_path)
    assert str(tmp_path / "desk.yml") in (caught.value.hint or "")


def test_a_path_that_can_be_no_path() -> None:
    with pytest.raises(UsageError):
        find_team(Path("a\0b"))


def test_the_env_file_beside_the_team_is_read_and_yields(tmp_path: Path) -> None:
    (tmp_path / "team.yaml").write_text(TEAM, encoding="utf-8")
    (tmp_path / ".env").write_text("DESK_MODEL=offline\nOTHER=file\n", encoding="utf-8")
    report = Report()
    team = read_team(tmp_path / "team.yaml", environ={"OTHER": "process"}, report=report)
    assert report.errors == 0
    assert team is not None
    assert team.root.model is not None
    assert team.root.model.id == "offline"
    assert team_environ(tmp_path, {"OTHER": "process"}) == {"DESK_MODEL": "offline", "OTHER": "process"}


def test_a_file_that_cannot_be_read_is_a_diagnostic(tmp_path: Path) -> None:
    report = Report()
    assert read_team(tmp_path, environ={}, report=report, shown="desk") is None
    assert [(found.code, found.span.path) for found in report] == [("unreadable-file", "desk")]


def test_text_and_bytes_are_read_alike(tmp_path: Path) -> None:
    text = "name: desk\nmodel: offline\ninstructions: x\n"
    one = read_team(text, environ={}, report=Report(), folder=tmp_path)
    other = read_team(text.encode(), environ={}, report=Report(), folder=tmp_path)
    assert one == other
    assert one is not None
    assert one.path == "<text>"


def test_a_text_that_holds_nothing_gives_no_team() -> None:
    report = Report()
    assert read_team("", environ={}, report=report) is None
    assert report.errors == 1


def test_models_of_the_command_line_are_not_missing() -> None:
    report = Report()
    team = read_team("name: a\ninstructions: x\n", environ={}, report=report, models={"": "offline"})
    assert report.errors == 0
    assert team is not None
    assert team.root.model is not None
