"""The agents, tools and files that a test names, each at its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from agentctl.document.nodes import Node, Object
from agentctl.spec.cases import Named
from agentctl.spec.models import is_file_model
from agentctl.spec.values import items, member, text

_ARGUMENTS: Final = ("args", "args_include", "args_match")


def wrong_agents(case: Object, known: Sequence[str]) -> list[Named]:
    """Agents that the team does not have; a team that could not be read has none, and nothing is said."""
    if not known or not all(known):
        return []
    return [found for found in _agents(case) if found.name not in known]


def tools_named(case: Object) -> Iterator[Named]:
    """The tools of `expect.tools`, `expect.not_called` and `answers`."""
    expect = case.get("expect")
    for item in items(case.get("answers")):
        yield from _name(member(item, "tool"), text(member(item, "agent")))
    for item in items(member(expect, "tools")):
        who = text(member(item, "agent"))
        for named in _name(member(item, "name") if isinstance(item, Object) else item, who):
            yield replace(named, arguments=tuple(_arguments(item)))
    for item in items(member(expect, "not_called")):
        yield from _name(item)


def _arguments(call: Node) -> Iterator[Named]:
    for key in _ARGUMENTS:
        given = member(call, key)
        for entry in given.entries if isinstance(given, Object) else ():
            yield Named(name=entry.key, span=entry.key_span, pointer=entry.value.pointer)


def files_named(case: Object) -> Iterator[Named]:
    """The scripts and recordings that stand in for models."""
    model = case.get("model")
    values = [entry.value for entry in model.entries] if isinstance(model, Object) else [model]
    for value in values:
        yield from (named for named in _name(value) if is_file_model(named.name))


def _agents(case: Object) -> Iterator[Named]:
    expect, model = case.get("expect"), case.get("model")
    for entry in model.entries if isinstance(model, Object) else ():
        yield Named(name=entry.key, span=entry.key_span, pointer=entry.value.pointer)
    yield from _name(member(expect, "agent"))
    for item in items(member(expect, "path")):
        yield from _name(item)
    for decision in items(member(expect, "decisions")):
        chosen = member(decision, "chosen")
        yield from _name(member(decision, "agent"))
        yield from _name(chosen)
        for item in (*items(chosen), *items(member(decision, "among"))):
            yield from _name(item)
    for call in (*items(member(expect, "tools")), *items(case.get("answers"))):
        yield from _name(member(call, "agent"))
    for answer in items(case.get("answers")):
        yield from _name(member(answer, "choose"))


def _name(node: Node | None, agent: str | None = None) -> Iterator[Named]:
    name = text(node)
    if node is not None and name is not None:
        yield Named(name=name, span=node.span, pointer=node.pointer, agent=agent)
