"""What a terminal is given is broken between words; a pipe gets every line as it is."""

import io
import re

import pytest
from rich.text import Text

from agentctl.render.ending import ending, problem
from agentctl.render.terminal import print_lines


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("COLUMNS", "30"), ("TERM", "xterm"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)


def printed(*lines: Text) -> list[str]:
    stream = _Terminal()
    print_lines(lines, stream)
    return re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue()).splitlines()


def test_words_stay_whole_and_what_is_set_in_stays_so() -> None:
    line = Text("    The balance of the account is 5432.10 dollars")
    assert printed(line) == ["    The balance of the account", "    is 5432.10 dollars"]
    assert printed(Text("first\n\n  a second one that is much longer")) == [
        "first",
        "",
        "  a second one that is much",
        "  longer",
    ]


def test_a_word_wider_than_the_terminal_is_not_lost() -> None:
    assert "".join(printed(Text("x" * 70))) == "x" * 70


def test_an_error_is_broken_and_a_command_is_not() -> None:
    told = printed(*problem("run 'x' has no execution 'support'", "see what there is with show"))
    assert told == ["error: run 'x' has no", "execution 'support'", "hint: see what there is with", "show"]
    result = {"status": "interrupted", "run_id": "20261129-192706-support_supervisor-ggcw"}
    assert printed(*ending(result))[-1] == f"agentctl resume {result['run_id']}"


def test_a_pipe_gets_the_line_as_it_is() -> None:
    stream = io.StringIO()
    print_lines([Text("    " + "word " * 30)], stream)
    assert stream.getvalue() == "    " + "word " * 30 + "\n"
