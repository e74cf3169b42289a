"""Thoughts at the start of a text, however it comes in pieces."""

from __future__ import annotations

import pytest

from agentctl.models.thinking import Thinking, without_thoughts


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("<think>a</think>b", "b"),
        ("\n<think>\na</think>\n\n  b", "b"),
        ("<thinking>a</thinking>b <think>c</think>", "b <think>c</think>"),
        ("<think>a</think>\n<think>b</think>c", "c"),
        ("<think>a</think>", ""),
        ("<think>never ended", "<think>never ended"),
        ("<thin air", "<thin air"),
        ("  plain", "  plain"),
        ("", ""),
    ],
)
def test_thoughts_are_taken_out(written: str, text: str, size: int) -> None:
    thinking = Thinking()
    told = "".join(thinking.without(written[at : at + size]) for at in range(0, len(written), size))
    assert told + thinking.rest == text
    assert without_thoughts(written) == text
