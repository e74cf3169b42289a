"""The quick yes to a value is never wrong: wherever it is given, jsonschema finds nothing either."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from spec_teams import VALID

from agentctl.jsontypes import Json, JsonObject
from agentctl.schemafits import surely_fits

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.floats(-3, 3), st.sampled_from(["", "a", "ab", "abc"])
)
VALUES = st.recursive(
    SCALARS,
    lambda below: st.one_of(
        st.lists(below, max_size=3), st.dictionaries(st.sampled_from("ab"), below, max_size=2)
    ),
    max_leaves=6,
)
TYPES = st.sampled_from(["object", "array", "string", "boolean", "null", "number", "integer"])
SMALL = st.integers(0, 2)


def schemas(below: st.SearchStrategy[Json]) -> st.SearchStrategy[JsonObject]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(TYPES, st.lists(TYPES, min_size=1, max_size=2)),
            "enum": st.lists(SCALARS, min_size=1, max_size=3),
            "const": SCALARS,
            "properties": st.dictionaries(st.sampled_from("ab"), below, max_size=2),
            "patternProperties": st.dictionaries(st.sampled_from(["a", "^b$"]), below, max_size=1),
            "additionalProperties": st.one_of(st.booleans(), below),
            "propertyNames": below,
            "items": below,
            "required": st.lists(st.sampled_from("ab"), max_size=2, unique=True),
            "dependentRequired": st.dictionaries(
                st.sampled_from("ab"), st.lists(st.sampled_from("ab"), max_size=1), max_size=1
            ),
            "anyOf": st.lists(below, min_size=1, max_size=2),
            "oneOf": st.lists(
                st.one_of(st.fixed_dictionaries({"required": st.just(["a"])}), below), min_size=1, max_size=2
            ),
            "not": below,
            "pattern": st.sampled_from(["a", "^ab$", "c"]),
            "minimum": SMALL,
            "maximum": SMALL,
            "exclusiveMinimum": SMALL,
            "exclusiveMaximum": SMALL,
            "minLength": SMALL,
            "maxLength": SMALL,
            "minItems": SMALL,
            "maxItems": SMALL,
            "minProperties": SMALL,
            "maxProperties": SMALL,
            "$ref": st.sampled_from(["#", "#/$defs/x", "#/$defs/none"]),
        },
    )


SCHEMAS = st.recursive(st.one_of(st.booleans(), schemas(st.booleans())), schemas, max_leaves=4)


@given(VALUES, SCHEMAS, SCHEMAS)
def test_a_yes_is_always_jsonschemas_too(value: Json, schema: Json, defined: Json) -> None:
    root: JsonObject = {**(schema if isinstance(schema, dict) else {}), "$defs": {"x": defined}}
    if surely_fits(value, root, root):
        assert list(Draft202012Validator(root).iter_errors(value)) == []


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        ({"a": 1}, {"not": {}}),
        (1, {"format": "email"}),
        ("x", {"$ref": "#/$defs/none"}),
        (1, {"enum": [True]}),
        ({"a": {}}, {"$ref": "#/properties/a", "properties": {"a": {"$ref": "#/properties/a"}}}),
    ],
)
def test_where_it_is_not_sure_it_says_no(value: Json, schema: JsonObject) -> None:
    assert not surely_fits(value, schema, schema)


def test_right_teams_are_read_without_jsonschema() -> None:
    """But for those that hold a JSON Schema themselves, which is checked to be one."""
    texts = {str(case / "team.yaml"): (case / "team.yaml").read_text(encoding="utf-8") for case in VALID}
    plain = [path for path, text in texts.items() if "output:" not in text and "schema:" not in text]
    code = (
        "import sys; from agentctl.api.team import load_team\n"
        "for path in sys.argv[1:]: load_team(path)\n"
        "assert 'jsonschema' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code, *plain], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(plain) > 10
