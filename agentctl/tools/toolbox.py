"""Turns every tool and function that a team file names into callables, and tells all problems at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agentctl.diagnostics import Related, Span
from agentctl.jsontypes import digest
from agentctl.spec.settings import FunctionRef, ToolEntry
from agentctl.tools.calling import PythonCall
from agentctl.tools.describing import search_text
from agentctl.tools.docstrings import documentation_of
from agentctl.tools.importing import Importer
from agentctl.tools.options import Options, options_of
from agentctl.tools.parameters import read_parameters
from agentctl.tools.problems import Fault, ToolProblem
from agentctl.tools.schema import Shape, read_shape
from agentctl.tools.signatures import class_fault
from agentctl.tools.tool import Tool

_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolboxes:
    """`tools` by agent, in the order of the file. What has a problem is left out everywhere."""

    tools: Mapping[str, tuple[Tool, ...]]
    functions: Mapping[FunctionRef, Callable[..., object]]
    problems: tuple[ToolProblem, ...]


def load_toolboxes(
    entries: Mapping[str, Sequence[ToolEntry]], functions: Sequence[FunctionRef], *, importer: Importer
) -> Toolboxes:
    """`entries` are the tools by agent, `functions` what is named elsewhere; conditions of approval are
    taken from the entries. Raises nothing for what the file or its modules do wrong.
    """
    reader = _Reader(importer)
    tools = {agent: tuple(reader.tools(listed)) for agent, listed in entries.items()}
    conditions = [
        entry.approve
        for listed in entries.values()
        for entry in listed
        if isinstance(entry.approve, FunctionRef)
    ]
    called = reader.functions([*functions, *conditions])
    return Toolboxes(tools=tools, functions=called, problems=tuple(dict.fromkeys(reader.problems)))


class _Reader:
    """One pass over a team file; `problems` grows, in the order of the file."""

    def __init__(self, importer: Importer) -> None:
        self._importer = importer
        self._shapes: dict[tuple[int, str, str], tuple[object, Shape | list[Fault]]] = {}
        self.problems: list[ToolProblem] = []

    def functions(self, refs: Sequence[FunctionRef]) -> dict[FunctionRef, Callable[..., object]]:
        return {ref: function for ref in refs if (function := self._function(ref)) is not None}

    def tools(self, entries: Sequence[ToolEntry]) -> Iterator[Tool]:
        """Those of one agent."""
        taken: dict[str, ToolEntry] = {}
        for entry in entries:
            function = self._function(entry.function)
            if function is None:
                continue
            options = options_of(entry, function)
            name = options.name or entry.function.target.replace(":", ".").rpartition(".")[2]
            fine = self._name(name, options, entry, taken) and self._retry(name, options, entry)
            shape = self._shape(function, entry)
            if shape is not None and fine:
                yield _tool(name, function, shape, options, entry)

    def _function(self, ref: FunctionRef) -> Callable[..., object] | None:
        found = self._importer.load(ref)
        if isinstance(found, Fault):
            self._add(found, ref.span, ref.pointer)
            return None
        return found

    def _shape(self, function: Callable[..., object], entry: ToolEntry) -> Shape | None:
        """Read once for all the agents that have the same function with the same fixed arguments."""
        key = (id(function), entry.function.target, digest(entry.args))
        if key not in self._shapes:
            self._shapes[key] = (function, _read(function, entry))
        shape = self._shapes[key][1]
        if isinstance(shape, Shape):
            return shape
        for fault in shape:
            below = "".join(f"/{part.replace('~', '~0').replace('/', '~1')}" for part in fault.at)
            pointer = f"{entry.pointer}{below}" if below else entry.function.pointer
            self._add(fault, entry.span if below else entry.function.span, pointer)
        return None

    def _name(self, name: str, options: Options, entry: ToolEntry, taken: dict[str, ToolEntry]) -> bool:
        if not _NAME.fullmatch(name):
            fault = Fault(
                code="tool-name",
                message=f'"{name}" cannot be a tool\'s name: at most 64 letters, digits, `_` and `-` can',
                hint="give the tool another `name`",
            )
            self._add(fault, entry.span, _name_of(entry))
            return False
        if options.name is None and "name" in entry.stated:
            return False  # its name is told of
        first = taken.setdefault(name, entry)
        if first is not entry:
            fault = Fault(
                code="tool-duplicate",
                message=f'this agent already has a tool called "{name}" (line {first.span.line})',
                hint="give one of the two another `name`",
            )
            related = (Related(span=first.span, message=f'the first "{name}"'),)
            self._add(fault, entry.span, _name_of(entry), related)
        return first is entry

    def _retry(self, name: str, options: Options, entry: ToolEntry) -> bool:
        if options.retry is None or options.idempotent:
            return True
        fault = Fault(
            code="tool-retry",
            message=f'"{name}" has `retry` but may not be run twice',
            hint="write `idempotent: true` if a second call does no harm, or take `retry` out",
        )
        self._add(fault, entry.span, f"{entry.pointer}/retry")
        return False

    def _add(self, fault: Fault, span: Span, pointer: str, related: tuple[Related, ...] = ()) -> None:
        self.problems.append(
            ToolProblem(
                code=fault.code,
                message=fault.message,
                hint=fault.hint,
                span=span,
                pointer=pointer,
                related=related,
            )
        )


def _name_of(entry: ToolEntry) -> str:
    """Where the name that the model sees is written: by itself, or as that of the function."""
    return f"{entry.pointer}/name" if entry.name else entry.function.pointer


def _read(function: Callable[..., object], entry: ToolEntry) -> Shape | list[Fault]:
    target = entry.function.target
    if isinstance(function, type):
        return [class_fault(target)]
    parameters = read_parameters(function, target)
    if isinstance(parameters, list):
        return parameters
    return read_shape(parameters, documentation_of(function).parameters, entry.args, target)


def _tool(
    name: str, function: Callable[..., object], shape: Shape, options: Options, entry: ToolEntry
) -> Tool:
    documentation = documentation_of(function)
    description = options.description or documentation.summary
    return Tool(
        name=name,
        description=description,
        parameters=shape.schema,
        search_text=search_text(name, description, documentation.text, shape.schema),
        source=entry.function.target,
        idempotent=options.idempotent,
        approve=options.approve,
        check=shape.check,
        call=PythonCall(function, shape, name, options),
        folder=entry.function.folder,
    )
