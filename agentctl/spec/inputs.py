"""Declared run inputs, and the `{{ inputs.NAME }}` that stand for them in instructions and descriptions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias, get_args

from agentctl.diagnostics import Report, Span, nearest
from agentctl.document.nodes import Node, Object, Scalar
from agentctl.document.source import Source
from agentctl.jsontypes import Json
from agentctl.spec.reading import InputUse, Reading, TeamFile
from agentctl.spec.team import Input, Team
from agentctl.spec.values import choice, flag, getter, text

InputType: TypeAlias = Literal["string", "number", "integer", "boolean"]
TYPES: Final[tuple[InputType, ...]] = get_args(InputType)
_SUCH: Final[Mapping[InputType, str]] = {"string": "text", "number": "2.5", "integer": "3", "boolean": "true"}
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_MENTION: Final = re.compile(r"\{\{?[^{}\n]*?\b(\w[\w-]*)\s*\}")
TEMPLATE: Final = re.compile(r"\{\{\s*inputs\.([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}")


def read_inputs(node: Node | None, file: TeamFile) -> dict[str, Input]:
    if not isinstance(node, Object):
        return {}
    named = (entry for entry in node.entries if _NAME.fullmatch(entry.key))
    return {entry.key: _input(entry.key, entry.value, file) for entry in named}


def _input(name: str, node: Node, file: TeamFile) -> Input:
    get = getter(node)
    kind = choice(get("type"), TYPES, "string")
    is_known = get("type") is None or text(get("type")) == kind
    default = get("default")
    value = default.value if isinstance(default, Scalar) else None
    if is_known and value is not None and default is not None and not fits(value, kind):
        message = f'"default" of input "{name}" must be of type {kind}'
        file.error("wrong-type", message, default, hint=for_type(kind))
        value = None
    required = flag(get("required"), False)
    if required and default is not None and (stated := get("required")) is not None:
        hint = "leave out one of `required` and `default`"
        file.warning("unread-key", f'input "{name}" has a default, so it is never missing', stated, hint=hint)
    return Input(
        type=kind,
        description=text(get("description")),
        default=value,
        required=required and default is None,
        span=node.span,
    )


def for_type(kind: InputType) -> str:
    """The hint for a value that is of another type."""
    return "write it in quotes" if kind == "string" else f"write a value such as {_SUCH[kind]}"


def fits(value: Json, kind: InputType) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)


def note_uses(written: str, node: Node, file: TeamFile) -> None:
    """Remembers the inputs that instructions or a description of the team file read."""
    for found in TEMPLATE.finditer(written):
        nth = written.count(found[0], 0, found.start())
        use = InputUse(name=found[1], span=node.span, pointer=node.pointer, written=found[0], nth=nth)
        file.reading.uses.append(use)


def note_file_uses(written: str, shown: str, file: TeamFile) -> None:
    """Remembers the inputs that instructions in a file of their own read."""
    if "{{" not in written:
        return
    file.report.sources[shown] = written
    source = Source(shown, written)
    for found in TEMPLATE.finditer(written):
        span = source.span(found.start(), found.end())
        file.reading.uses.append(InputUse(name=found[1], span=span, pointer="", written=found[0]))


def check_uses(reading: Reading, team: Team) -> None:
    """Inputs that are read and not declared, and such as nothing can read."""
    declared = team.inputs
    is_broken = any(
        found.pointer == "/inputs" and found.severity == "error" and found.span.path == reading.shown
        for found in reading.report.found
    )
    for use in dict.fromkeys(reading.uses):
        if use.name not in declared and not is_broken:
            near = nearest(use.name, declared)
            where = "" if use.span.path == reading.shown else f' in "{reading.shown}"'
            declare = f"declare it{where}: `inputs: {{{use.name}: {{type: string}}}}`"
            hint = f'did you mean "{near}"?' if near else declare
            message = f'input "{use.name}" is not declared'
            span = place_of(use.written, use.nth, use.span, reading.report)
            reading.report.error("unknown-input", message, span, hint=hint, pointer=use.pointer)
    used = {use.name for use in reading.uses} | _mentioned(reading.report)
    if not any(agent.tools for agent in team.agents()):
        _warn_unused([name for name in declared if name not in used], team, reading.report)


def _mentioned(report: Report) -> set[str]:
    """Inputs named in braces anywhere, once something is wrong: what was told of is meant to use them."""
    if not report.found:
        return set()
    return {found[1] for source in report.sources.values() for found in _MENTION.finditer(source)}


def place_of(written: str, nth: int, span: Span, report: Report) -> Span:
    """Where `written` stands for the `nth` time (from 0) in a string, if the string is written as it reads.

    Else it is the whole string, `span`.
    """
    source = Source(span.path, report.sources.get(span.path, ""))
    start = source.offset(span.line, span.column)
    end = source.offset(span.end_line, span.end_column)
    at = start - 1
    for _ in range(nth + 1):
        at = source.text.find(written, at + 1, end)
        if at < 0:
            return span
    return source.span(at, at + len(written))


def _warn_unused(unused: Sequence[str], team: Team, report: Report) -> None:
    for name in unused:
        message = f'input "{name}" is read by no instructions, description or tool'
        hint = f"write {{{{ inputs.{name} }}}}, or take it out"
        pointer = f"/inputs/{name}"
        span = team.place(team.inputs[name].span, pointer, key=True)
        report.warning("unused-input", message, span, hint=hint, pointer=pointer)
