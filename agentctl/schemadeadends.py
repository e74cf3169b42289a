"""What keeps every value from fitting a JSON Schema that is well written: a key both asked for and refused, a
reference that only leads back to itself. It looks at one schema, not at those below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.regexes import regex_problem
from agentctl.schemawords import kind_of, quoted, target

_IN_PLACE: Final = ("allOf", "anyOf", "oneOf")
_ALONE: Final = ("not", "if", "then", "else")
_DEEPEST: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadEnd:
    """`path` leads on from the schema; `message` goes on from the name of what is there."""

    path: tuple[str | int, ...]
    message: str
    hint: str


def dead_ends(schema: JsonObject, root: Json) -> Iterator[DeadEnd]:
    yield from _refused_keys(schema)
    yield from _mistyped_values(schema)
    if schema.get("not") in (True, {}) and "not" in schema:
        hint = "say under `not` what is refused, or take it out"
        yield DeadEnd(path=("not",), message='"not" refuses every value: nothing fits', hint=hint)
    if isinstance(schema.get("$ref"), str) and _is_first_of_circle(schema, root):
        message = f'"$ref" leads from "{schema["$ref"]}" back to itself and describes nothing'
        hint = "let it refer to a schema that says what it wants, or put it under a field of `properties`"
        yield DeadEnd(path=("$ref",), message=message, hint=hint)
    yield from _without_end(schema, root)


def _refused_keys(schema: JsonObject) -> Iterator[DeadEnd]:
    known, patterns = as_object(schema.get("properties")), as_object(schema.get("patternProperties"))
    closed = schema.get("additionalProperties") is False
    for index, name in enumerate(as_list(schema.get("required"))):
        if not isinstance(name, str):
            continue
        if closed and name not in known and not any(_matches(pattern, name) for pattern in patterns):
            message = f'"required" names "{name}", which `additionalProperties: false` refuses: nothing fits'
            hint = f"add it, `properties: {{{name}: {{type: string}}}}`, or take it out of `required`"
            yield DeadEnd(path=("required", index), message=message, hint=hint)
        elif known.get(name) is False:
            message = f'"required" names "{name}", which `{name}: false` refuses: nothing fits'
            yield DeadEnd(path=("required", index), message=message, hint="take it out of one of the two")


def _matches(pattern: str, name: str) -> bool:
    return regex_problem(pattern) is not None or re.search(pattern, name) is not None


def _mistyped_values(schema: JsonObject) -> Iterator[DeadEnd]:
    """An `enum` or `const` of which nothing is of the `type`."""
    stated = schema.get("type")
    types = {stated} if isinstance(stated, str) else {as_text(one) for one in as_list(stated)}
    if "number" in types:
        types.add("integer")
    for key, values in (("enum", as_list(schema.get("enum"))), ("const", [schema.get("const")])):
        if key in schema and types and values and not any(kind_of(value) in types for value in values):
            shown = ", ".join(quoted(value) for value in values[:3])
            message = f'"{key}" has no value of the type {" or ".join(sorted(types))}: nothing fits'
            meant = kind_of(values[0])
            yield DeadEnd(path=(key,), message=message, hint=f"write `type: {meant}` for {shown}")


def _is_first_of_circle(schema: JsonObject, root: Json) -> bool:
    """Whether its reference leads back to it before any field or item; of a whole circle one says so."""
    circle = _circle(schema, schema, root, ())
    return bool(circle) and schema.get("$ref") == min(circle)


def _circle(schema: JsonObject, sought: JsonObject, root: Json, above: tuple[str, ...]) -> tuple[str, ...]:
    """The references on the way to `sought`; empty where there is none."""
    reference = schema.get("$ref")
    below: list[tuple[Json, tuple[str, ...]]] = []
    if isinstance(reference, str) and reference not in above:
        below.append((target(root, reference), (*above, reference)))
    if above:
        beside = [each for key in _IN_PLACE for each in as_list(schema.get(key))]
        below += [(each, above) for each in (*beside, *(schema[key] for key in _ALONE if key in schema))]
    for each, way in below:
        if each is sought:
            return way
        if found := _circle(as_object(each), sought, root, way):
            return found
    return ()


def _without_end(schema: JsonObject, root: Json) -> Iterator[DeadEnd]:
    """A mapping that must hold another one like it, and that one too."""
    known = as_object(schema.get("properties"))
    for index, name in enumerate(as_list(schema.get("required"))):
        below = as_object(known.get(name)) if isinstance(name, str) else {}
        if schema.get("type") == "object" and below and _needs(below, schema, root, 0):
            message = f'"required" names "{name}", which must hold one like itself without end: nothing fits'
            ending = f'`{name}: {{anyOf: [{{$ref: …}}, {{type: "null"}}]}}`'
            hint = f"take it out of `required`, or let it end: {ending}"
            yield DeadEnd(path=("required", index), message=message, hint=hint)


def _needs(schema: JsonObject, sought: JsonObject, root: Json, depth: int) -> bool:
    """Whether each value of `schema` holds one of `sought`, by references and fields that it must have."""
    if schema == sought:
        return True
    if depth > _DEEPEST:
        return False
    if isinstance(schema.get("$ref"), str):
        found = target(root, as_text(schema["$ref"]))
        return isinstance(found, Mapping) and _needs(found, sought, root, depth + 1)
    known = as_object(schema.get("properties"))
    fields = [known.get(as_text(name)) for name in as_list(schema.get("required"))]
    return schema.get("type") == "object" and any(
        isinstance(below, Mapping) and _needs(below, sought, root, depth + 1) for below in fields
    )
