"""Whole processes at a pseudo-terminal: the live view, questions to a person, Ctrl-C."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_teams import ENTRY, PAYING, SLEEPING, SLEEPS, environment, pays, write_team


class Terminal:
    """A command at a terminal of 80 columns, and what was shown of it so far."""

    def __init__(self, folder: Path, *arguments: str, term: str = "xterm") -> None:
        self._master, slave = pty.openpty()
        self.shown = ""
        self.process = subprocess.Popen(
            [sys.executable, "-c", ENTRY, *arguments],
            cwd=folder,
            env=environment(TERM=term, COLUMNS="80", LINES="24"),
            stdin=slave,
            stdout=subprocess.PIPE,
            stderr=slave,
            text=True,
            start_new_session=True,
        )
        os.close(slave)

    def until(self, text: str) -> None:
        deadline = time.monotonic() + 20
        while text not in self.shown:
            assert time.monotonic() < deadline, self.shown
            self._read()

    @property
    def text(self) -> str:
        """What was shown, without what moves the cursor or colours."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.shown)

    def send(self, line: str) -> None:
        os.write(self._master, line.encode())

    def end(self) -> tuple[int, str]:
        """The exit code and what came to stdout."""
        out, _ = self.process.communicate(timeout=20)
        self._read()
        return self.process.returncode, out

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)

    def _read(self) -> None:
        if select.select([self._master], [], [], 0.1)[0]:
            try:
                self.shown += os.read(self._master, 65536).decode("utf-8", "replace")
            except OSError:  # Linux says so when the other side is closed
                return


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[list[Terminal]]:
    found: list[Terminal] = []
    yield found
    for terminal in found:
        terminal.close()


def test_a_person_is_asked_and_the_live_view_comes_back(tmp_path: Path, opened: list[Terminal]) -> None:
    write_team(tmp_path, pays(), PAYING)
    terminal = Terminal(tmp_path, "run", ".", "go")
    opened.append(terminal)
    terminal.until("yes, no, or no and why> ")
    assert "tool: pay" in terminal.shown
    assert "amount: 3" in terminal.shown
    terminal.send("perhaps\n")
    terminal.until("'perhaps' is none of: yes, no")
    terminal.send("y\n")
    assert terminal.end() == (0, "Paid.\n")
    assert "\x1b[" in terminal.shown
    assert "clerk answered" in terminal.shown
    assert (tmp_path / "effects").read_text() == "3\n"


def test_the_end_of_input_is_no_answer(tmp_path: Path, opened: list[Terminal]) -> None:
    write_team(tmp_path, pays(), PAYING)
    terminal = Terminal(tmp_path, "run", ".", "go", "--run-id", "r1")
    opened.append(terminal)
    terminal.until("and why> ")
    terminal.send("\x04")
    assert terminal.end() == (3, "")
    assert terminal.text.rstrip().endswith("agentctl resume r1 --approve")


def test_a_dumb_terminal_gets_plain_lines_but_is_asked(tmp_path: Path, opened: list[Terminal]) -> None:
    write_team(tmp_path, pays(), PAYING)
    terminal = Terminal(tmp_path, "run", ".", "go", term="dumb")
    opened.append(terminal)
    terminal.until("and why> ")
    terminal.send("no, too much\n")
    assert terminal.end() == (0, "Paid.\n")
    assert "\x1b" not in terminal.shown
    assert "clerk: model script:script.yaml made 1 call" in terminal.shown
    assert not (tmp_path / "effects").exists()


@pytest.mark.parametrize("team", ["asked", "hanging"])
def test_ctrl_c_ends_also_while_a_person_is_asked(team: str, tmp_path: Path, opened: list[Terminal]) -> None:
    write_team(tmp_path, pays() if team == "asked" else SLEEPS, PAYING if team == "asked" else SLEEPING)
    terminal = Terminal(tmp_path, "run", ".", "go", "--run-id", "r1")
    opened.append(terminal)
    terminal.until("and why> " if team == "asked" else "sleepy(seconds=60)")
    began = time.monotonic()
    terminal.process.send_signal(2)
    assert terminal.end() == (130, "")
    assert time.monotonic() - began < 1.5
    assert terminal.text.rstrip().endswith("agentctl resume r1")
    assert "Traceback" not in terminal.shown
    assert re.search(r"\x1b\[\?25h", terminal.shown)  # the cursor is shown again
