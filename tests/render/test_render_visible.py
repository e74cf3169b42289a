import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentctl.render.visible import one_line, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain [bold] [/x] [slug].tsx", "plain [bold] [/x] [slug].tsx"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("one\rtwo", "one\\rtwo"),
        ("one\r\ntwo", "one\ntwo"),
        ("bell\x07", "bell\\x07"),
        ("c1\x9b31m", "c1\\x9b31m"),
        ("\u202eabc\u2066", "\\u202eabc\\u2066"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("tab\tline\n", "tab\tline\n"),
        ("family 👨‍👩‍👧 שלום", "family 👨‍👩‍👧 שלום"),
    ],
)
def test_what_could_move_the_cursor_or_reorder_text_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_visible_text_has_no_control_characters_left(text: str) -> None:
    shown = visible(text)
    assert not {c for c in shown if ord(c) < 32 or 127 <= ord(c) < 160} - {"\t", "\n"}
    assert visible(shown) == shown


@given(st.text(), st.integers(min_value=1, max_value=50))
def test_one_line_is_one_line_within_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert "\n" not in line
    assert len(line) <= limit


def test_one_line_folds_white_space_and_says_that_it_cut() -> None:
    assert one_line("a \n\n b\tc") == "a b c"
    assert one_line("abcdefgh", 5) == "abcd…"
