"""The live view in tmux, a terminal that breaks long lines anew when it is resized."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from rich.cells import cell_len

pytestmark = pytest.mark.shells
MEMBERS: Final = ("ada", "ben", "cleo")
TEAM: Final = {
    "name": "panel",
    "model": "script:script.yaml",
    "strategy": {"type": "sequential"},
    "agents": [
        {"name": "first", "description": "Goes first", "instructions": "Say."},
        {
            "name": "both",
            "description": "All at once",
            "strategy": {"type": "parallel"},
            "agents": [{"name": name, "description": "Says", "instructions": "Say."} for name in MEMBERS],
        },
    ],
}
LONG: Final = (
    "It goes on and on, and ever on, 広い文字 too, until it is wider than any terminal that is there. "
)
SCRIPT: Final = {
    "agents": {
        "first": [LONG],
        **{name: [{"text": LONG * 3, "cut": 3, "pace": "150ms"}] for name in MEMBERS},
    }
}


class Tmux:
    def __init__(self, folder: Path) -> None:
        self._socket = str(folder / "tmux")

    def __call__(self, *words: str) -> str:
        command = ["tmux", "-S", self._socket, "-f", "/dev/null", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=30).stdout

    def screen(self) -> list[str]:
        return [line.rstrip() for line in self("capture-pane", "-p").rstrip().split("\n")]

    def until(self, there: Callable[[list[str]], bool]) -> list[str]:
        deadline = time.monotonic() + 30
        while not there(screen := self.screen()):
            assert time.monotonic() < deadline, screen
        return screen


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    assert shutil.which("tmux"), "tmux is not installed"
    for name, value in (("team.yaml", TEAM), ("script.yaml", SCRIPT)):
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
    found = Tmux(tmp_path)
    run = f"{sys.executable} -m agentctl run . 'Is it wide?'; echo left $?; exec cat"
    found("new-session", "-d", "-x", "100", "-y", "24", "-c", str(tmp_path), run)
    yield found
    found("kill-server")


def drawn(screen: list[str], width: int) -> bool:
    """Whether the newest picture is whole and as wide as the terminal, and nothing stands below it.

    What stood there before the terminal was made narrower may be left above it: tmux has broken it anew and
    moved it out of the screen before anybody could wipe it away.
    """
    roots = [place for place, line in enumerate(screen) if line[1:].startswith(" panel ")]
    if not roots or not screen[-1].partition(",")[0].endswith(" s"):
        return False
    first, both, *members = screen[roots[-1] + 1 : -1]
    named = [line[4:].partition("  ")[0].partition(" ")[2] for line in members]
    fits = all(width - 3 < cell_len(line) < width for line in members)
    return first.startswith("├ ✓ first ") and "both" in both and named == list(MEMBERS) and fits


def test_a_resized_terminal_shows_the_picture_once_in_its_new_size(tmux: Tmux) -> None:
    for width, height in ((100, 24), (50, 24), (50, 9), (130, 30), (40, 12)):
        tmux("resize-window", "-x", str(width), "-y", str(height))
        tmux.until(partial(drawn, width=width))
    tmux("resize-window", "-x", "100", "-y", "40")
    ended = tmux.until(lambda screen: screen[-1] == "left 0")
    assert sum(line == "both answered (panel → both)" for line in ended) == 1
    assert not any("writes: " in line for line in ended[ended.index("both answered (panel → both)") :])
