"""`agentctl chat`: a run for each message, each following the last; from a pipe and at a terminal."""

from __future__ import annotations

import io
import json
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from cli_teams import BLOCKING, ENTRY, PAYING, SLEEPING, SLEEPS, SUPPORT, environment, pays, write_team

import agentctl
from agentctl.cli.main import main
from agentctl.jsontypes import JsonObject, as_list, as_object
from e2e.command import until
from terminal import Terminal

BALANCE = "What's the balance on account ACC-123?"
PROMPT = "\x1b[?2004h> "
"""What the line editor writes before it waits, which nothing else does."""
Chat: TypeAlias = Callable[..., tuple[int, str, str]]
SAYS = "agents:\n  clerk:\n    - {text: Done.}\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("AGENTCTL_RUNS_DIR", "AGENTCTL_MODEL", "AGENTCTL_MAX_COST", "AGENTCTL_MAX_TIME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def chat(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Chat:
    """Exit code, stdout and stderr of a conversation whose lines come from a pipe."""

    def talk(text: str, *words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        code = main(["chat", *words])
        told = capsys.readouterr()
        return code, told.out, told.err

    return talk


@pytest.fixture
def open_chat(here: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def at_terminal(*words: str) -> Terminal:
        command = [sys.executable, "-c", ENTRY, "chat", *words]
        opened.append(Terminal(command, here, environment(TERM="xterm")))
        return opened[-1]

    yield at_terminal
    for terminal in opened:
        terminal.close()


def then(terminal: Terminal, done: str | signal.Signals, *shown: str) -> None:
    """Types or sends a signal, and waits for what has to be shown after that, in this order."""
    terminal.shown = ""
    if isinstance(done, signal.Signals):
        terminal.process.send_signal(done)
    else:
        terminal.send(done)
    for text in shown:
        terminal.until(text)
        terminal.shown = terminal.shown.partition(text)[2]


def asked() -> list[str]:
    return [view.request for view in reversed(agentctl.list_runs())]


def newest() -> str:
    return agentctl.list_runs()[0].run_id


def earlier(run_id: str) -> list[object]:
    header: JsonObject = json.loads(Path(".agentctl/runs", run_id, "run.json").read_text("utf-8"))
    return [as_object(said)["text"] for said in as_list(header.get("earlier"))]


def test_every_line_of_a_pipe_is_a_turn_that_follows_the_last(chat: Chat) -> None:
    code, out, err = chat(f"{BALANCE}\n\nAnd ACC-456?\n", str(SUPPORT))
    first, second = out.splitlines()
    assert (code, "5432.10" in first, "87.50" in second) == (0, True, True)
    assert earlier(newest()) == [BALANCE, first]
    assert err.rstrip().endswith(f"go on with: agentctl chat {SUPPORT} --after {newest()}")
    assert "> " not in err


def test_a_conversation_is_taken_up_again(chat: Chat) -> None:
    write_team(Path(), SAYS)
    assert chat("one\ntwo\n", ".")[0] == 0
    assert chat("three\n", ".", "--after", newest())[0] == 0
    assert earlier(newest()) == ["one", "Done.", "two", "Done."]
    assert chat("four\n", ".", "--last")[0] == 0
    assert earlier(newest())[-2:] == ["three", "Done."]
    assert chat("/new\nfive\n", ".", "--last")[0] == 0
    assert earlier(newest()) == []


def test_the_newest_run_of_another_team_is_not_taken_up(chat: Chat) -> None:
    write_team(Path(), SAYS)
    assert chat("one\n", ".")[0] == 0
    code, _, err = chat("two\n", str(SUPPORT), "--last")
    assert (code, "there is no run of the team 'support_supervisor'" in err) == (2, True)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("one \\\ntwo\\\nthree\n", "one \ntwo\nthree"),
        ('"""one\ntwo\n\nthree"""\n', "one\ntwo\n\nthree"),
        ('  """\none\n"""  \n', "one"),
        ('"""one"""\n', "one"),
        ('"""one\ntwo', "one\ntwo"),
        ("one\\", "one"),
        ("  /exit\n", "/exit"),
        ("/etc/passwd is what?\r\n", "/etc/passwd is what?"),
    ],
)
def test_a_message_may_have_several_lines(chat: Chat, typed: str, message: str) -> None:
    write_team(Path(), SAYS)
    assert chat(typed, ".")[:2] == (0, "Done.\n")
    assert asked() == [message]


def test_what_may_be_typed_besides(chat: Chat) -> None:
    write_team(Path(), SAYS)
    code, out, err = chat("/help\n/hepl\n/resume\n/exit\nnever sent\n", ".")
    assert (code, out, asked()) == (0, "", [])
    for name in ("/help", "/resume", "/new", "/exit"):
        assert f"\n{name} " in f"\n{err}"
    assert "there is no command /hepl: did you mean /help?" in err
    assert "there is no turn to go on with" in err
    assert "go on with:" not in err


def test_a_turn_without_an_answer_ends_a_pipe_with_its_exit_code(chat: Chat) -> None:
    write_team(Path(), pays(), PAYING)
    code, out, err = chat("pay\nand again\n", ".")
    assert (code, out, asked()) == (3, "", ["pay"])
    assert err.rstrip().endswith(f"go on with: agentctl chat . --after {newest()}")
    code, out, _ = chat("thanks\n", ".", "--after", newest()[:-2], "--yes")
    assert (code, out) == (0, "Paid.\nPaid.\n")
    assert earlier(newest()) == ["pay", "Paid."]


def test_the_options_of_a_run_hold_for_every_turn(chat: Chat) -> None:
    write_team(Path(), SAYS, "inputs: {who: {}}\ninstructions: 'Serve {{ inputs.who }}.'\n")
    where = ("--runs-dir", "my runs", "--input", "who=Ann", "--quiet")
    code, out, err = chat("one\ntwo\n", ".", *where)
    assert (code, out, err) == (0, "Done.\nDone.\n", "")
    assert len(agentctl.list_runs(runs_dir="my runs")) == 2
    _, _, err = chat("one\n", ".", *where[:-1])
    assert " --runs-dir 'my runs'\n" in err


def test_programs_get_an_object_a_turn(chat: Chat) -> None:
    write_team(Path(), SAYS)
    _, out, _ = chat("one\ntwo\n", ".", "--json", "--quiet")
    assert [json.loads(line)["answer"] for line in out.splitlines()] == ["Done.", "Done."]
    _, out, _ = chat("one\ntwo\n", ".", "--events", "--quiet")
    events = [json.loads(line)["ev"] for line in out.splitlines()]
    assert events.count("run.started") == events.count("run.finished") == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], 'there is no team file "nowhere"'),
        ([".", "--json", "--events"], "--json and --events exclude each other"),
        ([".", "--after", "x", "--last"], "--after x and --last exclude each other"),
        ([".", "--after", "x"], 'there is no run "x"'),
        ([".", "--model", "clrk=offline"], 'hint: did you mean "clerk"?'),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_asked(chat: Chat, words: list[str], said: str) -> None:
    write_team(Path(), SAYS)
    code, _, err = chat("one\n", *words)
    assert (code, said in err, asked()) == (2, True, [])


def test_a_key_that_is_missing_ends_a_pipe(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    code, _, err = chat("one\ntwo\n", str(SUPPORT), "--model", "openai/gpt-4o-mini")
    assert (code, err.count("OPENAI_API_KEY") > 0, asked()) == (2, True, [])


def test_a_turn_is_stopped_and_the_conversation_goes_on(
    here: Path, open_chat: Callable[..., Terminal]
) -> None:
    write_team(here, SLEEPS, SLEEPING)
    terminal = open_chat(".")
    then(terminal, "", PROMPT)
    then(terminal, "sleep\n", "sleepy(seconds=60")
    then(terminal, signal.SIGINT, "/resume goes on with that turn", PROMPT)
    then(terminal, "/resume\n", "rerun, or skip> ")
    then(terminal, signal.SIGINT, "/resume goes on with that turn")
    then(terminal, "/resume\n", "rerun, or skip> ")  # read by the thread of the question that was given up
    then(terminal, "skip\n", "clerk answered", PROMPT)
    terminal.send("\x04")
    assert terminal.end() == (0, "Done.\n")
    assert f"go on with: agentctl chat . --after {newest()}" in terminal.text


def test_a_second_interrupt_leaves(here: Path, open_chat: Callable[..., Terminal]) -> None:
    write_team(here, SAYS)
    terminal = open_chat(".")
    then(terminal, "", PROMPT)
    then(terminal, "half a line", "half a line")
    then(terminal, signal.SIGINT, "Ctrl-C again, or Ctrl-D, leaves", PROMPT)
    then(terminal, "whole\n", "clerk answered", PROMPT)
    then(terminal, signal.SIGINT, "Ctrl-C again, or Ctrl-D, leaves", PROMPT)
    then(terminal, signal.SIGINT, "go on with: agentctl chat . --after")
    assert terminal.end() == (130, "Done.\n")
    assert asked() == ["whole"]


def test_sigterm_ends_it_with_the_way_to_go_on(here: Path, open_chat: Callable[..., Terminal]) -> None:
    write_team(here, SAYS)
    terminal = open_chat(".")
    then(terminal, "", PROMPT)
    then(terminal, "whole\n", "clerk answered", PROMPT)
    then(terminal, signal.SIGTERM, "go on with: agentctl chat . --after")
    assert terminal.end() == (130, "Done.\n")


def test_sigterm_ends_a_turn_and_the_conversation(here: Path, open_chat: Callable[..., Terminal]) -> None:
    write_team(here, SLEEPS, SLEEPING)
    terminal = open_chat(".")
    then(terminal, "", PROMPT)
    then(terminal, "sleep\n", "sleepy(seconds=60")
    then(terminal, signal.SIGTERM, "go on with: agentctl chat . --after")
    assert terminal.end() == (130, "")
    assert "/resume" not in terminal.text


def test_a_turn_that_cannot_be_stopped_ends_the_conversation_with_the_way_to_go_on(
    here: Path, open_chat: Callable[..., Terminal]
) -> None:
    write_team(here, SLEEPS, BLOCKING)
    terminal = open_chat(".")
    then(terminal, "", PROMPT)
    terminal.send("sleep\n")
    until((here / "started").exists)
    then(terminal, signal.SIGINT, "agentctl resume ")
    assert terminal.end() == (130, "")


def test_a_team_that_is_mended_meanwhile_is_asked_again(
    here: Path, open_chat: Callable[..., Terminal]
) -> None:
    team = write_team(here, SAYS)
    terminal = open_chat(".")
    then(terminal, "", PROMPT)
    good = team.read_text("utf-8")
    team.write_text(f"{good}colour: red\n", "utf-8")
    then(terminal, "one\n", 'unknown key "colour"', PROMPT)
    team.write_text(good, "utf-8")
    then(terminal, "one\n", "clerk answered", PROMPT)
    terminal.send("/exit\n")
    assert terminal.end() == (0, "Done.\n")


def test_a_conversation_whose_process_was_killed_goes_on_with_its_turn(
    here: Path, chat: Chat, open_chat: Callable[..., Terminal]
) -> None:
    write_team(here, SLEEPS, "tools: [{function: 'tools:sleepy', idempotent: true}]\n")
    terminal = open_chat(".")
    then(terminal, "", PROMPT)
    then(terminal, "sleep\n", "sleepy(seconds=60")
    terminal.process.kill()
    terminal.end()
    tools = here / "tools.py"
    tools.write_text(tools.read_text("utf-8").replace("time.sleep(seconds)", "pass"), "utf-8")
    code, out, err = chat("", ".", "--last")
    assert (code, out) == (0, "Done.\n")
    assert f"the turn '{newest()}' was not finished (stopped): going on with it" in err
