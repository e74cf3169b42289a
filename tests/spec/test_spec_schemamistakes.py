"""What a person writes as a JSON Schema: what these rules pass, the standard's own schema passes too."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentctl.jsonschemas import schema_problems
from agentctl.jsontypes import Json, JsonObject
from agentctl.schemamistakes import schema_mistakes, type_meant

WORDS: Final = [
    *(
        "type",
        "properties",
        "required",
        "items",
        "enum",
        "minimum",
        "maximum",
        "minLength",
        "pattern",
        "anyOf",
    ),
    *("$ref", "$defs", "additionalProperties", "title", "nullable", "typ", "total", "dependentRequired"),
    *("uniqueItems", "const", "examples", "not", "prefixItems", "$id", "$anchor"),
]
SIMPLE: Final[st.SearchStrategy[Json]] = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        2.5,
        "string",
        "object",
        "#/$defs/a",
        "#",
        "(",
        "yes",
        "",
        ["string"],
        [],
        ["a", "a"],
        {},
    ]
)
SCHEMAS: Final[st.SearchStrategy[Json]] = st.recursive(
    SIMPLE,
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(st.sampled_from([*WORDS, "a", "b"]), below, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(WORDS), SCHEMAS, max_size=5))
def test_nothing_raises_and_what_passes_is_a_schema(schema: JsonObject) -> None:
    if not [mistake for mistake in schema_mistakes(schema) if not mistake.harmless]:
        assert schema_problems(schema) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"type": {"type": "string"}, "required": {"type": "boolean"}}},
        {"$ref": "#/$defs/node", "$defs": {"node": {"properties": {"next": {"$ref": "#/$defs/node"}}}}},
        {"oneOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {"a": True, "b": False}},
        {"type": ["integer", "null"], "minimum": 0, "maximum": 0, "default": {"any": "thing"}, "x-ours": 1},
        {"enum": [None, 1, {"typ": "no schema"}], "examples": [], "const": {"properties": 3}},
    ],
)
def test_a_schema_has_no_mistakes(schema: JsonObject) -> None:
    assert schema_mistakes(schema) == []


def test_a_reference_to_nothing_tells_what_there_is() -> None:
    schema: JsonObject = {"$ref": "#/$defs/far", "$defs": {"one": True, "two": True}}
    assert [mistake.hint for mistake in schema_mistakes(schema)] == ["there are #/$defs/one, #/$defs/two"]


def test_a_word_far_from_all_is_a_warning_and_hides_nothing() -> None:
    schema: dict[str, Json] = {"type": "strin", "nullable": True}
    found = {mistake.path: mistake.harmless for mistake in schema_mistakes(schema)}
    assert found == {("type",): False, ("nullable",): True}


@pytest.mark.parametrize(("word", "kind"), [("Integer", "integer"), ("str", "string"), ("blob", None)])
def test_types_by_other_names(word: str, kind: str | None) -> None:
    assert type_meant(word) == kind
