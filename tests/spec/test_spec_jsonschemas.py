from __future__ import annotations

import pytest

from agentctl.jsonschemas import Checker, Problem, problems, schema_problems
from agentctl.jsontypes import Json, JsonObject
from agentctl.regexes import regex_problem

FORMS: JsonObject = {
    "anyOf": [
        {"type": "string"},
        {"$ref": "#/$defs/cat"},
        {"$ref": "#/$defs/dog"},
    ],
    "$defs": {
        "cat": {
            "type": "object",
            "properties": {"type": {"const": "cat"}, "lives": {"type": "integer"}},
            "required": ["type"],
            "additionalProperties": False,
        },
        "dog": {
            "type": "object",
            "properties": {
                "type": {"const": "dog"},
                "tricks": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["type"],
            "additionalProperties": False,
        },
    },
}


def told(value: Json, schema: JsonObject) -> list[str]:
    return [str(problem) for problem in problems(value, schema)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("text", []),
        ({"type": "cat", "lives": 9}, []),
        ({"type": "dog", "tricks": [1]}, ["tricks.0 must be text, not a whole number"]),
        ({"type": "cat", "lives": "nine"}, ["lives must be a whole number, not text"]),
        ({"type": "cow"}, ["type must be one of cat and dog"]),
        ({"lives": 9}, ['the value has no key "type"']),
        ({"type": "dog", "lives": 9}, ['the value has the unknown key "lives"']),
        (5, ["the value must be text or a mapping, not a whole number"]),
    ],
)
def test_the_branch_that_is_meant_is_reported(value: Json, expected: list[str]) -> None:
    assert told(value, FORMS) == expected


def test_lists_are_held_to_the_nearest_branch() -> None:
    schema: JsonObject = {
        "anyOf": [
            {"type": "array", "items": {"type": "integer"}},
            {"type": "array", "items": {"type": "string"}, "maxItems": 1},
        ]
    }
    assert told([1, "a", 2], schema) == ["1 must be a whole number, not text"]


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"minimum": 2}, 1, "must be at least 2"),
        ({"maximum": 2}, 3, "must be at most 2"),
        ({"exclusiveMinimum": 0}, 0, "must be more than 0"),
        ({"multipleOf": 2}, 3, "must be a multiple of 2"),
        ({"minLength": 1}, "", "must not be empty"),
        ({"minLength": 2}, "a", "must have at least 2 characters"),
        ({"maxItems": 1}, [1, 2], "must have at most 1 items"),
        ({"pattern": "^a"}, "b", "must match the pattern ^a"),
        ({"pattern": "^a", "title": "a word in a"}, "b", "must be a word in a"),
        ({"const": 3}, 4, "must be 3"),
        ({"enum": [1, "b", None]}, "c", 'must be 1, "b" or null'),
        ({"type": ["string", "null"]}, 5, "must be text or null, not a whole number"),
        ({"type": "integer"}, 1.5, "must be a whole number, not a number"),
        ({"type": "number"}, True, "must be a number, not true or false"),
        ({"type": "object"}, [], "must be a mapping, not a list"),
        ({"type": "string"}, None, "must be text, not null"),
        ({"not": {}}, 1, "is not allowed: 1 should not be valid under {}"),
        ({"oneOf": [{"minimum": 1}, {"maximum": 5}]}, 3, "fits more than one of the forms"),
        (
            {"anyOf": [{"const": "unlimited"}, {"type": "integer"}]},
            "unlimted",
            'must be "unlimited" or a whole',
        ),
    ],
)
def test_a_value_is_told_what_it_must_be(schema: JsonObject, value: Json, expected: str) -> None:
    [problem] = problems(value, schema)
    assert problem.message.startswith(expected)


def test_what_must_stand_together_or_apart() -> None:
    schema: JsonObject = {
        "oneOf": [{"required": ["text"]}, {"required": ["regex"]}],
        "dependentRequired": {"contains": ["text"]},
    }
    assert told({}, schema) == ['the value has none of "text" and "regex"']
    both = 'the value has "text" and "regex", of which only one may be given'
    assert told({"text": 1, "regex": 2}, schema) == [both]
    assert told({"regex": 1, "contains": 2}, schema) == ['contains is read only beside "text"']


def test_keys_are_told_by_name() -> None:
    schema: JsonObject = {
        "properties": {"propertyNames": {"type": "string"}, "a": {}},
        "patternProperties": {"^x-": {}},
        "propertyNames": {"title": "small letters", "pattern": "^[a-zN-]+$"},
        "required": ["a"],
        "additionalProperties": False,
    }
    found = problems({"x-any": 1, "B": 2, "propertyNames": 3}, schema)
    assert {(problem.kind, problem.key, problem.path) for problem in found} == {
        ("wrong-type", "", ("propertyNames",)),
        ("unknown-key", "B", ()),
        ("wrong-key", "B", ()),
        ("missing-key", "a", ()),
    }


def test_a_definition_can_be_checked_against_alone() -> None:
    assert Checker(FORMS, "cat").problems({"type": "cat"}) == []
    assert Checker(FORMS, "dog").problems({"type": "cat"}) == [
        Problem(path=("type",), kind="unknown-value", message='must be "dog"', known=("dog",))
    ]


def test_one_cause_is_told_once() -> None:
    schema: JsonObject = {"allOf": [{"type": "string"}, {"type": "string"}]}
    assert told(1, schema) == ["the value must be text, not a whole number"]


def test_a_schema_that_never_ends_is_said_to_be_too_deep() -> None:
    assert told({}, {"$ref": "#"}) == ["the value is nested too deeply to be checked"]


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"type": "strin"}, ("type",)),
        ({"properties": {"a": {"$ref": "#/$defs/none"}}}, ("properties", "a", "$ref")),
        ({"$ref": "https://example.org/schema"}, ("$ref",)),
        ({"$ref": "#/$defs/none"}, ("$ref",)),
        ({"items": {"pattern": "("}}, ("items", "pattern")),
        ({"anyOf": [{}, {"$ref": "#/anyOf/7"}]}, ("anyOf", 1, "$ref")),
        (5, ()),
    ],
)
def test_what_is_no_schema_is_told_where(schema: Json, path: tuple[str | int, ...]) -> None:
    found = schema_problems(schema)
    assert found
    assert found[0].path == path


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {"$ref": "#/$defs/a~1b", "$defs": {"a/b": {}}},
        {"anyOf": [{}, {"$ref": "#/anyOf/0"}]},
        {"const": {"$ref": "nowhere"}},
    ],
)
def test_what_is_a_schema(schema: Json) -> None:
    assert schema_problems(schema) == []


def test_regular_expressions() -> None:
    assert regex_problem("a+") is None
    assert "missing )" in (regex_problem("(") or "")
