"""`agentctl init`: every strategy's team works as it stands, and nothing that is there is touched."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from cli_teams import ENTRY, environment

import agentctl
from agentctl.cli.main import main
from agentctl.spec.strategies import STRATEGIES


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AGENTCTL_MODEL", raising=False)
    return tmp_path


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_new_team_is_valid_runs_and_passes_its_tests(
    strategy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", "desk", "--strategy", strategy]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    root = agentctl.load_team("desk").root
    assert root.strategy is not None
    assert root.strategy.type == strategy
    assert main(["validate", "desk", "--strict"]) == 0
    commands = [shlex.split(line) for line in told.err.splitlines() if line.startswith("  agentctl ")]
    assert [command[1] for command in commands] == ["run", "chat", "test", "graph", "doctor"]
    ended = {command[1]: main(command[1:]) for command in commands if command[1] != "chat"}
    waits = strategy == "manual"
    assert ended == {"run": 3 if waits else 0, "test": 0, "graph": 0, "doctor": 0}
    assert "no language model was asked (offline)" in capsys.readouterr().err or waits


def test_an_editor_finds_the_schema_beside_the_team() -> None:
    assert main(["init"]) == 0
    first, *_ = Path("team.yaml").read_text("utf-8").splitlines()
    schema = first.removeprefix("# yaml-language-server: $schema=")
    assert json.loads(Path(schema).read_text("utf-8"))["title"]


@pytest.mark.parametrize("name", ["team.yaml", "tools.py", "team.schema.json"])
def test_what_is_there_stays_and_is_named(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(name).write_text("mine", "utf-8")
    assert main(["init"]) == 2
    assert capsys.readouterr().err == (
        f"error: '{name}' is there already\n"
        "hint: nothing was written; name another folder: agentctl init DIR\n"
    )
    assert [path.name for path in Path().iterdir()] == [name]
    assert Path(name).read_text("utf-8") == "mine"


def test_a_link_that_leads_nowhere_is_not_written_through(here: Path) -> None:
    (here / "tools.py").symlink_to(here / "elsewhere.py")
    assert main(["init"]) == 2
    assert not (here / "elsewhere.py").exists()


def test_a_file_in_the_place_of_the_folder_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("desk").write_text("mine", "utf-8")
    assert main(["init", "desk"]) == 2
    assert "error: 'desk' is there already, and no folder" in capsys.readouterr().err
    assert main(["init", "desk/below"]) == 2
    assert "error: cannot write 'desk/below': Not a directory" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="the limit is one of POSIX")
def test_what_cannot_be_written_whole_is_not_left_in_part(here: Path) -> None:
    """A whole process, which may write no more than 4 KiB into a file."""
    done = subprocess.run(
        ["sh", "-c", f'ulimit -f 8; "{sys.executable}" -c "{ENTRY}" init new/desk'],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: cannot write 'new/desk': File too large\n")
    assert not (here / "new").exists()


def test_a_wrong_strategy_is_told_the_right_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "desk", "--strategy", "handof"]) == 2
    assert "did you mean 'handoff'?" in capsys.readouterr().err
    assert main(["init", "desk", "--strategy", "xyzzy"]) == 2
    assert "it is one of handoff, router, sequential" in capsys.readouterr().err
    assert not Path("desk").exists()


def test_programs_get_files_and_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "my desk", "--json"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    found = json.loads(told.out)
    assert all(Path(file).is_file() for file in found["files"])
    assert shlex.split(found["commands"][0])[2] == "my desk"


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "desk", "-q"]) == 0
    assert capsys.readouterr() == ("", "")
