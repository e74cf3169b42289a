"""JSON written as YAML reads back as the same JSON."""

from __future__ import annotations

import pytest
import yaml
from document_reading import read, value_of
from document_teams import FUZZ
from hypothesis import given
from hypothesis import strategies as st

from agentctl.document import dump, plain
from agentctl.jsontypes import Json

TEXTS = st.one_of(
    st.text(),
    st.text(alphabet=" \t\n\r-:#'\"\\|>&*!%@`{}[],?.0e~ax\x00\x1b\x7f\x85\xa0\u2028\ufeff\ufffe😀\U0010ffff"),
    st.sampled_from(
        [
            "no",
            "on",
            "12:30",
            "0o17",
            "0x1f",
            "1e3",
            "1_000",
            ".inf",
            ".NaN",
            "null",
            "~",
            "",
            "<<",
            "=",
            "2024-01-01",
            "---",
            "...",
            "--- x",
            "- x",
            "? x",
            "a: b",
            "a #b",
            "{{ x }}",
            "${x}",
            "x" * 300,
            "\n",
            "\n\nx\n\n",
            "...\n",
            "\n...\n",
            "---\n",
            "#\n",
            " x\ny",
        ]
    ),
).filter(lambda text: text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text))
NUMBERS = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
VALUES: st.SearchStrategy[Json] = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=12,
)


@FUZZ
@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_what_is_written_reads_back_the_same(value: dict[str, Json]) -> None:
    found = value_of(dump(value))
    assert found == value
    assert repr(found) == repr(value)


@FUZZ
@given(st.dictionaries(TEXTS, st.one_of(TEXTS, st.booleans(), st.none()), max_size=3))
def test_readers_of_yaml_1_1_see_the_same_strings(value: dict[str, Json]) -> None:
    written = dump(value)
    if not set(written) & set("\x85\u2028\u2029"):
        assert yaml.safe_load(written) == value


def test_layout_is_a_person_s() -> None:
    value: Json = {
        "name": "süd",
        "on": "no",
        "agents": [{"name": "a", "tools": []}, ["x"], {}],
        "text": "one\ntwo: 😀\n",
        "limits": {"turns": 6, "cost_usd": 0.05, "big": 1e20},
        "none": None,
        "model": "${MODEL:-offline}",
    }
    assert dump(value) == (
        "name: süd\n"
        "'on': 'no'\n"
        "agents:\n"
        "  - name: a\n"
        "    tools: []\n"
        "  - - x\n"
        "  - {}\n"
        "text: |\n"
        "  one\n"
        "  two: 😀\n"
        "limits:\n"
        "  turns: 6\n"
        "  cost_usd: 0.05\n"
        "  big: 1.0e+20\n"
        "none: null\n"
        "model: ${MODEL:-offline}\n"
    )


@pytest.mark.parametrize("value", ["no", 1, None, [], [1, "x"], "...\n", "\n...\n"])
def test_value_that_is_no_mapping_is_written_too(value: Json) -> None:
    written = dump(value)
    assert written.endswith("\n")
    assert yaml.safe_load(written) == value


def test_lone_surrogates_become_the_replacement_character() -> None:
    assert value_of(dump({"a": "x\ud800"})) == {"a": "x\ufffd"}


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_number_that_is_no_json_is_not_written(number: float) -> None:
    with pytest.raises(ValueError, match="no JSON number"):
        dump({"a": number})


def test_nesting_is_bounded_as_the_reader_bounds_it() -> None:
    value: Json = "x"
    for _ in range(99):
        value = [value]
    document, _ = read(dump({"a": value}))
    assert document is not None
    assert plain(document.root) == {"a": value}
    with pytest.raises(ValueError, match="100 levels"):
        dump({"a": [value]})
