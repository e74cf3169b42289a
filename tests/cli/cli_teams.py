"""Teams written into a temporary folder, and ways to call the command, for the tests of the command line."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

FULL: Final = Path("/dev/full")
"""A device that takes nothing, as a disk without room."""
on_full_device = pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is always full")
SUPPORT: Final = Path(__file__).parents[2] / "teams" / "support"
ENTRY: Final = "import sys; from agentctl.cli.main import main; sys.exit(main())"

TOOLS = '''\
import pathlib
import time


def pay(amount: int) -> str:
    """Pays money."""
    with pathlib.Path("effects").open("a") as effects:
        effects.write(f"{amount}\\n")
    return f"paid {amount}"


def sleepy(seconds: float) -> str:
    """Sleeps, which nothing can stop."""
    pathlib.Path("started").touch()
    time.sleep(seconds)
    return "slept"


async def blocking(seconds: float) -> str:
    """Sleeps and lets nothing else of the process do anything."""
    pathlib.Path("started").touch()
    time.sleep(seconds)
    return "slept"
'''


def write_team(folder: Path, script: str, more: str = "") -> Path:
    """A team of one agent `clerk` that says what the script says; `more` are further keys."""
    folder.mkdir(exist_ok=True)
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    (folder / "script.yaml").write_text(script, encoding="utf-8")
    team = folder / "team.yaml"
    team.write_text(f"name: clerk\nmodel: script:script.yaml\n{more}", encoding="utf-8")
    return team


def says(text: str) -> str:
    return f"agents:\n  clerk:\n    - text: {json.dumps(text)}\n"


def pays(then: str = "Paid.") -> str:
    return (
        f"agents:\n  clerk:\n    - calls: [{{name: pay, arguments: {{amount: 3}}}}]\n    - text: {then!r}\n"
    )


PAYING: Final = "tools: [{function: 'tools:pay', approve: always}]\n"
SLEEPING: Final = "tools: ['tools:sleepy']\n"
BLOCKING: Final = "tools: [{function: 'tools:blocking', name: sleepy}]\n"
SLEEPS: Final = (
    "agents:\n  clerk:\n    - calls: [{name: sleepy, arguments: {seconds: 60}}]\n    - text: 'Done.'\n"
)


def environment(**more: str) -> Mapping[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AGENTCTL_")}
    return {**kept, **more}


def start(*arguments: str, cwd: Path, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", ENTRY, *arguments],
        cwd=cwd,
        env=environment(),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
