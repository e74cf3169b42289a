"""The README's recipes for scripts, make and GitHub Actions, run as they stand there by the real programs."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
import yaml

pytestmark = pytest.mark.shells
ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
Shell: TypeAlias = Callable[[str], subprocess.CompletedProcess[str]]


def block(heading: str, language: str) -> str:
    """The first code block of that language below the heading."""
    section = README.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    (found, *_) = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
    return str(found)


SCRIPTS = block("In scripts", "sh").splitlines()
ANSWER = "The status of order ORD-77 is shipped, carrier Northpost, expected 2026-12-03."


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """Runs a command line in a folder with the sample teams, `agentctl` being on the path."""
    program = tmp_path / "bin" / "agentctl"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m agentctl "$@"\n', "utf-8")
    program.chmod(0o755)
    ignored = shutil.ignore_patterns("__pycache__", ".agentctl")
    shutil.copytree(ROOT / "teams", tmp_path / "teams", ignore=ignored)
    kept = {
        name: os.environ[name] for name in ("COVERAGE_PROCESS_CONFIG", "PYTHONPATH") if name in os.environ
    }
    environ = {**kept, "PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}

    def run(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-ec", line],
            cwd=tmp_path,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        (SCRIPTS[0], f"{ANSWER}\n"),
        (SCRIPTS[1], f"technical: {ANSWER}\n"),
        (SCRIPTS[2], "lookup_order\n"),
    ],
)
def test_an_answer_goes_through_a_pipe(line: str, printed: str, shell: Shell) -> None:
    done = shell(line)
    assert (done.returncode, done.stdout, done.stderr) == (0, printed, "")


def test_runs_are_summed_up_by_jq(shell: Shell) -> None:
    for line in (SCRIPTS[0], 'agentctl run teams/panel -q "Review change CHG-7"'):
        assert shell(line).returncode == 0
    sums = json.loads(shell(SCRIPTS[3]).stdout)
    assert [(one["team"], one["cost_usd"]) for one in sums] == [
        ("change_panel", 0),
        ("support_supervisor", 0),
    ]


def test_xargs_asks_many_at_once_and_each_once(shell: Shell, tmp_path: Path) -> None:
    for _ in range(2):
        done = shell(SCRIPTS[4])
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "5432.10" in (tmp_path / "ACC-123.txt").read_text("utf-8")
    assert "87.50" in (tmp_path / "ACC-456.txt").read_text("utf-8")
    assert shell("agentctl runs -q | sort").stdout == "balance-ACC-123\nbalance-ACC-456\n"
    assert len(SCRIPTS) == 5


def test_make_answers_what_was_not_answered_yet(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(block("In scripts", "make"), "utf-8")
    (tmp_path / "order.question").write_text("Where is my order ORD-77?\n", "utf-8")
    first, second = shell("make order.answer"), shell("make order.answer")
    assert (first.returncode, first.stderr) == (0, "")
    assert (tmp_path / "order.answer").read_text("utf-8") == f"{ANSWER}\n"
    assert "up to date" in second.stdout
    (tmp_path / "bad.question").write_text("\n", "utf-8")
    assert shell("make bad.answer").returncode == 2
    assert not (tmp_path / "bad.answer").exists()


def test_the_workflow_is_one_and_its_commands_run(shell: Shell, tmp_path: Path) -> None:
    workflow = yaml.safe_load(block("In scripts", "yaml"))
    assert workflow[True] == ["push", "pull_request"]  # YAML 1.1 reads `on` so
    steps = workflow["jobs"]["teams"]["steps"]
    assert all(("run" in step) != ("uses" in step) for step in steps)
    commands = [step["run"] for step in steps if step.get("run", "").startswith("agentctl ")]
    assert len(commands) == 2
    for command in commands:
        assert shell(command).returncode == 0
    (kept,) = (step["with"]["path"] for step in steps if "upload" in step.get("uses", ""))
    assert (tmp_path / kept).is_file()


def test_the_start_of_a_team_of_ones_own(shell: Shell) -> None:
    lines = [shlex.split(line, comments=True) for line in README.splitlines() if line.startswith("agentctl ")]
    own = [line for line in lines if line[-1] == "desk" or "desk" in line]
    assert [line[1] for line in own] == ["init", "chat", "doctor"]
    for line in own:
        done = shell(f"echo 'Where is my order ORD-77?' | {shlex.join(line)}")
        assert done.returncode == 0, done.stderr
