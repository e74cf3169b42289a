"""Run directories taken elsewhere: to another folder, to another machine, from another agentctl."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from e2e.cast import TOOLS, Stage, agent, crew, looks
from e2e.command import Desk, killed_when
from loopback.replies import Answer, Scripted
from loopback.server import Seen

TEAM = agent(
    "desk",
    agent("one", tools=[{"function": "tools:look", "approve": "always"}]),
    *crew("two"),
    strategy="sequential",
)


@pytest.fixture
def died(stage: Stage, wired: Desk) -> Path:
    """A run in whose second stage the process died."""

    def slow(_seen: Seen) -> Scripted:
        return Answer(text="two is done", delay=5)

    stage.set(TEAM, {"one": [looks("it"), "one looked"], "two": slow})
    killed_when(wired.start("run", ".", "What now?", "--yes"), lambda: stage.order == ["one", "one", "two"])
    stage.server.requests.clear()
    stage.server.script = lambda _seen: Answer(text="two is done at last")
    return wired.runs[0]


def elsewhere(died: Path, wired: Desk, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Another folder that holds a copy of the run; the team's own is gone."""
    other = tmp_path_factory.mktemp("other")
    shutil.copytree(died, other / ".agentctl" / "runs" / died.name)
    for name in ("team.yaml", "tools.py", "looked"):
        (wired.folder / name).unlink()
    shutil.rmtree(wired.folder)
    return Desk(folder=other, variables=wired.variables)


def test_a_copied_run_goes_on_with_the_tools_of_the_current_folder(
    died: Path, wired: Desk, stage: Stage, tmp_path_factory: pytest.TempPathFactory
) -> None:
    desk = elsewhere(died, wired, tmp_path_factory)
    missing = desk("resume", died.name)
    assert missing.returncode == 2
    assert "tools" in missing.stderr
    (desk.folder / "tools.py").write_text(TOOLS, "utf-8")
    done = desk("resume", died.name)
    assert (done.returncode, done.stdout) == (0, "two is done at last\n"), done.stderr
    assert stage.order == ["two"]
    assert not (desk.folder / "looked").exists(), "what was called before is not called again"


def test_a_copied_run_goes_on_from_a_folder_that_is_named(
    died: Path, wired: Desk, stage: Stage, tmp_path_factory: pytest.TempPathFactory
) -> None:
    desk = elsewhere(died, wired, tmp_path_factory)
    (desk.folder / "tools.py").write_text(TOOLS, "utf-8")
    shutil.move(desk.folder / ".agentctl" / "runs", desk.folder / "archive")
    done = desk("resume", died.name, "--runs-dir", "archive")
    assert (done.returncode, done.stdout) == (0, "two is done at last\n"), done.stderr


def test_a_newer_format_is_refused_by_name(died: Path, wired: Desk) -> None:
    change(died / "run.json", lambda header: header | {"format": 99})
    done = wired("resume", died.name)
    assert done.returncode == 1
    assert f'the run "{died.name}" has format 99; this agentctl reads up to format 1' in done.stderr


def change(path: Path, edit: Callable[[dict[str, object]], dict[str, object]]) -> None:
    path.write_text(json.dumps(edit(json.loads(path.read_text("utf-8")))), "utf-8")


def test_a_changed_kept_team_is_refused_and_an_edited_one_is_the_way(died: Path, wired: Desk) -> None:
    kept = died / "team.yaml"
    kept.write_text(kept.read_text("utf-8") + "\n# edited in place\n", "utf-8")
    done = wired("resume", died.name)
    assert done.returncode == 1
    assert f"agentctl resume {died.name} --with TEAM" in done.stderr
    assert wired("resume", died.name, "--with", ".", "--yes").stdout == "two is done at last\n"
