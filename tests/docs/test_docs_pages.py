"""The pages do what they say: files are those of the repository, commands print what is shown."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from docs_pages import DOCS, ELSEWHERE, ROOT, Block, Command, blocks, commands, fits, pages

from agentctl.cli.main import main

PAGES: Final = [page for page in pages() if page.name not in ELSEWHERE]
# What a test cannot have: a key, an index of packages, a terminal.
NOT_RUN: Final = re.compile(
    r"^(python3 -m venv|\S*pip install|export|OPENAI_|AGENTCTL_MODEL=openai|agentctl chat)"
)
_SHELL: Final = re.compile(r"[|<>&;]|\$[({A-Za-z]|^[A-Z_]+=")


def place(folder: Path) -> None:
    for name in ("teams", "docs/examples"):
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".agentctl")
            )


def ran(command: Command, capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code, and what both streams were given, stdout first."""
    if command.line.startswith("agentctl ") and not _SHELL.search(command.line) and command.exit_code < 128:
        capfd.readouterr()
        code = main(shlex.split(command.line)[1:])
        captured = capfd.readouterr()
        return code, captured.err + captured.out
    done = subprocess.run(
        ["bash", "-c", f"{command.line}\nexit $?"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout


def written(block: Block, folder: Path) -> None:
    """A file that the page shows: one of the repository, else one that its reader writes."""
    path = folder / block.name
    if path.exists():
        assert block.text == path.read_text(encoding="utf-8"), f"{block.name} is not as the page shows it"
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_a_page_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("AGENTCTL_") or name.endswith("_API_KEY")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    place(tmp_path)
    for block in blocks(page):
        if block.name:
            written(block, tmp_path)
        for command in commands(block):
            if NOT_RUN.match(command.line) or ("| jq" in command.line and not shutil.which("jq")):
                continue
            code, printed = ran(command, capfd)
            assert code == command.exit_code, (command.line, printed)
            if command.prints is not None:
                assert fits(command.prints, printed), f"{command.line} prints:\n{printed}"
