"""Nodes of `tests` into `Case`s: rows filled in, agents that do not exist reported at their place.

What does not fit the schema was reported before and is left out here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from agentctl.diagnostics import Related, nearest
from agentctl.document.nodes import Array, Entry, Node, Object
from agentctl.spec.case_inputs import check_inputs, first_value
from agentctl.spec.cases import Case, Expect, Person, PersonKind
from agentctl.spec.expectations import read_expect
from agentctl.spec.expected_names import files_named, tools_named, wrong_agents
from agentctl.spec.reading import TeamFile
from agentctl.spec.values import duration, getter, items, mapping, member, text, texts

RECORDING: Final = "recording:"
_TIMEOUT: Final = 60.0
_KINDS: Final[tuple[PersonKind, ...]] = ("choose", "finish", "approve", "deny", "answer")
_ROW: Final = ("question", "inputs", "model", "answers", "expect", "tags")


def read_cases(node: Node | None, file: TeamFile, agents: Iterable[str]) -> tuple[Case, ...]:
    """Every run of every test, in file order; `agents` are the names of the whole team."""
    known = tuple(agents)
    found = [case for item in items(node) if isinstance(item, Object) for case in _cases(item, file, known)]
    _tell_repeated(found, file)
    return tuple(case for case, _ in found)


def _cases(node: Object, file: TeamFile, known: tuple[str, ...]) -> Iterator[tuple[Case, Node]]:
    """Each with the place of what it is called by."""
    name = text(node.get("name")) or ""
    rows = [row for row in items(node.get("each")) if isinstance(row, Object)]
    if not rows and node.get("each") is None:
        yield _case(name, node, node, file, known), node.get("name") or node
    for number, row in enumerate(rows, start=1):
        called = text(row.get("name")) or text(row.get("question")) or str(number)
        place = row.get("name") or row.get("question") or row
        yield _case(f"{name}[{called}]", _filled(node, row), row, file, known), place


def _filled(node: Object, row: Object) -> Object:
    """The test with the row's keys; those of `expect` and `inputs` one by one, tags beside the test's."""
    entries = {entry.key: entry for entry in node.entries if entry.key != "each"}
    for entry in row.entries:
        above = entries.get(entry.key)
        if entry.key in ("expect", "inputs", "tags") and above is not None:
            entry = replace(entry, value=_joined(above.value, entry.value))
        if entry.key in _ROW:
            entries[entry.key] = entry
    return replace(node, entries=tuple(entries.values()))


def _joined(above: Node, own: Node) -> Node:
    if isinstance(above, Array) and isinstance(own, Array):
        return replace(own, items=(*above.items, *own.items))
    if not isinstance(above, Object) or not isinstance(own, Object):
        return own
    entries: dict[str, Entry] = {entry.key: entry for entry in (*above.entries, *own.entries)}
    return replace(own, entries=tuple(entries.values()))


def _case(name: str, node: Object, stated: Object, file: TeamFile, known: tuple[str, ...]) -> Case:
    """`stated` is where the run is written: the test, or its row. What is missing was told of."""
    expect = node.get("expect")
    _tell_empty(name, node, stated, file)
    _tell_agents(node, file, known)
    check_inputs(name, node, stated, file)
    models = _models(node.get("model"))
    seconds = duration(node.get("timeout"))
    return Case(
        name=name,
        question=text(node.get("question")) or "",
        inputs=mapping(node.get("inputs")),
        model=models,
        answers=tuple(_person(item) for item in items(node.get("answers")) if isinstance(item, Object)),
        expect=read_expect(expect, file) if isinstance(expect, Object) else Expect(),
        recorded_tools=_recorded_tools(node.get("tools"), models, name, file),
        tags=texts(node.get("tags")),
        timeout=_TIMEOUT if seconds is None else seconds,
        tools=tuple(tools_named(node)),
        files=tuple(files_named(node)),
        folder=file.folder,
        span=stated.span,
        pointer=stated.pointer,
    )


def _tell_empty(name: str, node: Object, stated: Object, file: TeamFile) -> None:
    """What is misspelt, of a wrong type or empty was told before."""
    question, expect = node.get("question"), node.get("expect")
    called = f'test "{name}"' if name else "the test"
    if question is None or (text(question) or "x").isspace():
        hint = "write `question:`, in the test or in the row"
        file.error("missing-key", f"{called} asks nothing", question or first_value(stated), hint=hint)
    if expect is None:
        hint = "say what must happen, such as `expect: {path: [desk, billing]}`"
        file.error("expects-nothing", f"{called} expects nothing", first_value(stated), hint=hint)


def _tell_agents(node: Object, file: TeamFile, known: tuple[str, ...]) -> None:
    for place in wrong_agents(node, known):
        near = nearest(place.name, known)
        hint = f'did you mean "{near}"?' if near else f"the agents: {', '.join(known)}"
        message = f'unknown agent "{place.name}"'
        file.report.error("unknown-agent", message, place.span, hint=hint, pointer=place.pointer)
    path = items(member(node.get("expect"), "path"))
    if path and text(path[0]) in known[1:]:
        message = f'a path begins with "{known[0]}", the agent that is asked first'
        hint = f"write the whole way: `path: [{known[0]}, …, {text(path[-1])}]`"
        file.error("wrong-value", message, path[0], hint=hint)


def _models(node: Node | None) -> dict[str, str]:
    whole = text(node)
    if whole is not None:
        return {"": whole}
    entries = node.entries if isinstance(node, Object) else ()
    return {entry.key: name for entry in entries if (name := text(entry.value)) is not None}


def _recorded_tools(node: Node | None, models: dict[str, str], name: str, file: TeamFile) -> bool:
    """Whether the results of tools are those of the recording."""
    whole = models.get("", "").startswith(RECORDING)
    if node is not None and text(node) == "recorded" and not whole:
        hint = "write `model: recording:FILE`"
        file.error("wrong-value", f'test "{name}" has no recording to take results from', node, hint=hint)
    return whole and text(node) != "live"


def _person(node: Object) -> Person:
    get = getter(node)
    kind: PersonKind = next((kind for kind in _KINDS if node.entry(kind) is not None), "finish")
    return Person(
        kind=kind,
        text=text(get(kind)) or "",
        tool=text(get("tool")),
        agent=text(get("agent")),
    )


def _tell_repeated(cases: Iterable[tuple[Case, Node]], file: TeamFile) -> None:
    first: dict[str, Node] = {}
    for case, place in cases:
        if not case.name:
            continue
        other = first.setdefault(case.name, place)
        if other is not place:
            file.report.error(
                "duplicate-name",
                f'two tests are named "{case.name}"',
                place.span,
                hint="give each a name of its own",
                pointer=place.pointer,
                related=(Related(span=other.span, message="the first one"),),
            )
