"""JSON Schema as far as the offline model fills it: references followed, alternatives picked, values checked.

What it does not understand it counts as not fitting, so that a value is asked for and never invented.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text, canonical
from agentctl.models.offline.everyday import word_list

_UNREAD: Final = word_list(
    """not if then else dependentRequired dependentSchemas contains patternProperties prefixItems
    unevaluatedProperties unevaluatedItems propertyNames $dynamicRef"""
)
_DEEPEST: Final = 30


def resolved(schema: Json, root: JsonObject, above: frozenset[str] = frozenset()) -> JsonObject:
    """The schema with `$ref` followed, and the first alternative that is not null merged in.

    One that leads back to itself says nothing; `above` are the references that led here.
    """
    found = as_object(schema)
    for _ in range(_DEEPEST):
        if "$ref" in found:
            reference = as_text(found["$ref"])
            below = {} if reference in above else _at(root, reference)
            above |= {reference}
            found = {**below, **{key: value for key, value in found.items() if key != "$ref"}}
            continue
        choice = _alternative(found, root, above)
        if choice is None:
            return found
        found = choice
    return {}


def type_of(schema: JsonObject) -> str:
    """The JSON type that is filled: the first that is not null; by the enum or the keywords if not said."""
    said = schema.get("type")
    if isinstance(said, str):
        return said
    types = [as_text(one) for one in as_list(said) if one != "null"]
    if types:
        return types[0]
    if "properties" in schema:
        return "object"
    return "array" if "items" in schema else "string"


def _alternative(schema: JsonObject, root: JsonObject, above: frozenset[str]) -> JsonObject | None:
    for key in ("allOf", "anyOf", "oneOf"):
        options = as_list(schema.get(key))
        if key == "allOf" and len(options) != 1:
            continue
        for option in options:
            found = resolved(option, root, above)
            if found.get("type") != "null":
                return {**found, **{name: value for name, value in schema.items() if name != key}}
    return None


def _at(root: JsonObject, reference: str) -> JsonObject:
    value: Json = root
    if not reference.startswith("#"):
        return {}
    for part in reference[1:].split("/"):
        if part:
            value = as_object(value).get(part.replace("~1", "/").replace("~0", "~"))
    return as_object(value)


def fits(value: Json, schema: Json, root: JsonObject, depth: int = 0) -> bool:
    """Whether the value is valid; False also where the schema says what is not understood here."""
    if schema is True:
        return True
    if not isinstance(schema, Mapping) or depth > _DEEPEST or not _UNREAD.isdisjoint(schema):
        return False
    if "$ref" in schema and not fits(value, _at(root, as_text(schema["$ref"])), root, depth + 1):
        return False
    return (
        _is_listed(value, schema)
        and _is_typed(value, schema.get("type"))
        and _is_bounded(value, schema)
        and _combines(value, schema, root, depth)
        and _members_fit(value, schema, root, depth)
    )


def _is_listed(value: Json, schema: JsonObject) -> bool:
    if "const" in schema and canonical(schema["const"]) != canonical(value):
        return False
    return "enum" not in schema or canonical(value) in {canonical(one) for one in as_list(schema["enum"])}


def _is_typed(value: Json, said: Json) -> bool:
    if said is None:
        return True
    types = {said} if isinstance(said, str) else {as_text(one) for one in as_list(said)}
    return bool(types & _types(value))


def _types(value: Json) -> set[str]:
    match value:
        case None:
            return {"null"}
        case bool():
            return {"boolean"}
        case int():
            return {"integer", "number"}
        case float():
            return {"number", "integer"} if value.is_integer() else {"number"}
        case str():
            return {"string"}
        case Mapping():
            return {"object"}
        case _:
            return {"array"}


def _is_bounded(value: Json, schema: JsonObject) -> bool:
    if isinstance(value, str):
        return _text_fits(value, schema)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number_fits(value, schema)
    if isinstance(value, list | tuple):
        unique = len({canonical(one) for one in value}) == len(value)
        return _within(len(value), schema, "minItems", "maxItems") and (
            unique or schema.get("uniqueItems") is not True
        )
    if isinstance(value, Mapping):
        return _within(len(value), schema, "minProperties", "maxProperties")
    return True


def _text_fits(value: str, schema: JsonObject) -> bool:
    pattern = as_text(schema.get("pattern"))
    try:
        matches = re.search(pattern, value) is not None
    except re.error:
        return False
    return matches and _within(len(value), schema, "minLength", "maxLength") and _formatted(value, schema)


def _formatted(value: str, schema: JsonObject) -> bool:
    match schema.get("format"):
        case "date":
            try:
                return bool(date.fromisoformat(value)) and len(value) == 10
            except ValueError:
                return False
        case "email":
            return re.fullmatch(r"[^@\s]+@[^@\s]+", value) is not None
        case "uri":
            return re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", value) is not None
        case _:
            return True


def _number_fits(value: float, schema: JsonObject) -> bool:
    step = schema.get("multipleOf")
    return (
        _within(value, schema, "minimum", "maximum")
        and _within(value, schema, "exclusiveMinimum", "exclusiveMaximum", strict=True)
        and (not isinstance(step, int | float) or value % step == 0)
    )


def _within(value: float, schema: JsonObject, low: str, high: str, *, strict: bool = False) -> bool:
    least, most = schema.get(low), schema.get(high)
    if isinstance(least, int | float) and (value < least or (strict and value == least)):
        return False
    return not (isinstance(most, int | float) and (value > most or (strict and value == most)))


def _combines(value: Json, schema: JsonObject, root: JsonObject, depth: int) -> bool:
    def passed(key: str) -> Sequence[bool]:
        return [fits(value, one, root, depth + 1) for one in as_list(schema.get(key))]

    return (
        all(passed("allOf"))
        and ("anyOf" not in schema or any(passed("anyOf")))
        and ("oneOf" not in schema or sum(passed("oneOf")) == 1)
    )


def _members_fit(value: Json, schema: JsonObject, root: JsonObject, depth: int) -> bool:
    if isinstance(value, list | tuple):
        return "items" not in schema or all(fits(one, schema["items"], root, depth + 1) for one in value)
    if not isinstance(value, Mapping):
        return True
    known = as_object(schema.get("properties"))
    more = schema.get("additionalProperties", True)
    return all(as_text(name) in value for name in as_list(schema.get("required"))) and all(
        fits(one, known.get(name, more), root, depth + 1) for name, one in value.items()
    )
