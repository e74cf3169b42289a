import pytest

from agentctl.render.amounts import duration, money, plural, tokens


@pytest.mark.parametrize(
    ("usd", "complete", "shown"),
    [
        (None, True, "cost unknown"),
        (None, False, "cost unknown"),
        (0.0, True, "$0.00"),
        (0.0123, True, "$0.0123"),
        (0.0123, False, "at least $0.0123"),
        (0.00001, True, "<$0.0001"),
        (12.3456, True, "$12.35"),
    ],
)
def test_money_says_what_is_known(usd: float | None, complete: bool, shown: str) -> None:
    assert money(usd, complete=complete) == shown


@pytest.mark.parametrize(
    ("ms", "shown"),
    [
        (0, "0 ms"),
        (3.4, "3 ms"),
        (1234, "1.2 s"),
        (61_000, "1m 01s"),
        (125_000, "2m 05s"),
        (3_720_000, "1h 02m"),
    ],
)
def test_durations_are_short(ms: float, shown: str) -> None:
    assert duration(ms) == shown


def test_numbers_and_their_words_agree() -> None:
    uncounted = [tokens(0, complete=False), tokens(345, complete=False)]
    assert uncounted == ["tokens unknown", "at least 345 tokens"]
    assert [tokens(1), tokens(345), tokens(12_345), tokens(4_600_000)] == [
        "1 token",
        "345 tokens",
        "12.3k tokens",
        "4.6M tokens",
    ]
    assert [plural(1, "call"), plural(2, "call")] == ["1 call", "2 calls"]
