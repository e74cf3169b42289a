"""Files that commands write: earlier outputs are written over, what a person wrote is not."""

from __future__ import annotations

from pathlib import Path

import pytest

import agentctl
from agentctl.cli.main import main
from agentctl.errors import UsageError

TEAM = """name: desk
model: offline
instructions: Answer.
tests: [{name: a, question: q, expect: {agent: desk}}]
"""
NOTES = "Remember the milk.\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "team.yaml").write_text(TEAM)
    (tmp_path / "more.test.yaml").write_text("tests: [{name: b, question: q, expect: {agent: desk}}]\n")
    (tmp_path / "notes.md").write_text(NOTES)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["run", ".", "Hello", "--record"],
        ["run", ".", "Hello", "-o"],
        ["run", ".", "Hello", "--json", "-o"],
        ["resume", "r1", "-o"],
        ["test", ".", "--junit"],
        ["show", "r1", "--html"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("file", ["team.yaml", "more.test.yaml"])
def test_a_team_and_its_tests_are_never_written_over(
    words: list[str], file: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", ".", "Hello", "--run-id", "r1"]) == 0
    before = (here / file).read_text()
    assert main([*words, file]) == 2
    assert f"to '{file}': there is a" in capsys.readouterr().err
    assert (here / file).read_text() == before
    assert [path.name for path in (here / ".agentctl" / "runs").iterdir() if path.is_dir()] == ["r1"]


def test_a_recording_replaces_a_recording_and_no_other_file(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", ".", "Hello", "--record", "notes.md"]) == 2
    assert "there is a file that is no recording" in capsys.readouterr().err
    assert (here / "notes.md").read_text() == NOTES
    (here / "empty.yaml").touch()
    for question, file in (("Hello", "empty.yaml"), ("Goodbye", "empty.yaml")):
        assert main(["run", ".", question, "--record", file]) == 0
        assert f"question: {question}" in (here / file).read_text()


def test_so_it_is_in_python(here: Path) -> None:
    team = agentctl.load_team("team.yaml")
    for file in ("team.yaml", "notes.md", "no/where.yaml"):
        with pytest.raises(UsageError, match="cannot write the recording"):
            team.run("Hello", durable=False, record=file)
    assert not (here / ".agentctl").exists()


def test_other_outputs_are_written_over(here: Path) -> None:
    assert main(["run", ".", "Hello", "--run-id", "r1", "-o", "notes.md"]) == 0
    assert main(["show", "r1", "--html", "notes.md"]) == 0
    assert main(["test", ".", "--junit", "notes.md"]) == 0
    assert (here / "notes.md").read_text().startswith("<?xml")


def test_a_team_that_is_named_is_known_whatever_it_looks_like(here: Path) -> None:
    text = '{"name": "desk", "model": "offline", "instructions": "Answer.", "tests": []}'
    (here / "desk.json").write_text(text)
    (here / "link.yaml").symlink_to(here / "desk.json")
    for words in (["--record", "desk.json"], ["-o", "desk.json"], ["-o", "link.yaml"]):
        assert main(["run", "desk.json", "Hello", *words]) == 2
    with pytest.raises(UsageError, match="there is a team file"):
        agentctl.load_team("desk.json").run("Hello", durable=False, record="desk.json")
    assert main(["test", "desk.json", "--junit", "desk.json"]) == 2
    assert (here / "desk.json").read_text() == text
