"""Whole processes at a pseudo-terminal: the live view, questions to a person, Ctrl-C."""

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_teams import ENTRY, PAYING, SLEEPING, SLEEPS, environment, pays, write_team

from terminal import Terminal


class Opened(list[Terminal]):
    """The terminals of one test, each with the command in the test's folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def open(self, *arguments: str, term: str = "xterm") -> Terminal:
        command = [sys.executable, "-c", ENTRY, *arguments]
        self.append(Terminal(command, self._folder, environment(TERM=term)))
        return self[-1]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    found = Opened(tmp_path)
    yield found
    for terminal in found:
        terminal.close()


def test_a_person_is_asked_and_the_live_view_comes_back(tmp_path: Path, opened: Opened) -> None:
    write_team(tmp_path, pays(), PAYING)
    terminal = opened.open("run", ".", "go")
    terminal.until("always (for this run)> ")
    assert "tool: pay" in terminal.shown
    assert "amount: 3" in terminal.shown
    terminal.send("perhaps\n")
    terminal.until("'perhaps' is none of: yes, no")
    terminal.send("y\n")
    assert terminal.end() == (0, "Paid.\n")
    assert "\x1b[" in terminal.shown
    assert "clerk answered" in terminal.shown
    assert (tmp_path / "effects").read_text() == "3\n"


def test_the_end_of_input_is_no_answer(tmp_path: Path, opened: Opened) -> None:
    write_team(tmp_path, pays(), PAYING)
    terminal = opened.open("run", ".", "go", "--run-id", "r1")
    terminal.until("(for this run)> ")
    terminal.send("\x04")
    assert terminal.end() == (3, "")
    assert terminal.text.rstrip().endswith("agentctl resume r1 --approve")


def test_a_dumb_terminal_gets_plain_lines_but_is_asked(tmp_path: Path, opened: Opened) -> None:
    write_team(tmp_path, pays(), PAYING)
    terminal = opened.open("run", ".", "go", term="dumb")
    terminal.until("(for this run)> ")
    terminal.send("no, too much\n")
    assert terminal.end() == (0, "Paid.\n")
    assert "\x1b" not in terminal.shown
    assert "clerk: model script:script.yaml asked for " in terminal.shown
    assert not (tmp_path / "effects").exists()


@pytest.mark.parametrize("code", [130, 2])
def test_leaving_at_the_question_ends_its_line(code: int, tmp_path: Path, opened: Opened) -> None:
    write_team(tmp_path, pays(), PAYING)
    terminal = opened.open("run", ".")
    terminal.until("Question: ")
    if code == 130:
        terminal.process.send_signal(2)
    else:
        terminal.send("\x04")
    assert terminal.end() == (code, "")
    assert re.search(r"Question: \r?\n", terminal.shown)


@pytest.mark.parametrize("team", ["asked", "hanging"])
def test_ctrl_c_ends_also_while_a_person_is_asked(team: str, tmp_path: Path, opened: Opened) -> None:
    write_team(tmp_path, pays() if team == "asked" else SLEEPS, PAYING if team == "asked" else SLEEPING)
    terminal = opened.open("run", ".", "go", "--run-id", "r1")
    terminal.until("(for this run)> " if team == "asked" else "sleepy(seconds=60)")
    began = time.monotonic()
    terminal.process.send_signal(2)
    assert terminal.end() == (130, "")
    assert time.monotonic() - began < 1.5
    assert terminal.text.rstrip().endswith("agentctl resume r1")
    assert "Traceback" not in terminal.shown
    assert re.search(r"\x1b\[\?25h", terminal.shown)  # the cursor is shown again
