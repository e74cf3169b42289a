"""What stands under `agents`, also as other tools would have it: that is told of, and read on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from agentctl.document.nodes import Array, Entry, Node, Object, Scalar
from agentctl.spec.reading import TeamFile
from agentctl.spec.schema import agent_keys, include_keys
from agentctl.spec.vocabulary import KEYS

_OWN: Final = ("name", "file", "instructions")


def members(node: Node | None, file: TeamFile) -> Iterator[Node]:
    """The items of a list; of a mapping, which is told of as no list, the agents in it."""
    if isinstance(node, Object):
        yield from _of_mapping(node)
    for item in node.items if isinstance(node, Array) else ():
        yield _item(item, file)


def _of_mapping(node: Object) -> Iterator[Node]:
    """`{billing: {…}}`, or a single agent without its dash."""
    if any(node.entry(key) for key in _OWN):
        yield node
        return
    yield from (_named(entry, entry.value) for entry in node.entries if isinstance(entry.value, Object))


def _item(item: Node, file: TeamFile) -> Node:
    """`- billing: {…}` as the agent that it is meant to be."""
    entry = item.entries[0] if isinstance(item, Object) and len(item.entries) == 1 else None
    if entry is None or not isinstance(entry.value, Object) or _is_key(entry.key):
        return item
    message = f'the agent "{entry.key}" is written as a key, with what belongs to it below'
    hint = f"write `- name: {entry.key}`, and its other keys at the same indentation"
    file.report.error("unknown-key", message, entry.key_span, hint=hint, pointer=entry.value.pointer)
    return _named(entry, entry.value)


def _is_key(key: str) -> bool:
    return key in agent_keys() or key in include_keys() or key in KEYS["agent"]


def _named(entry: Entry, agent: Object) -> Object:
    if agent.entry("name") is not None:
        return agent
    value = Scalar(value=entry.key, span=entry.key_span, pointer=f"{agent.pointer}/name")
    name = Entry(key="name", key_span=entry.key_span, value=value)
    return replace(agent, entries=(name, *agent.entries))
