"""What a stranger's terminal, environment and patience may be like: nothing of it leaves a traceback."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest
from cli_teams import ENTRY, environment, start, write_team
from rich.cells import cell_len

from agentctl.cli.main import main
from terminal import Terminal

UNWRITABLE: Final = Path("/proc")
"""A folder that not even root can write to."""
EVIL: Final = "\x1b[2J\x07[bold]not bold[/bold] 広い文字 العربية \u202e\u200f <b>\r\n" * 20
SLOW: Final = (
    "agents:\n  clerk:\n"
    "    - {delay: 0.3, calls: [{name: nap, arguments: {what: '[red]x[/red]'}}]}\n"
    "    - {text: 'word word word word', cut: 2, pace: 50ms}\n"
)
NAP: Final = '''\
import time


def nap(what: str) -> str:
    """Naps."""
    time.sleep(0.4)
    return what
'''
NAPS: Final = "tools: [{function: 'tools:nap', idempotent: true}]\n"
LOOKS: Final = (
    ["show", "r1"],
    ["show", "r1", "--json"],
    ["show", "r1", "--mermaid"],
    ["show", "r1", "--execution", "clerk"],
    ["show", "r1", "--follow"],
    ["runs"],
    ["graph", "."],
    ["graph", ".", "--dot"],
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AGENTCTL_RUNS_DIR", raising=False)
    return tmp_path


@pytest.fixture
def ran(here: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder with a team and its finished run `r1`, whose answer holds whatever a text may hold."""
    write_team(here, f"agents:\n  clerk:\n    - text: {_quoted(EVIL)}\n")
    assert main(["run", ".", "Well?", "--run-id", "r1"]) == 0
    capsys.readouterr()
    return here


def _quoted(text: str) -> str:
    return '"' + "".join(f"\\U{ord(character):08x}" for character in text) + '"'


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    found: list[Terminal] = []
    yield found
    for terminal in found:
        terminal.close()


@pytest.mark.parametrize("words", LOOKS, ids=" ".join)
def test_a_reader_that_reads_nothing_ends_a_look_quietly(words: list[str], ran: Path) -> None:
    process = start(*words, cwd=ran)
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (141, "")


@pytest.mark.parametrize(
    "look", [["run", ".", "Well?"], ["show", "r1"], ["show", "r1", "--execution", "clerk"]]
)
def test_no_text_of_a_model_moves_the_cursor(look: list[str], ran: Path, terminals: list[Terminal]) -> None:
    command = [sys.executable, "-c", ENTRY, *look]
    terminals.append(Terminal(command, ran, environment(COLUMNS="40"), whole=True))
    assert terminals[0].end()[0] == 0
    shown = terminals[0].shown
    assert "\x1b[2J" not in shown
    assert "\x07" not in shown
    assert "\u202e" not in shown
    assert "\\x1b[2J" in terminals[0].text
    assert "[bold]not" in terminals[0].text


@pytest.mark.parametrize(("width", "height"), [(40, 8), (140, 40)])
def test_the_live_view_stays_within_the_terminal(
    width: int, height: int, here: Path, terminals: list[Terminal]
) -> None:
    write_team(here, SLOW, NAPS)
    (here / "tools.py").write_text(NAP, encoding="utf-8")
    sizes = environment(COLUMNS=str(width), LINES=str(height))
    terminals.append(Terminal([sys.executable, "-c", ENTRY, "run", ".", "Well?"], here, sizes, whole=True))
    assert terminals[0].end()[0] == 0
    frames = re.findall(r"\x1b\[\?7l\r(.*?)\x1b\[\?7h", terminals[0].shown, re.DOTALL)
    assert len(frames) > 3
    for frame in frames:
        lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", frame).replace("\r", "").split("\n")
        assert len(lines) < height
        assert max(cell_len(line) for line in lines) < width
    assert any("nap(what='[re" in frame for frame in frames)
    assert any("writes: word" in frame for frame in frames)


def test_keys_pressed_meanwhile_do_not_disturb_the_picture(here: Path, terminals: list[Terminal]) -> None:
    write_team(here, SLOW, NAPS)
    (here / "tools.py").write_text(NAP, encoding="utf-8")
    terminals.append(Terminal([sys.executable, "-c", ENTRY, "run", ".", "Well?"], here, environment()))
    assert terminals[0].echoes()
    terminals[0].until("asks script:")
    assert not terminals[0].echoes()
    terminals[0].send("zebra\n\n")
    assert terminals[0].end() == (0, "word word word word\n")
    assert terminals[0].echoes()
    assert "zebra" not in terminals[0].shown


@pytest.mark.parametrize("more", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_is_left_out_where_it_is_not_wanted(
    more: Mapping[str, str], ran: Path, terminals: list[Terminal]
) -> None:
    for look in (["run", ".", "Well?"], ["show", "r1"]):
        terminals.append(Terminal([sys.executable, "-c", ENTRY, *look], ran, environment(**more), whole=True))
        assert terminals[-1].end()[0] == 0
        assert not re.search(r"\x1b\[(?:\d+;)*[349][0-7](?:;\d+)*m", terminals[-1].shown)
        assert "TERM" not in more or "\x1b" not in terminals[-1].shown


@pytest.mark.parametrize("home", [None, "/nowhere"])
def test_no_home_folder_is_needed(home: str | None, ran: Path) -> None:
    kept = {name: value for name, value in environment().items() if name not in ("HOME", "XDG_CACHE_HOME")}
    environ = kept if home is None else {**kept, "HOME": home}
    for words in (["run", ".", "Well?"], ["show", "r1"]):
        done = subprocess.run(
            [sys.executable, "-c", ENTRY, *words],
            cwd=ran,
            env=environ,
            capture_output=True,
            timeout=30,
            check=False,
        )
        assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr


@pytest.mark.skipif(not UNWRITABLE.is_dir(), reason="there is no folder that nobody can write to")
def test_a_folder_that_cannot_be_written_to_is_told_and_can_be_looked_from(
    ran: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(UNWRITABLE)
    runs = str(ran / ".agentctl" / "runs")
    assert main(["run", str(ran), "Well?"]) == 1
    assert capsys.readouterr().err.startswith("error: ")
    assert main(["run", str(ran), "Well?", "--ephemeral"]) == 0
    assert main(["run", str(ran), "Well?", "--runs-dir", runs, "--run-id", "r3"]) == 0
    assert main(["show", "r3", "--runs-dir", runs]) == 0
    capsys.readouterr()
    assert main(["show", "r3", "--runs-dir", runs, "--html", "run.html"]) == 1
    assert "'run.html'" in capsys.readouterr().err


def _ready(process: subprocess.Popen[str]) -> None:
    """Waits until the command, and no longer the interpreter alone, takes SIGTERM."""
    caught = 0
    while process.poll() is None and not caught & 1 << (signal.SIGTERM - 1):
        status = Path(f"/proc/{process.pid}/status").read_text("ascii")
        caught = int(re.findall(r"SigCgt:\s*(\w+)", status)[0], 16)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which signals a process takes")
@pytest.mark.parametrize("number", range(3))
def test_a_signal_at_any_instant_ends_run_and_follow_cleanly(number: int, here: Path) -> None:
    seed = os.environ.get("SIGNALS_SEED") or str(random.randrange(10**6))
    sys.stderr.write(f"SIGNALS_SEED={seed}\n")
    chance = random.Random(f"{seed} {number}")
    write_team(here, SLOW, NAPS)
    (here / "tools.py").write_text(NAP, encoding="utf-8")
    process = start("run", ".", "Well?", "--run-id", "r1", cwd=here)
    _ready(process)
    time.sleep(chance.uniform(0, 1.2))
    follower = start("show", "r1", "--follow", cwd=here)
    _ready(follower)
    for each in (follower, process):
        each.send_signal(chance.choice((signal.SIGINT, signal.SIGTERM)))
        time.sleep(chance.uniform(0, 0.1))
    for each in (follower, process):
        _, err = each.communicate(timeout=20)
        assert "Traceback" not in err
        assert each.returncode in ((0, 130) if each is process else (0, 130, 2)), err
    began = (here / ".agentctl" / "runs" / "r1").is_dir()
    assert process.returncode == 0 or not began or main(["resume", "r1"]) == 0
    assert not began or main(["show", "r1"]) == 0
