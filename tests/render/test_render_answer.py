"""The answer of a run on stdout: Markdown on a terminal, the plain text anywhere else."""

import io
import re

import pytest

from agentctl.render.answer import print_markdown

ANSWER = """\
# Tides

The **bay** has `16 m`,
on two lines, for <name> & <b>all</b>\x1b[2J.

| place | height |
|---|---:|
| Cape | 14 m |

1. first, see [rocks](https://example.org/rocks)
2. ![view](https://example.org/x.png)

<details>kept</details>

```python
def tide():
    return 1
```
"""


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.delenv("NO_COLOR", raising=False)


def printed(stream: io.StringIO, answer: str = ANSWER) -> str:
    print_markdown(answer, stream)
    return stream.getvalue()


def plain(text: str) -> list[str]:
    return [line.strip() for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines() if line.strip()]


def test_a_pipe_gets_the_bytes_of_the_answer() -> None:
    assert printed(io.StringIO()) == f"{ANSWER}\n"


def test_a_terminal_shows_markdown_and_loses_nothing_of_it() -> None:
    shown = printed(_Terminal())
    assert "\x1b[1" in shown
    lines = plain(shown)
    assert lines[:3] == ["Tides", "The bay has 16 m,", "on two lines, for <name> & <b>all</b>\\x1b[2J."]
    assert re.split(r" {2,}", lines[3]) == ["place", "height"]
    assert re.split(r" {2,}", lines[5]) == ["Cape", "14 m"]
    assert lines[6:] == [
        "1 first, see rocks (https://example.org/rocks)",
        "2 ![view](https://example.org/x.png)",
        "<details>kept</details>",
        "def tide():",
        "return 1",
    ]


def test_no_line_is_wider_than_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    shown = printed(_Terminal(), f"{ANSWER}\n{'wide 広い文字 ' * 30}")
    assert max(len(line) for line in plain(shown)) <= 40


@pytest.mark.parametrize(("name", "value"), [("TERM", "dumb"), ("TERM", "unknown")])
def test_a_dumb_terminal_gets_the_text_as_it_is(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    assert printed(_Terminal()) == ANSWER.replace("\x1b", "\\x1b") + "\n"


def test_without_colour_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[(?:\d+;)*[34]\d[;m]", printed(_Terminal()))
