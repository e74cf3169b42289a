"""A YAML document as located nodes: every key and value knows its place in the file.

Values are JSON values only (YAML 1.2 core); `pointer` is the JSON Pointer from the document's root.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from agentctl.diagnostics import Span
from agentctl.jsontypes import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    value: None | bool | int | float | str
    span: Span
    pointer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Array:
    items: tuple[Node, ...]
    span: Span
    pointer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A key of an object and its value; `key_span` is the key alone."""

    key: str
    key_span: Span
    value: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Object:
    entries: tuple[Entry, ...]
    span: Span
    pointer: str = ""

    def entry(self, key: str) -> Entry | None:
        return next((entry for entry in self.entries if entry.key == key), None)

    def get(self, key: str) -> Node | None:
        entry = self.entry(key)
        return entry.value if entry else None


Node: TypeAlias = Scalar | Array | Object


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One parsed file. `path` is as it should be shown to the person."""

    path: str
    text: str
    root: Node


def plain(node: Node) -> Json:
    """The JSON value of a node, positions dropped."""
    match node:
        case Scalar():
            return node.value
        case Array():
            return [plain(item) for item in node.items]
        case Object():
            return {entry.key: plain(entry.value) for entry in node.entries}


def locate(node: Node, path: Sequence[str | int]) -> Node:
    """The node at `path` below `node`, or the deepest one on the way that exists."""
    for part in path:
        below: Node | None = None
        if isinstance(node, Object) and isinstance(part, str):
            below = node.get(part)
        elif isinstance(node, Array) and isinstance(part, int) and part < len(node.items):
            below = node.items[part]
        if below is None:
            return node
        node = below
    return node


def find(root: Node, pointer: str) -> Entry | Node | None:
    """What a JSON Pointer leads to: the entry of a mapping, or the item of a list."""
    found: Entry | Node | None = root
    for step in pointer.split("/")[1:]:
        node = found.value if isinstance(found, Entry) else found
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(node, Object):
            found = node.entry(name)
        elif isinstance(node, Array) and name.isdigit() and int(name) < len(node.items):
            found = node.items[int(name)]
        else:
            return None
    return found
