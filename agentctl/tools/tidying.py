"""Makes a JSON Schema that pydantic wrote short enough for a model to read: no titles, few references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_object

_NAMED: Final = frozenset({"properties", "$defs", "patternProperties", "dependentSchemas"})
_VALUES: Final = frozenset({"default", "const", "enum", "examples"})
_NOISE: Final = frozenset({"title", "discriminator"})
_POINTER: Final = "#/$defs/"


def tidied(schema: JsonObject) -> JsonObject:
    """The same schema without titles, objects closed, `$defs` only for what is used twice or in itself."""
    definitions = {name: as_object(_clean(each)) for name, each in as_object(schema.get("$defs")).items()}
    body = as_object(_clean({key: value for key, value in schema.items() if key != "$defs"}))
    uses = Counter(name for part in (body, *definitions.values()) for name in _references(part))
    inline = {
        name: each
        for name, each in definitions.items()
        if not _reaches(name, name, definitions) and (uses[name] == 1 or "properties" not in each)
    }
    whole = as_object(_expanded(body, inline))
    kept = {name: _expanded(each, inline) for name, each in definitions.items() if name not in inline}
    used = _needed(whole, kept)
    return {**whole, "$defs": {name: kept[name] for name in kept if name in used}} if used else whole


def _clean(node: Json) -> Json:
    if isinstance(node, list):
        return [_clean(item) for item in node]
    if not isinstance(node, Mapping):
        return node
    found = {key: _cleaned_part(key, value) for key, value in node.items() if key not in _NOISE}
    if "properties" in found and "additionalProperties" not in found:
        found["additionalProperties"] = False
    return found


def _cleaned_part(key: str, value: Json) -> Json:
    if key in _VALUES:
        return value
    if key in _NAMED:
        return {name: _clean(each) for name, each in as_object(value).items()}
    return _clean(value)


def _references(node: Json) -> Iterator[str]:
    """The names of the definitions that `node` refers to, once for each time."""
    if isinstance(node, list):
        for item in node:
            yield from _references(item)
    elif isinstance(node, Mapping):
        pointer = node.get("$ref")
        if isinstance(pointer, str):
            yield pointer.removeprefix(_POINTER)
        for key, value in node.items():
            if key not in _VALUES:
                yield from _references(value)


def _reaches(start: str, goal: str, definitions: Mapping[str, JsonObject]) -> bool:
    seen: set[str] = set()
    open_names = [start]
    while open_names:
        for name in _references(definitions[open_names.pop()]):
            if name == goal:
                return True
            if name in definitions and name not in seen:
                seen.add(name)
                open_names.append(name)
    return False


def _expanded(node: Json, inline: Mapping[str, JsonObject]) -> Json:
    """`node` with references to `inline` replaced; what stands beside a reference wins over what it names."""
    if isinstance(node, list):
        return [_expanded(item, inline) for item in node]
    if not isinstance(node, Mapping):
        return node
    pointer = node.get("$ref")
    name = pointer.removeprefix(_POINTER) if isinstance(pointer, str) else ""
    rest = {
        key: value if key in _VALUES else _expanded(value, inline)
        for key, value in node.items()
        if key != "$ref" or name not in inline
    }
    return {**as_object(_expanded(inline[name], inline)), **rest} if name in inline else rest


def _needed(whole: JsonObject, kept: Mapping[str, Json]) -> set[str]:
    used: set[str] = set()
    open_names = list(_references(whole))
    while open_names:
        name = open_names.pop()
        if name in kept and name not in used:
            used.add(name)
            open_names.extend(_references(kept[name]))
    return used
