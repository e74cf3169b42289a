"""A JSON Schema of `schemas/` → tables in Markdown, one for each mapping that has a heading.

It knows JSON Schema as those files use it. A definition that no table shows is an error, so no new key is
left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_object, as_text

_REF: Final = "#/$defs/"
_OF_AGENT: Final = "#/$defs/agent/properties/"
_TYPES: Final = {
    "array": "a list",
    "boolean": "`true` or `false`",
    "integer": "a whole number",
    "null": "`null`",
    "number": "a number",
    "object": "a mapping",
    "string": "text",
}


@dataclass(kw_only=True)
class Tables:
    """One pass over a schema. `headings` are the tables, each with the definition that it shows, or the whole
    schema where that is empty; `values` say what stands for a definition in a cell; `used` are those shown.
    """

    schema: JsonObject
    headings: Mapping[str, str]
    level: str = "##"
    required: str = "**Required.** "
    values: Mapping[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def text(self) -> str:
        found = "\n".join(self._table(heading, name) for heading, name in self.headings.items())
        left = set(self._definitions()) - self.used - set(self.headings.values())
        if left:
            raise ValueError(f"definitions that no table shows: {sorted(left)}")
        return found

    def _definitions(self) -> JsonObject:
        return as_object(self.schema["$defs"])

    def _table(self, heading: str, name: str) -> str:
        mapping = self._mapping(as_object(self._definitions()[name]) if name else self.schema)
        words = str(mapping.get("description", ""))
        rows = [f"| {key} | {value} | {meaning} |" for key, value, meaning in self._rows(mapping, "")]
        head = ["", "| key | value | meaning |", "|---|---|---|"]
        return "\n".join([f"{self.level} {heading}", *(["", words] if words else []), *head, *rows, ""])

    def _mapping(self, schema: JsonObject) -> JsonObject:
        """The mapping that a definition describes: itself, or the one of its alternatives that has keys."""
        if "properties" in schema:
            return schema
        choices = [as_object(each) for each in _items(schema.get("anyOf"))]
        return next(each for each in choices if "properties" in each)

    def _rows(self, mapping: JsonObject, prefix: str) -> Iterator[tuple[str, str, str]]:
        required = _items(mapping.get("required"))
        for key, stated in as_object(mapping.get("properties", {})).items():
            schema = as_object(stated)
            if not prefix and str(schema.get("$ref", "")).startswith(_OF_AGENT) and mapping is self.schema:
                continue
            nested = self._nested(schema)
            value = self._value(schema)
            yield f"`{prefix}{key}`", value, self._meaning(schema, required=key in required)
            if nested is not None:
                inner, mark = nested
                yield from self._rows(inner, f"{prefix}{key}{mark}.")
        for pattern, stated in as_object(mapping.get("patternProperties", {})).items():
            yield (
                f"`{pattern.removeprefix('^')}…`",
                "anything",
                self._meaning(as_object(stated), required=False),
            )

    def _nested(self, schema: JsonObject) -> tuple[JsonObject, str] | None:
        """A mapping that has no table of its own, and how its keys are told apart from those of a list."""
        found, _ = self._resolved(schema)
        mark = ""
        if "items" in found:
            found, mark = as_object(found["items"]), "[]"
            if "$ref" in found:
                return None
        for each in [found, *map(as_object, _items(found.get("anyOf")))]:
            if "properties" in each and not self._has_table(each):
                return each, mark
        return None

    def _has_table(self, schema: JsonObject) -> bool:
        return any(self._is(schema, name) for name in self.headings.values())

    def _resolved(self, schema: JsonObject) -> tuple[JsonObject, str | None]:
        """What `$ref` leads to, and the name of the last definition on the way."""
        name = None
        while "$ref" in schema:
            path = str(schema["$ref"])
            schema = self._target(path)
            if path.startswith(_REF) and path.count("/") == 2:
                name = path.removeprefix(_REF)
                self.used.add(name)
        return schema, name

    def _target(self, path: str) -> JsonObject:
        found: Json = self.schema
        for key in path.removeprefix("#/").split("/"):
            found = found[int(key)] if isinstance(found, list) else as_object(found)[key]
        return as_object(found)

    def _value(self, schema: JsonObject) -> str:
        if "title" in schema and "$ref" not in schema and "properties" not in schema:
            return str(schema["title"])
        found, name = self._resolved(schema)
        if name is not None and name in self.values:
            self._mark(found)
            return self.values[name]
        if name in self.headings.values() and "anyOf" not in found:
            return self._link(name)
        if name is not None and "title" in found and name not in self.headings.values():
            self._mark(found)
            return str(found["title"])
        return self._shape(found)

    def _mark(self, schema: JsonObject) -> None:
        for each in _items(schema.get("anyOf")):
            self._resolved(as_object(each))

    def _shape(self, schema: JsonObject) -> str:
        if "anyOf" in schema:
            return self._alternatives(schema)
        if "enum" in schema:
            return ", ".join(dict.fromkeys(f"`{_plain(each)}`" for each in _items(schema["enum"])))
        if "const" in schema:
            return f"`{_plain(schema['const'])}`"
        if "items" in schema:
            each = self._value(as_object(schema["items"]))
            return "a list of texts" if each == "text" else f"a list, each {each}"
        more = schema.get("additionalProperties")
        if isinstance(more, dict):
            names = self._value(as_object(schema.get("propertyNames", {"title": ""})))
            return f"a mapping of names{f' ({names})' if names else ''}, each to {self._value(more)}"
        if "properties" in schema:
            return next(
                (self._link(name) for name in self.headings.values() if self._is(schema, name)), "a mapping"
            )
        return _types(schema.get("type"))

    def _is(self, schema: JsonObject, name: str) -> bool:
        return bool(name) and self._mapping(as_object(self._definitions()[name])) is schema

    def _link(self, name: str | None) -> str:
        heading = next(heading for heading, shown in self.headings.items() if shown == name)
        return f"[{heading[0].lower()}{heading[1:]}](#{heading.lower().replace(' ', '-')})"

    def _alternatives(self, schema: JsonObject) -> str:
        words = [self._value(as_object(each)) for each in _items(schema["anyOf"])]
        shown = list(dict.fromkeys(words))
        return " or ".join(shown)

    def _meaning(self, schema: JsonObject, *, required: bool) -> str:
        words, default = as_text(self._stated(schema, "description")), self._stated(schema, "default")
        if default is not None and "Default:" not in words:
            words += f" Default: `{_plain(default)}`."
        return f"{self.required if required else ''}{words}".strip().replace("|", "\\|")

    def _stated(self, schema: JsonObject, word: str) -> Json:
        """What is stated nearest, on the way that `$ref` leads."""
        while word not in schema and "$ref" in schema:
            schema = self._target(str(schema["$ref"]))
        return schema.get(word)


def _items(value: Json | None) -> list[Json]:
    return value if isinstance(value, list) else []


def _types(stated: Json | None) -> str:
    kinds = stated if isinstance(stated, list) else [stated]
    return " or ".join(_TYPES.get(str(kind), "anything") for kind in kinds)


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)
