"""Whether a JSON value surely fits a JSON Schema, told without jsonschema, which takes long to import.

It knows the words that this project's own schemas use. With any other word, and wherever it is not sure,
it says no; then jsonschema has the last word, and tells what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.schemawords import target

_SILENT: Final = frozenset({"title", "description", "default", "examples", "$schema", "$defs"})
_DEEPEST: Final = 200
_TYPES: Final[Mapping[str, Callable[[Json], bool]]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
}


def surely_fits(value: Json, schema: Json, root: JsonObject, depth: int = 0) -> bool:
    """True only where jsonschema would find nothing wrong; `root` is where references lead."""
    if isinstance(schema, bool):
        return schema
    if depth > _DEEPEST or not isinstance(schema, Mapping):
        return False
    return all(
        word in _SILENT or (word in _WORDS and _WORDS[word](value, schema, root, depth + 1))
        for word in schema
    )


def _type(value: Json, schema: JsonObject, _root: JsonObject, _depth: int) -> bool:
    wanted = schema["type"]
    names = [wanted] if isinstance(wanted, str) else as_list(wanted)
    return any(_TYPES[as_text(name)](value) for name in names if name in _TYPES)


def _ref(value: Json, schema: JsonObject, root: JsonObject, depth: int) -> bool:
    meant = target(root, as_text(schema["$ref"]))
    return meant is not None and surely_fits(value, meant, root, depth)


def _any_of(value: Json, schema: JsonObject, root: JsonObject, depth: int) -> bool:
    return any(surely_fits(value, branch, root, depth) for branch in as_list(schema["anyOf"]))


def _one_of(value: Json, schema: JsonObject, _root: JsonObject, _depth: int) -> bool:
    """Only branches that require keys and nothing else: of others it could not be sure that they fail."""
    branches = [as_object(branch) for branch in as_list(schema["oneOf"])]
    if any(branch.keys() != {"required"} for branch in branches) or not isinstance(value, dict):
        return False
    return sum(all(key in value for key in as_list(branch["required"])) for branch in branches) == 1


def _enum(value: Json, schema: JsonObject, _root: JsonObject, _depth: int) -> bool:
    """Scalars of exactly the same type: 1, 1.0 and true are told apart."""
    return any(type(word) is type(value) and word == value for word in as_list(schema["enum"])) and not (
        isinstance(value, list | dict)
    )


def _const(value: Json, schema: JsonObject, root: JsonObject, depth: int) -> bool:
    return _enum(value, {"enum": [schema["const"]]}, root, depth)


def _properties(value: Json, schema: JsonObject, root: JsonObject, depth: int) -> bool:
    known = as_object(schema["properties"])
    return all(surely_fits(each, known[key], root, depth) for key, each in _items(value) if key in known)


def _pattern_properties(value: Json, schema: JsonObject, root: JsonObject, depth: int) -> bool:
    return all(
        surely_fits(each, below, root, depth)
        for pattern, below in as_object(schema["patternProperties"]).items()
        for key, each in _items(value)
        if _search(pattern, key)
    )


def _additional(value: Json, schema: JsonObject, root: JsonObject, depth: int) -> bool:
    known, patterns = as_object(schema.get("properties")), as_object(schema.get("patternProperties"))
    return all(
        surely_fits(each, schema["additionalProperties"], root, depth)
        for key, each in _items(value)
        if key not in known and not any(_search(pattern, key) for pattern in patterns)
    )


def _names(value: Json, schema: JsonObject, root: JsonObject, depth: int) -> bool:
    return all(surely_fits(key, schema["propertyNames"], root, depth) for key, _ in _items(value))


def _each(value: Json, schema: JsonObject, root: JsonObject, depth: int) -> bool:
    return all(surely_fits(each, schema["items"], root, depth) for each in as_list(value))


def _required(value: Json, schema: JsonObject, _root: JsonObject, _depth: int) -> bool:
    return not isinstance(value, dict) or all(key in value for key in as_list(schema["required"]))


def _dependent(value: Json, schema: JsonObject, _root: JsonObject, _depth: int) -> bool:
    given = as_object(value)
    stated = as_object(schema["dependentRequired"])
    return all(name in given for key, names in stated.items() if key in given for name in as_list(names))


def _pattern(value: Json, schema: JsonObject, _root: JsonObject, _depth: int) -> bool:
    return not isinstance(value, str) or _search(as_text(schema["pattern"]), value)


def _bound(word: str, keeps: Callable[[float, float], bool]) -> _Word:
    def check(value: Json, schema: JsonObject, _root: JsonObject, _depth: int) -> bool:
        bound = schema[word]
        if isinstance(value, bool) or not isinstance(value, int | float):
            return True
        return isinstance(bound, int | float) and keeps(value, bound)

    return check


def _size(word: str, kind: type, keeps: Callable[[int, int], bool]) -> _Word:
    def check(value: Json, schema: JsonObject, _root: JsonObject, _depth: int) -> bool:
        bound = schema[word]
        if not isinstance(value, kind) or not isinstance(value, str | Sequence | Mapping):
            return True
        return isinstance(bound, int) and keeps(len(value), bound)

    return check


def _items(value: Json) -> list[tuple[str, Json]]:
    return list(as_object(value).items())


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _search(pattern: str, text: str) -> bool:
    return _compiled(pattern).search(text) is not None


_Word = Callable[[Json, JsonObject, JsonObject, int], bool]
_WORDS: Final[Mapping[str, _Word]] = {
    "type": _type,
    "$ref": _ref,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "enum": _enum,
    "const": _const,
    "properties": _properties,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional,
    "propertyNames": _names,
    "items": _each,
    "required": _required,
    "dependentRequired": _dependent,
    "pattern": _pattern,
    "minimum": _bound("minimum", lambda value, bound: value >= bound),
    "maximum": _bound("maximum", lambda value, bound: value <= bound),
    "exclusiveMinimum": _bound("exclusiveMinimum", lambda value, bound: value > bound),
    "exclusiveMaximum": _bound("exclusiveMaximum", lambda value, bound: value < bound),
    "minLength": _size("minLength", str, lambda size, bound: size >= bound),
    "maxLength": _size("maxLength", str, lambda size, bound: size <= bound),
    "minItems": _size("minItems", list, lambda size, bound: size >= bound),
    "maxItems": _size("maxItems", list, lambda size, bound: size <= bound),
    "minProperties": _size("minProperties", dict, lambda size, bound: size >= bound),
    "maxProperties": _size("maxProperties", dict, lambda size, bound: size <= bound),
}
