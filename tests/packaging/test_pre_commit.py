"""The hook of `.pre-commit-hooks.yaml`, run by the real pre-commit on a repository of teams."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

import pytest

ROOT: Final = Path(__file__).parents[2]
PARTS: Final = ("agentctl", "schemas", "teams", "pyproject.toml", "README.md", ".pre-commit-hooks.yaml")
GOOD: Final = "name: desk\nmodel: offline\ninstructions: Answer questions.\ntools: [tools:look]\n"
BAD: Final = GOOD.replace("instructions", "instruction")
TOOLS: Final = "raise RuntimeError('imported')\n"
Hook: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = pytest.mark.packaging


def git(folder: Path, *words: str) -> None:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def hook(tmp_path_factory: pytest.TempPathFactory) -> Hook:
    """Runs the hook of the working tree, in the repository below `teams`, on the files that are named."""
    folder = tmp_path_factory.mktemp("hook")
    source, teams = folder / "source", folder / "teams"
    source.mkdir()
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, source / part)
    for name, text in (("good", GOOD), ("bad", BAD)):
        (teams / name).mkdir(parents=True)
        (teams / name / "team.yaml").write_text(text, encoding="utf-8")
        (teams / name / "tools.py").write_text(TOOLS, encoding="utf-8")
    (teams / "notes.yaml").write_text("no: team\n", encoding="utf-8")
    for repository in (source, teams):
        git(repository, "init", "-q")
        git(repository, "add", "-A")
        git(repository, "commit", "-qm", "all")
    environ: Mapping[str, str] = {
        **os.environ,
        "PRE_COMMIT_HOME": str(folder / "cache"),
        "PIP_CONSTRAINT": str(ROOT / "constraints.txt"),
    }

    def run(*files: str) -> subprocess.CompletedProcess[str]:
        command = [
            sys.executable,
            "-m",
            "pre_commit",
            "try-repo",
            str(source),
            "agentctl-validate",
            "--files",
        ]
        return subprocess.run(
            [*command, *files],
            cwd=teams,
            env=environ,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )

    return run


def test_a_good_team_passes_and_nothing_of_it_is_imported(hook: Hook) -> None:
    done = hook("good/team.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Passed" in done.stdout


def test_a_bad_team_is_told_where_it_is_bad(hook: Hook) -> None:
    done = hook("good/team.yaml", "bad/team.yaml")
    assert done.returncode == 1
    assert "bad/team.yaml:3:1: error[unknown-key]" in done.stdout
    assert "good/team.yaml:" not in done.stdout


def test_other_files_are_left_alone(hook: Hook) -> None:
    assert "no files to check" in hook("notes.yaml").stdout
