"""`docs/testing.md` does what it says: its files are written, its commands run, in the order of the page."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from agentctl.jsontypes import as_object
from agentctl.schemafiles import schema

PAGE: Final = (Path(__file__).parents[2] / "docs" / "testing.md").read_text(encoding="utf-8")
FENCE: Final = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def ran(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    program, *words = shlex.split(line)
    module = {"agentctl": "agentctl", "pytest": "pytest"}[program]
    extra = ["-p", "no:cacheprovider"] if program == "pytest" else []
    command = [sys.executable, "-m", module, *extra, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def test_the_page_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AGENTCTL_MODEL", raising=False)
    fences = FENCE.findall(PAGE)
    written = {name: text for _, name, text in fences if name}
    assert len(written) >= 6
    for name, text in written.items():
        if name != "recorded.test.yaml":
            (tmp_path / name).write_text(text, encoding="utf-8")
    commands = [line for kind, _, text in fences if kind == "sh" for line in text.splitlines()]
    for line in commands:
        done = ran(tmp_path, line)
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        if "--record" in line:
            (tmp_path / "recorded.test.yaml").write_text(written["recorded.test.yaml"], encoding="utf-8")
    assert "6 passed" in done.stdout or "7 passed" in done.stdout, done.stdout
    assert (tmp_path / "report.xml").is_file()
    valid = ran(tmp_path, "agentctl validate --strict .")
    assert valid.returncode == 0, valid.stdout


def test_every_key_of_expectations_is_told() -> None:
    definitions = as_object(schema("test")["$defs"])
    keys = as_object(as_object(definitions["expect"])["properties"])
    rows = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (.*?) \|", PAGE, re.MULTILINE))))
    assert set(keys) <= rows
