"""Declared run inputs, and the `{{ inputs.NAME }}` that stand for them in instructions and descriptions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias, get_args

from agentctl.diagnostics import Report, Span, nearest
from agentctl.document.nodes import Array, Node, Object, Scalar
from agentctl.document.source import Source
from agentctl.jsontypes import Json
from agentctl.spec.reading import InputUse, Reading, TeamFile
from agentctl.spec.team import Input, Team
from agentctl.spec.values import choice, flag, getter, text

InputType: TypeAlias = Literal["string", "number", "integer", "boolean"]
TYPES: Final[tuple[InputType, ...]] = get_args(InputType)
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
TEMPLATE: Final = re.compile(r"\{\{\s*inputs\.([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}")
_NEAR_TEMPLATE: Final = re.compile(r"\{\{\s*(?:input\.)?([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}")
_FILLED: Final = re.compile(r"(?:/agents/\d+)*/(?:instructions|description|strategy/planner/instructions)")


def read_inputs(node: Node | None, file: TeamFile) -> dict[str, Input]:
    if not isinstance(node, Object):
        return {}
    named = (entry for entry in node.entries if _NAME.fullmatch(entry.key))
    return {entry.key: _input(entry.key, entry.value, file) for entry in named}


def _input(name: str, node: Node, file: TeamFile) -> Input:
    get = getter(node)
    kind = choice(get("type"), TYPES, "string")
    default = get("default")
    value = default.value if isinstance(default, Scalar) else None
    if default is not None and value is not None and not fits(value, kind):
        file.error("wrong-type", f'"default" of input "{name}" must be of type {kind}', default)
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
    if not TEMPLATE.search(written):
        return
    file.report.sources[shown] = written
    source = Source(shown, written)
    for found in TEMPLATE.finditer(written):
        span = source.span(found.start(), found.end())
        file.reading.uses.append(InputUse(name=found[1], span=span, pointer="", written=found[0]))


def check_uses(reading: Reading, team: Team) -> None:
    """Inputs that are read and not declared, and such as nothing can read."""
    declared = team.inputs
    for use in dict.fromkeys(reading.uses):
        if use.name not in declared:
            near = nearest(use.name, declared)
            declare = f"declare it: `inputs: {{{use.name}: {{type: string}}}}`"
            hint = f'did you mean "{near}"?' if near else declare
            message = f'input "{use.name}" is not declared'
            span = _place(use, reading.report)
            reading.report.error("unknown-input", message, span, hint=hint, pointer=use.pointer)
    used = {use.name for use in reading.uses}
    if not any(agent.tools for agent in team.agents()):
        _warn_unused({name: entry for name, entry in declared.items() if name not in used}, reading.report)


def _place(use: InputUse, report: Report) -> Span:
    """Where the template is written, if its string is written there as it reads; else the whole string."""
    source = Source(use.span.path, report.sources.get(use.span.path, ""))
    start = source.offset(use.span.line, use.span.column)
    end = source.offset(use.span.end_line, use.span.end_column)
    at = start - 1
    for _ in range(use.nth + 1):
        at = source.text.find(use.written, at + 1, end)
        if at < 0:
            return use.span
    return source.span(at, at + len(use.written))


def _warn_unused(unused: Mapping[str, Input], report: Report) -> None:
    for name, entry in unused.items():
        message = f'input "{name}" is read by no instructions, description or tool'
        hint = f"write {{{{ inputs.{name} }}}}, or take it out"
        report.warning("unused-input", message, entry.span, hint=hint)


def check_templates(root: Object, file: TeamFile) -> None:
    """Templates where none is filled, and such as only look like one."""
    for scalar in _scalars(root):
        written = text(scalar) or ""
        if "{{" not in written or scalar.pointer.startswith("/x-"):
            continue
        if not _FILLED.fullmatch(scalar.pointer):
            if found := TEMPLATE.search(written):
                message = f"{found[0]} stays as it is here"
                hint = "inputs are filled in `instructions` and `description` of agents only"
                file.warning("unfilled-template", message, scalar, hint=hint)
        elif (near := _NEAR_TEMPLATE.search(written)) and near[1] in file.reading.inputs:
            message = f'"{near[0]}" is plain text, though there is an input "{near[1]}"'
            hint = f"write {{{{ inputs.{near[1]} }}}}"
            file.warning("unfilled-template", message, scalar, hint=hint)


def _scalars(node: Node) -> Iterator[Scalar]:
    waiting: list[Node] = [node]
    while waiting:
        match waiting.pop():
            case Scalar() as scalar:
                yield scalar
            case Array(items=below):
                waiting += reversed(below)
            case Object(entries=entries):
                waiting += reversed([entry.value for entry in entries])
