"""What a JSON Schema asks for, in words, and where its local references lead; knows nothing of checking."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text

TYPES: Final[Mapping[str, str]] = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "null",
}
BOUNDS: Final[Mapping[str, str]] = {
    "minimum": "must be at least {}",
    "maximum": "must be at most {}",
    "exclusiveMinimum": "must be more than {}",
    "exclusiveMaximum": "must be less than {}",
    "multipleOf": "must be a multiple of {}",
    "pattern": "must match the pattern {}",
    "format": "must be of the format {}",
    "minLength": "must have at least {} characters",
    "maxLength": "must have at most {} characters",
    "minItems": "must have at least {} items",
    "maxItems": "must have at most {} items",
    "minProperties": "must have at least {} keys",
    "maxProperties": "must have at most {} keys",
}


def target(schema: Json, reference: str) -> Json:
    """The subschema that a local reference means, or None."""
    if not reference.startswith("#"):
        return None
    part = schema
    for step in reference[1:].split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(part, Mapping):
            part = part.get(name)
        elif isinstance(part, list | tuple) and name.isdigit() and int(name) < len(part):
            part = part[int(name)]
        else:
            return None
    return part


def resolved(schema: JsonObject, root: JsonObject) -> JsonObject:
    """The schema that a chain of local references leads to, with what stands beside them."""
    for _ in range(10):
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            break
        schema = {
            **as_object(target(root, reference)),
            **{key: below for key, below in schema.items() if key != "$ref"},
        }
    return schema


def wanted(schema: JsonObject, root: JsonObject) -> str:
    """What a schema asks for, in words that go on from `must be`."""
    schema = resolved(schema, root)
    if "title" in schema:
        return as_text(schema["title"])
    if "const" in schema:
        return quoted(schema["const"])
    if "enum" in schema:
        return listed([quoted(word) for word in as_list(schema["enum"])], "or")
    for several in ("anyOf", "oneOf"):
        if several in schema:
            parts = [wanted(as_object(below), root) for below in as_list(schema[several])]
            return listed(list(dict.fromkeys(parts)), "or") if all(parts) else ""
    allowed = schema.get("type")
    names = [allowed] if isinstance(allowed, str) else as_list(allowed)
    return listed([TYPES[as_text(name)] for name in names], "or")


def words(schema: JsonObject) -> tuple[str, ...]:
    """The strings that an enum or const allows."""
    allowed = as_list(schema.get("enum", [schema["const"]] if "const" in schema else []))
    return tuple(word for word in allowed if isinstance(word, str))


def kind_of(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "integer" if value.is_integer() else "number"
        case str():
            return "string"
        case Mapping():
            return "object"
        case _:
            return "array"


def quoted(value: Json) -> str:
    return f'"{value}"' if isinstance(value, str) else json.dumps(value)


def listed(parts: Sequence[str], word: str = "and") -> str:
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}" if len(parts) > 1 else "".join(parts)
