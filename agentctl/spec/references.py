"""The sub-agents that a strategy's options may name, and what is said where one names nobody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agentctl.diagnostics import Span, nearest
from agentctl.document.nodes import Array, Entry, Node, Object
from agentctl.spec.reading import TeamFile
from agentctl.spec.team import Agent
from agentctl.spec.values import items, number, text


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """The sub-agents of one agent. Where one could not be read, any name may be its own."""

    names: tuple[str, ...]
    complete: bool
    file: TeamFile

    @classmethod
    def of(cls, agents: Sequence[Agent], file: TeamFile) -> Members:
        names = tuple(dict.fromkeys(agent.name for agent in agents if agent.name))
        complete = bool(agents) and all(agent.name for agent in agents)
        return cls(names=names, complete=complete, file=file)

    def read(self, node: Node | None) -> str | None:
        """The name in a node; an unknown one is reported and left out."""
        name = text(node)
        if node is None or not name:
            return None
        return name if self.known(name, node.span, node.pointer) else None

    def known(self, name: str, span: Span, pointer: str) -> bool:
        if name in self.names or not self.complete:
            return True
        near = nearest(name, self.names)
        hint = f'did you mean "{near}"?' if near else f"the agents here: {', '.join(self.names)}"
        message = f'unknown agent "{name}"'
        self.file.report.error("unknown-agent", message, span, hint=hint, pointer=pointer)
        return False

    def read_list(self, node: Node | None) -> tuple[str, ...]:
        return tuple(name for item in items(node) if (name := self.read(item)) is not None)

    def entries(self, node: Node | None) -> list[Entry]:
        """The entries of a mapping whose keys are members; others are reported and left out."""
        found = node.entries if isinstance(node, Object) else ()
        return [entry for entry in found if self.known(entry.key, entry.key_span, entry.value.pointer)]


def read_transitions(node: Node | None, members: Members) -> dict[str, tuple[str, ...]] | None:
    if not isinstance(node, Object):
        return None
    return {
        entry.key: _others(entry, members.read_list(entry.value), members)
        if isinstance(entry.value, Array)
        else members.names  # reported; nobody is unreachable for it
        for entry in members.entries(node)
    }


def _others(entry: Entry, names: Iterable[str], members: Members) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(names))
    if entry.key in names:
        message = f'"{entry.key}" cannot pass to itself'
        members.file.warning("self-transition", message, entry.value, hint=f'leave out "{entry.key}"')
    return tuple(name for name in names if name != entry.key)


def read_weights(node: Node | None, members: Members) -> dict[str, float] | None:
    """Weights by member; such as has none is never drawn, and then that is said."""
    if not isinstance(node, Object) or not node.entries:
        return None
    stated = members.entries(node)
    weights = {
        entry.key: value
        for entry in stated
        if (value := number(entry.value)) is not None and value >= 0 and value != float("inf")
    }
    if len(weights) == len(node.entries) and not any(weights.values()):
        hint = "give at least one of them a weight above 0"
        members.file.error("wrong-value", "all weights are 0, so nobody can be drawn", node, hint=hint)
        return None
    absent = [name for name in members.names if node.get(name) is None]
    if absent and weights and members.complete and len(weights) == len(node.entries):
        listed = ", ".join(f'"{name}"' for name in absent)
        hint = "give each a weight; 0 says that it is meant"
        members.file.warning("no-weight", f"without a weight never drawn: {listed}", node, hint=hint)
    return weights
