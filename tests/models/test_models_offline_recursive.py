"""Shapes that hold themselves: the offline model comes to an end with them."""

from __future__ import annotations

import pytest

from agentctl.jsontypes import JsonObject
from agentctl.models.offline.fill import fill
from agentctl.models.offline.fits import resolved

NODE: JsonObject = {
    "type": "object",
    "properties": {
        "value": {"type": "integer"},
        "kids": {"type": "array", "items": {"$ref": "#/$defs/node"}},
    },
    "required": ["value", "kids"],
}
LINK: JsonObject = {
    "type": "object",
    "properties": {
        "value": {"type": "integer"},
        "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
    },
    "required": ["value"],
}


def test_a_list_of_its_own_kind_is_empty() -> None:
    found = fill({"$ref": "#/$defs/node", "$defs": {"node": NODE}}, ["the value is 7"])
    assert found.arguments == {"value": 7, "kids": []}
    assert found.missing == ()


def test_an_optional_link_to_its_own_kind_is_left_out() -> None:
    found = fill({"$ref": "#/$defs/node", "$defs": {"node": LINK}}, ["the value is 7"])
    assert found.arguments == {"value": 7}


def test_a_required_link_to_its_own_kind_that_may_be_null_is_null() -> None:
    link: JsonObject = {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}
    node: JsonObject = {"type": "object", "properties": {"next": link}, "required": ["next"]}
    found = fill({"$ref": "#/$defs/node", "$defs": {"node": node}}, ["the value is 7"])
    assert found.arguments == {"next": None}
    assert found.missing == ()


def test_a_parameter_of_such_a_kind_is_filled() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"node": {"$ref": "#/$defs/node"}},
        "required": ["node"],
        "$defs": {"node": NODE},
    }
    assert fill(schema, ["put a node of value 7"]).arguments == {"node": {"value": 7, "kids": []}}


def test_a_schema_that_is_below_itself_is_filled() -> None:
    schema: JsonObject = {"type": "object", "properties": {"more": {"$ref": "#"}, "n": {"type": "integer"}}}
    assert fill(schema, ["nothing"]).arguments == {}


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"anyOf": [{"$ref": "#"}]},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
    ],
    ids=["itself", "by-alternative", "circle"],
)
def test_a_reference_that_only_leads_back_says_nothing(schema: JsonObject) -> None:
    assert "type" not in resolved(schema, schema)
