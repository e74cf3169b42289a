"""`validate` as whole processes: at a terminal, in a pipe, and without running anything of a team."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_teams import ENTRY, environment, start

BROKEN = "name: desk\nmodel: offline\ninstruction: 'Answer.'\n"
LINK = re.compile("\x1b]8;[^;]*;file://([^\x1b]*)\x1b\\\\team.yaml:3:1:")

# Every place of a team file that names Python code or a program.
EVERYTHING = """\
name: desk
model: script:replies.yaml
instructions: Answer.
tools:
  - trap:tool
  - {function: "./trap.py:tool", name: other, approve: {when: "trap:ask"}}
agents:
  - name: routed
    description: Routed by code
    strategy: {type: router, by: "trap:route"}
    agents:
      - {name: one, description: One, instructions: Answer.}
      - {name: two, description: Two, instructions: Answer.}
  - name: turns
    description: In turns
    strategy: {type: round_robin, stop_if: {function: "trap:stop"}}
    agents:
      - {name: three, description: Three, instructions: Answer.}
      - {name: four, description: Four, instructions: Answer.}
  - name: chosen
    description: By hand
    strategy: {type: manual, choose: "trap:choose"}
    agents:
      - {name: five, description: Five, instructions: Answer.}
      - {name: six, description: Six, instructions: Answer., output: "trap:Shape"}
"""
TRAP = "import pathlib\n\npathlib.Path('executed').touch()\n"


def at_terminal(folder: Path, *arguments: str, **environ: str) -> tuple[int, str]:
    """The exit code and what a terminal was sent as stdout."""
    master, slave = pty.openpty()
    command = [sys.executable, "-c", ENTRY, *arguments]
    process = subprocess.Popen(
        command, cwd=folder, env=environment(TERM="xterm-256color", COLUMNS="80", **environ), stdout=slave
    )
    os.close(slave)
    shown = b""
    try:
        while part := os.read(master, 65536):
            shown += part
    except OSError:  # Linux tells so that the other end is closed
        pass
    os.close(master)
    return process.wait(20), shown.decode()


def test_a_terminal_gets_colours_and_links(tmp_path: Path) -> None:
    (tmp_path / "team.yaml").write_text(BROKEN, encoding="utf-8")
    code, shown = at_terminal(tmp_path, "validate", "team.yaml")
    assert code == 2
    assert "\x1b[1;31merror[unknown-key]" in shown
    link = LINK.search(shown)
    assert link is not None
    assert link[1] == str(tmp_path / "team.yaml")


def test_no_color_is_respected(tmp_path: Path) -> None:
    (tmp_path / "team.yaml").write_text(BROKEN, encoding="utf-8")
    shown = at_terminal(tmp_path, "validate", "team.yaml", NO_COLOR="1")[1]
    assert "error[unknown-key]" in shown
    assert "\x1b[1;31m" not in shown


def test_a_dumb_terminal_gets_neither(tmp_path: Path) -> None:
    (tmp_path / "team.yaml").write_text(BROKEN, encoding="utf-8")
    master, slave = pty.openpty()
    command = [sys.executable, "-c", ENTRY, "validate", "team.yaml"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(TERM="dumb"), stdout=slave, check=False)
    os.close(slave)
    shown = os.read(master, 65536).decode()
    os.close(master)
    assert done.returncode == 2
    assert "\x1b" not in shown


def test_a_pipe_gets_plain_text_and_may_be_closed_early(tmp_path: Path) -> None:
    many = "".join(f"key{number}: 1\n" for number in range(400))
    (tmp_path / "team.yaml").write_text(BROKEN + many, encoding="utf-8")
    process = start("validate", "team.yaml", cwd=tmp_path)
    assert process.stdout is not None
    assert process.stderr is not None
    assert (
        process.stdout.readline()
        == 'team.yaml:3:1: error[unknown-key] unknown key "instruction" in agent "desk"\n'
    )
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    process.wait(20)


@pytest.mark.parametrize("options", [[], ["--format", "json"], ["--format", "sarif"], ["--strict"]])
def test_without_imports_nothing_of_a_team_is_executed(tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "team.yaml").write_text(EVERYTHING, encoding="utf-8")
    (tmp_path / "replies.yaml").write_text("agents: {desk: [{text: x}]}\n", encoding="utf-8")
    for name in ("trap.py", "sitecustomize.py", "conftest.py", "__init__.py"):
        (tmp_path / name).write_text(TRAP, encoding="utf-8")
    process = start("validate", ".", "--no-import", *options, cwd=tmp_path)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0, out
    assert err in ("", "checked replies.yaml, team.yaml\n")
    assert not (tmp_path / "executed").exists()
    with_imports = start("validate", ".", cwd=tmp_path)
    with_imports.communicate(timeout=30)
    assert (tmp_path / "executed").exists()


def test_several_files_and_folders_are_one_report(tmp_path: Path) -> None:
    for name in ("a", "b/c"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "team.yaml").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "other.yaml").write_text("name: other\nmodel: offline\ninstructions: x\n", encoding="utf-8")
    process = start("validate", "other.yaml", "b", "a/team.yaml", "--format", "json", cwd=tmp_path)
    out, err = process.communicate(timeout=30)
    found = json.loads(out)
    assert (process.returncode, err) == (2, "")
    assert [each["path"] for each in found["diagnostics"]] == ["a/team.yaml", "b/c/team.yaml"]
    assert (found["errors"], found["warnings"]) == (2, 0)
