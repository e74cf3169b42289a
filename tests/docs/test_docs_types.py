"""The Python examples of the README and of `docs/python.md` hold against the strictest types."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from docs_pages import DOCS, ROOT, blocks

README = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.docs
def test_the_examples_are_typed(tmp_path: Path) -> None:
    for block in blocks(DOCS / "python.md"):
        if block.language == "python":
            (tmp_path / block.name).write_text(block.text, encoding="utf-8")
    examples = README.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    for number, text in enumerate(examples):
        (tmp_path / f"readme_{number}.py").write_text(text, encoding="utf-8")
    files = sorted(path.name for path in tmp_path.iterdir())
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *files],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert len(files) == 8, files
    assert done.returncode == 0, done.stdout + done.stderr
