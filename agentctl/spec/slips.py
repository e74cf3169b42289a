"""Values of another form than the team file's that can only mean one thing: told once, and read as that.

Knows the keys of an agent; what the schema finds wrong besides is told elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from agentctl.diagnostics import Report, Span
from agentctl.document.nodes import Array, Entry, Node, Object, Scalar, plain
from agentctl.document.places import below, moved, moved_entry
from agentctl.jsontypes import as_object
from agentctl.spec.schema import agent_keys, team_schema
from agentctl.spec.strategies import STRATEGIES
from agentctl.spec.tool_slips import tools_as_meant
from agentctl.spec.values import text
from agentctl.spec.vocabulary import KEYS, meant

_PLACES: Final = ("input", "output", "tool")
_MEMBER: Final[Mapping[str, str]] = {
    "models": "id: openai/gpt-4o-mini",
    "inputs": "type: string",
    "mcp_servers": "command: npx",
}


def read_as_meant(root: Object, report: Report) -> Object:
    """The agent, with each such value in the form that it should have."""
    root = _indented(root, report)
    return replace(root, entries=tuple(_entry(entry, report) for entry in root.entries))


def _entry(entry: Entry, report: Report) -> Entry:
    slip = _SLIPS.get(entry.key)
    return replace(entry, value=slip(entry.key, entry.value, report)) if slip else entry


def _indented(root: Object, report: Report) -> Object:
    """`strategy:` without a value, and the keys that belong to it below it at its own column."""
    entries = list(root.entries)
    for at in range(len(entries) - 1):
        if at >= len(entries) or not _is_empty(entries[at].value):
            continue
        known, stop = _keys_of(entries[at].key), at + 1
        while stop < len(entries) and entries[stop].key in known and entries[stop].key not in agent_keys():
            stop += 1
        if stop > at + 1:
            entries[at:stop] = [_taken_in(entries[at], entries[at + 1 : stop], report)]
    return replace(root, entries=tuple(entries))


def _is_empty(node: Node) -> bool:
    span = node.span
    is_null = isinstance(node, Scalar) and node.value is None
    return is_null and (span.line, span.column) == (span.end_line, span.end_column)


def _keys_of(key: str) -> frozenset[str]:
    definitions = as_object(team_schema()["$defs"])
    names = STRATEGIES if key == "strategy" else (key,)
    shapes = (as_object(definitions.get(name)) for name in names)
    return frozenset(word for shape in shapes for word in as_object(shape.get("properties")))


def _taken_in(owner: Entry, members: Sequence[Entry], report: Report) -> Entry:
    first, last = members[0], members[-1]
    report.error(
        "wrong-type",
        f'"{owner.key}" has no value: "{first.key}" stands beside it, not below it',
        first.key_span,
        hint=f"indent `{first.key}:` further than `{owner.key}:`"
        + (", and what follows it alike" if len(members) > 1 else ""),
        pointer=owner.value.pointer,
    )
    span = _from_to(first.key_span, last.value.span)
    inside = tuple(moved_entry(entry, owner.value.pointer) for entry in members)
    return replace(owner, value=Object(entries=inside, span=span, pointer=owner.value.pointer))


def _from_to(first: Span, last: Span) -> Span:
    is_after = (first.line, first.column) <= (last.end_line, last.end_column)
    return replace(first, end_line=last.end_line, end_column=last.end_column) if is_after else first


def _prose(key: str, node: Node, report: Report) -> Node:
    """Lines such as `You are: a helper`, which YAML reads as keys."""
    if not isinstance(node, Object) or not node.entries or any(_is_file(each) for each in node.entries):
        return node
    first = node.entries[0]
    report.error(
        "wrong-type",
        f'"{key}" must be text: its line is read as the key "{first.key}", for the colon in it',
        first.key_span,
        hint=f"write `{key}: |`, and the lines below it",
        pointer=node.pointer,
    )
    lines = "\n".join(f"{each.key}: {plain(each.value)}" for each in node.entries)
    return Scalar(value=lines, span=node.span, pointer=node.pointer)


def _is_file(entry: Entry) -> bool:
    """Whether a key is `file`, or was meant for it; what has capitals or spaces begins a sentence."""
    is_word = entry.key == entry.key.casefold() and " " not in entry.key
    return is_word and meant(entry.key, ["file"], KEYS["instructions"]) is not None


def _by_place(_: str, node: Node, report: Report) -> Node:
    """`- input: {regex: x}` for `- {on: input, regex: x}`."""
    if not isinstance(node, Array):
        return node
    return replace(node, items=tuple(_with_place(item, report) for item in node.items))


def _with_place(item: Node, report: Report) -> Node:
    only = item.entries[0] if isinstance(item, Object) and len(item.entries) == 1 else None
    if only is None or only.key not in _PLACES or not isinstance(only.value, Object):
        return item
    report.error(
        "unknown-key",
        f'"{only.key}" says where a guardrail stands, and is no key of it',
        only.key_span,
        hint=f"write `on: {only.key}`, and its other keys beside that",
        pointer=only.value.pointer,
    )
    place = Scalar(value=only.key, span=only.key_span, pointer=below(item.pointer, "on"))
    inside = (moved_entry(each, item.pointer) for each in only.value.entries if each.key != "on")
    return Object(
        entries=(Entry(key="on", key_span=only.key_span, value=place), *inside),
        span=item.span,
        pointer=item.pointer,
    )


def _by_name(key: str, node: Node, report: Report) -> Node:
    """A list of what has names, for a mapping of the names."""
    if not isinstance(node, Array) or not node.items:
        return node
    names = [text(item) if key == "inputs" else None for item in node.items]
    names = [name or text(_name_of(item)) for name, item in zip(names, node.items, strict=True)]
    if not all(names) or len(set(names)) < len(names):
        return node
    rest = [_without_name(item) for item in node.items]
    inner = "…" if any(rest) else _MEMBER[key]
    report.error(
        "wrong-type",
        f'"{key}" must be a mapping of names, not a list',
        node.span,
        hint=f"write each under its name: `{key}: {{{names[0]}: {{{inner}}}}}`",
        pointer=node.pointer,
    )
    entries = tuple(
        _named(name or "", item, inside, key, node.pointer)
        for name, item, inside in zip(names, node.items, rest, strict=True)
    )
    return Object(entries=entries, span=node.span, pointer=node.pointer)


def _name_of(item: Node) -> Node | None:
    return item.get("name") if isinstance(item, Object) else None


def _without_name(item: Node) -> tuple[Entry, ...]:
    return tuple(each for each in item.entries if each.key != "name") if isinstance(item, Object) else ()


def _named(name: str, item: Node, inside: tuple[Entry, ...], key: str, pointer: str) -> Entry:
    word = _name_of(item) or item
    if not inside and key == "inputs":
        kind = Scalar(value="string", span=word.span, pointer=below(item.pointer, "type"))
        inside = (Entry(key="type", key_span=word.span, value=kind),)
    value = Object(entries=inside, span=item.span, pointer=item.pointer)
    return Entry(key=name, key_span=word.span, value=moved(value, below(pointer, name)))


_SLIPS: Final[Mapping[str, Callable[[str, Node, Report], Node]]] = {
    "guardrails": _by_place,
    "inputs": _by_name,
    "instructions": _prose,
    "mcp_servers": _by_name,
    "models": _by_name,
    "tools": tools_as_meant,
    "toolsets": tools_as_meant,
}
