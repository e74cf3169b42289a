"""The README's first command, in a shell as a stranger has it, from a clone to an answer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("agentctl", "schemas", "teams", "pyproject.toml", "README.md", "constraints.txt")

pytestmark = pytest.mark.packaging


def test_it_leads_to_an_answer_and_to_a_shell_that_knows_the_command(tmp_path: Path) -> None:
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, tmp_path / part)
    section = (ROOT / "README.md").read_text("utf-8").partition("\n## Start\n")[2]
    (start, *_) = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    environ = {name: value for name, value in os.environ.items() if not name.startswith("AGENTCTL_")}
    done = subprocess.run(
        ["sh", "-ec", f"{start}\nagentctl validate teams\n. .venv/bin/activate\ncommand -v agentctl"],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer, valid, where = done.stdout.splitlines()
    assert "5432.10" in answer
    assert valid == "no problems found"
    assert where == str(tmp_path / ".venv" / "bin" / "agentctl")
