"""Whether a JSON Schema is one that OpenAI's strict mode takes as it stands; nothing is ever rewritten."""

from __future__ import annotations

from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_list, as_object

_WORDS: Final = frozenset(
    {
        "type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref",
        "$defs", "definitions", "description", "title", "pattern", "format", "minimum", "maximum",
        "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems",
    }
)  # fmt: skip
_FORMATS: Final = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)
_DEEPEST: Final = 10


def is_strict(schema: JsonObject) -> bool:
    """True for an object schema whose objects are all closed and require all of their properties."""
    return schema.get("type") == "object" and "anyOf" not in schema and _fits(schema, 0)


def _fits(value: Json, depth: int) -> bool:
    schema = as_object(value)
    if depth > _DEEPEST or not schema or not _WORDS.issuperset(schema):
        return False
    if "format" in schema and schema["format"] not in _FORMATS:
        return False
    return _is_closed(schema) and all(_fits(part, depth + 1) for part in _parts(schema))


def _is_closed(schema: JsonObject) -> bool:
    kind = schema.get("type")
    if kind != "object" and "object" not in as_list(kind) and "properties" not in schema:
        return True
    named = set(as_object(schema.get("properties")))
    return schema.get("additionalProperties") is False and named == set(as_list(schema.get("required")))


def _parts(schema: JsonObject) -> list[Json]:
    parts: list[Json] = [schema["items"]] if "items" in schema else []
    parts += as_list(schema.get("anyOf"))
    for word in ("properties", "$defs", "definitions"):
        parts += as_object(schema.get(word)).values()
    return parts
