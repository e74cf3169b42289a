"""Which schemas OpenAI's strict mode takes as they stand."""

from __future__ import annotations

import pytest

from agentctl.jsontypes import Json, JsonObject
from agentctl.models.strict import is_strict


def closed(**properties: Json) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


TEXT: JsonObject = {"type": "string"}


@pytest.mark.parametrize(
    "schema",
    [
        closed(),
        closed(a=TEXT, b={"type": ["integer", "null"], "minimum": 0}),
        closed(a={"type": "array", "items": closed(b={"enum": ["x", 1]})}),
        closed(a={"anyOf": [TEXT, closed(b=TEXT)]}),
        {**closed(a={"$ref": "#/$defs/b"}), "$defs": {"b": closed(c={"type": "string", "format": "date"})}},
    ],
)
def test_closed_schemas_qualify(schema: JsonObject) -> None:
    assert is_strict(schema)


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "array", "items": TEXT},
        {**closed(a=TEXT), "required": []},
        {**closed(a=TEXT), "additionalProperties": True},
        {"type": "object", "properties": {"a": TEXT}, "required": ["a"]},
        {**closed(a=TEXT), "anyOf": [TEXT]},
        closed(a={"type": "string", "default": "x"}),
        closed(a={"type": "string", "format": "uri"}),
        closed(a={"type": "string", "minLength": 1}),
        closed(a={"properties": {"b": TEXT}}),
        closed(a={}),
        closed(a={"type": "array", "items": {"type": "object"}}),
    ],
)
def test_others_do_not(schema: JsonObject) -> None:
    assert not is_strict(schema)


def test_nesting_has_an_end() -> None:
    schema = closed(a=TEXT)
    for _ in range(12):
        schema = closed(a=schema)
    assert not is_strict(schema)
