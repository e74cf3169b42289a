from __future__ import annotations

import pytest

from agentctl.jsontypes import Json
from agentctl.spec.literals import for_literal

TRUTH = "must be true or false, not text"
WHOLE = 'must be a whole number above 0 or "unlimited"'
DURATION = 'must be a duration such as 30s or 5m, a number of seconds, or "unlimited"'
TEXT = "must be text, not a whole number"


@pytest.mark.parametrize(
    ("asked", "value", "hint"),
    [
        (TRUTH, "yes", "write `true`: `yes` is read as text"),
        (TRUTH, "On", "write `true`: `On` is read as text"),
        (TRUTH, "NO", "write `false`: `NO` is read as text"),
        (TRUTH, "true", "write `true`, without quotes"),
        (TRUTH, 1, "write `true`"),
        (TRUTH, 0, "write `false`"),
        (TRUTH, 5, None),
        (TRUTH, 1.5, None),
        (TRUTH, "maybe", None),
        (TRUTH, [], None),
        (WHOLE, "6", "write `6`, without quotes"),
        (WHOLE, "1_000", "write `1000`"),
        (WHOLE, "1,000,000", "write `1000000`"),
        (WHOLE, "12 000", "write `12000`"),
        (WHOLE, "1,00", None),
        (WHOLE, "$0.05", "write `0.05`"),
        (WHOLE, "0.05 USD", "write `0.05`"),
        (WHOLE, "six", None),
        (WHOLE, True, None),
        (DURATION, "5 minutes", "write `5m`"),
        (DURATION, "1.5 hours", "write `1.5h`"),
        (DURATION, "200 ms", "write `200ms`"),
        (DURATION, "30 SEC", "write `30s`"),
        (DURATION, "3 fortnights", None),
        (DURATION, "12:30", "12 minutes and 30 seconds are `750s`"),
        (DURATION, "1:02:03", "in seconds this is `3723s`"),
        (DURATION, "12:75", None),
        (DURATION, "soon", None),
        (TEXT, 5, 'if it is text, write it in quotes: "5"'),
        (TEXT, False, 'if it is text, write it in quotes: "false"'),
        ("must be a list, not a whole number", 5, None),
    ],
)
def test_what_was_meant_by_a_value_of_another_type(asked: str, value: Json, hint: str | None) -> None:
    assert for_literal(asked, value) == hint
