"""`runs --by-variant`, the sizes of runs, and what killed processes leave behind."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from cli_teams import SUPPORT

from agentctl.cli.main import main
from agentctl.render.amounts import size

AB = {
    "name": "ab",
    "model": "script:says.yaml",
    "strategy": {"type": "random", "weights": {"short": 1, "long": 0}, "seed": 7},
    "agents": [
        {"name": "short", "description": "Brief", "instructions": "Be brief."},
        {"name": "long", "description": "Long", "instructions": "Be long."},
    ],
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AGENTCTL_RUNS_DIR", raising=False)
    return tmp_path


def draw(folder: Path, *, long: bool, fails: bool = False) -> int:
    weights = {"short": 0, "long": 1} if long else {"short": 1, "long": 0}
    team = {**AB, "strategy": {"type": "random", "weights": weights, "seed": 7}}
    reply = {"error": {"kind": "bad_request"}} if fails else {"text": "well"}
    folder.mkdir(exist_ok=True)
    (folder / "team.yaml").write_text(json.dumps(team), "utf-8")
    (folder / "says.yaml").write_text(json.dumps({"agents": {"*": [reply]}}), "utf-8")
    return main(["run", str(folder), "what?", "-q"])


def test_draws_are_compared_by_cost_time_and_end(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert draw(here / "ab", long=False) == 0
    assert draw(here / "ab", long=False) == 0
    assert draw(here / "ab", long=True, fails=True) == 1
    capsys.readouterr()
    assert main(["runs", "--by-variant"]) == 0
    head, long, short = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert head == ["team", "drawn by", "variant", "drawn", "ended", "cost each", "tokens each", "time each"]
    assert long[:5] == ["ab", "ab", "long", "1", "1 failed"]
    assert short[:5] == ["ab", "ab", "short", "2", "2 completed"]
    assert main(["runs", "--by-variant", "--json", "--status", "completed"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["variant"], found["drawn"], found["ended"]) == ("short", 2, {"completed": 2})


def test_runs_in_which_nothing_was_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(SUPPORT), "What's the balance on account ACC-123?", "-q"]) == 0
    capsys.readouterr()
    assert main(["runs", "--by-variant"]) == 0
    assert capsys.readouterr() == ("", "nothing was drawn in these runs\n")


def test_what_a_run_takes_on_disk_is_shown(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(SUPPORT), "What's the balance on account ACC-123?", "-q"]) == 0
    capsys.readouterr()
    assert main(["runs", "--json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)
    folder = here / ".agentctl" / "runs" / run["run_id"]
    assert run["bytes"] == sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert main(["runs"]) == 0
    assert f"\t{size(run['bytes'])}\t" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (4_210_000, "4.2 MB"), (3_000_000_000_000, "3000.0 GB")],
)
def test_sizes(number: int, shown: str) -> None:
    assert size(number) == shown


def test_prune_sweeps_what_killed_processes_left(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = here / ".agentctl" / "runs"
    for name in (".new-0a", ".removed-0b", ".new-young"):
        (runs / name).mkdir(parents=True)
        (runs / name / "run.json").write_text("{}", "utf-8")
    for name in (".new-0a", ".removed-0b"):
        os.utime(runs / name, (1, 1))
    assert main(["runs", "prune", "--older-than", "30d"]) == 0
    assert [path.name for path in runs.iterdir()] == [".new-young"], "it may be in the making"
    then = time.time() - 60
    os.utime(runs / ".new-young", (then, then))
    assert main(["runs", "prune", "--older-than", "1s"]) == 0
    assert list(runs.iterdir()) == []
    assert "removed 2 that a killed process had left" in capsys.readouterr().err


def test_a_copy_under_another_name_is_a_run_of_its_own(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(SUPPORT), "What's the balance on account ACC-123?", "-q", "--run-id", "a"]) == 0
    runs = here / ".agentctl" / "runs"
    (runs / "a").rename(runs / "b")
    capsys.readouterr()
    assert main(["runs", "-q"]) == 0
    assert capsys.readouterr().out == "b\n"
    assert main(["runs", "prune", "--older-than", "0s"]) == 0
    assert list(runs.iterdir()) == []
