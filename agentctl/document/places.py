"""Copies of nodes that stand elsewhere: what an alias names, and what `<<` merges into a mapping.

A copy has the pointers of its new place; what is inside keeps the spans of where it was written.
"""

from __future__ import annotations

from collections.abc import Sequence

from agentctl.diagnostics import Span
from agentctl.document.nodes import Array, Entry, Node, Object, Scalar


def below(pointer: str, part: str | int) -> str:
    """The JSON Pointer of a member."""
    return f"{pointer}/{str(part).replace('~', '~0').replace('/', '~1')}"


def moved(node: Node, pointer: str, span: Span | None = None) -> Node:
    """A copy of `node` at `pointer`; `span` replaces the place of the node itself."""
    span = span or node.span
    match node:
        case Scalar():
            return Scalar(value=node.value, span=span, pointer=pointer)
        case Array():
            items = tuple(moved(item, below(pointer, index)) for index, item in enumerate(node.items))
            return Array(items=items, span=span, pointer=pointer)
        case Object():
            return Object(
                entries=tuple(moved_entry(entry, pointer) for entry in node.entries),
                span=span,
                pointer=pointer,
            )


def moved_entry(entry: Entry, pointer: str) -> Entry:
    """A copy of `entry` in the object at `pointer`."""
    value = moved(entry.value, below(pointer, entry.key))
    return Entry(key=entry.key, key_span=entry.key_span, value=value)


def merge_sources(node: Node) -> tuple[list[Object], list[Node]]:
    """The mappings that `<<` names, strongest first, and what stands among them without being one."""
    named: Sequence[Node] = node.items if isinstance(node, Array) else (node,)
    return (
        [item for item in named if isinstance(item, Object)],
        [item for item in named if not isinstance(item, Object)],
    )


def merged(own: Sequence[Entry], at: int, sources: Sequence[Object], pointer: str) -> tuple[Entry, ...]:
    """All entries of an object whose `<<` stands before `own[at]`: own keys win, then earlier sources."""
    taken = {entry.key for entry in own}
    added: list[Entry] = []
    for source in sources:
        for entry in source.entries:
            if entry.key not in taken:
                taken.add(entry.key)
                added.append(moved_entry(entry, pointer))
    return (*own[:at], *added, *own[at:])
