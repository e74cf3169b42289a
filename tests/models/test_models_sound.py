"""JSON of models that has one meaning, and what has none or two."""

from __future__ import annotations

import pytest

from agentctl.jsontypes import Json
from agentctl.models.sound import sound_json
from agentctl.models.wire import wire_arguments


@pytest.mark.parametrize(
    ("text", "value"), [('{"a": 1, "a": 1.0}', {"a": 1}), ("[1e3]", [1000.0]), ('{"a": [{}]}', {"a": [{}]})]
)
def test_one_meaning(text: str, value: Json) -> None:
    assert sound_json(text) == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": 1, "a": 2}', 'the key "a" stands in it twice'),
        ('{"b": [{"a": 1, "a": true}]}', 'the key "a" stands in it twice'),
        ('{"a": NaN}', "NaN is no number"),
        ('{"a": -Infinity}', "-Infinity is no number"),
        ('{"a": 1e999}', "1e999 is too large"),
        ("{", "Expecting"),
    ],
)
def test_none_or_two(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        sound_json(text)
    assert "malformed" in wire_arguments(text)
