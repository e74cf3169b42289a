"""The inputs that a test gives, held against those that the team declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from agentctl.diagnostics import nearest
from agentctl.document.nodes import Entry, Node, Object, Scalar
from agentctl.spec.given import read_value
from agentctl.spec.inputs import for_type
from agentctl.spec.reading import TeamFile
from agentctl.spec.team import Input


def check_inputs(name: str, node: Object, stated: Object, file: TeamFile) -> None:
    """`stated` is where the run is written, a row of the test or the test itself."""
    declared = file.reading.inputs
    given = node.get("inputs")
    entries = given.entries if isinstance(given, Object) else ()
    for entry in entries:
        known = declared.get(entry.key)
        if known is None:
            hint = _undeclared(entry.key, declared)
            message = f'input "{entry.key}" is not declared'
            file.report.error(
                "unknown-input", message, entry.key_span, hint=hint, pointer=entry.value.pointer
            )
        elif isinstance(entry.value, Scalar) and entry.value.value is not None:
            _check_value(entry.key, entry.value, known, file)
    absent = [each for each, known in declared.items() if known.required and each not in _given(entries)]
    misspelt = any(entry.key not in declared for entry in entries)
    if absent and not misspelt and (given is None or isinstance(given, Object)):
        hint = f"write `inputs: {{{absent[0]}: …}}` in the test"
        called = f'test "{name}"' if name else "the test"
        message = f'{called} gives no value for the required input "{absent[0]}"'
        file.error("missing-key", message, given or first_value(stated), hint=hint)


def first_value(stated: Object) -> Node:
    """Where a test, or a row of one, is told of as a whole: its name, or the key that stands first in it."""
    name = stated.get("name")
    if name is not None or not stated.entries:
        return name or stated
    first = stated.entries[0]
    return replace(first.value, span=first.key_span)


def _given(entries: tuple[Entry, ...]) -> set[str]:
    return {entry.key for entry in entries}


def _undeclared(name: str, declared: Mapping[str, Input]) -> str:
    near = nearest(name, declared)
    return f'did you mean "{near}"?' if near else f"declare it: `inputs: {{{name}: {{type: string}}}}`"


def _check_value(name: str, node: Scalar, known: Input, file: TeamFile) -> None:
    """As of the command line, text that reads as a value of the type is one."""
    if read_value(node.value, known.type) is None:
        message = f'input "{name}" must be of type {known.type}'
        file.error("wrong-type", message, node, hint=for_type(known.type))
