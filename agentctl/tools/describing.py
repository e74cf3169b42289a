"""Everything that the words of a tool say about it, as one text to search in. It is never sent to a model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_list, as_object

_BOUNDARY: Final = re.compile(r"[_\-\s]+|(?<=[a-z0-9])(?=[A-Z])")


def search_text(name: str, description: str, docstring: str, parameters: JsonObject) -> str:
    """The words of the name, the description, the docstring, and every parameter's name, text and choices."""
    parts = [_words(name), description, docstring, *_schema_words(parameters)]
    return "\n".join(dict.fromkeys(part for part in parts if part))


def _words(name: str) -> str:
    return " ".join(_BOUNDARY.split(name))


def _schema_words(node: Json) -> Iterator[str]:
    if isinstance(node, Sequence) and not isinstance(node, str):
        for item in node:
            yield from _schema_words(item)
    elif isinstance(node, Mapping):
        for name, each in as_object(node.get("properties")).items():
            yield _words(name)
            yield from _schema_words(each)
        description = node.get("description")
        if isinstance(description, str):
            yield description
        choices = [*as_list(node.get("enum")), node.get("const")]
        yield from (choice for choice in choices if isinstance(choice, str))
        for key in ("items", "anyOf", "oneOf", "allOf", "prefixItems", "additionalProperties"):
            yield from _schema_words(node.get(key))
        yield from _schema_words(list(as_object(node.get("$defs")).values()))
