"""What the reading of a team carries along: the report, the file being read, and what was seen on the way."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agentctl.diagnostics import Report, Span
from agentctl.document.nodes import Node, Object
from agentctl.spec.settings import McpServer, ModelSettings
from agentctl.spec.team import Input


@dataclass(frozen=True, slots=True, kw_only=True)
class InputUse:
    """A `{{ inputs.NAME }}` in instructions or a description.

    `span` is the string that has it, or the template itself; `written` is its text, the `nth` of that
    text in the string (from 0).
    """

    name: str
    span: Span
    pointer: str
    written: str
    nth: int = 0


@dataclass(slots=True, kw_only=True)
class Reading:
    """One team being read. `folder` is absolute and the team's, `shown` its path as a person is shown it.

    `opened` holds the documents of included files by their real path; `agents` counts those read so far.
    `servers` and `models` are all that are declared, each once. `documents` are those read, by the path that
    is shown.
    """

    report: Report
    environ: Mapping[str, str]
    shown: str
    folder: Path
    uses: list[InputUse] = field(default_factory=list)
    opened: dict[str, Object | None] = field(default_factory=dict)
    documents: dict[str, Object] = field(default_factory=dict)
    inputs: Mapping[str, Input] = field(default_factory=dict)
    agents: int = 0
    servers: list[McpServer] = field(default_factory=list)
    models: list[ModelSettings] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamFile:
    """The file being read. `shown` is its path as a person is shown it; `above` the files that include it.

    `models` are its named settings; those that could not be read have an empty id. `servers` are those of
    its `mcp_servers`.
    """

    reading: Reading
    shown: str
    folder: Path
    models: Mapping[str, ModelSettings] = field(default_factory=dict)
    servers: Mapping[str, McpServer] = field(default_factory=dict)
    above: tuple[str, ...] = ()

    @property
    def report(self) -> Report:
        return self.reading.report

    def shown_path(self, written: str) -> str:
        """How to show a path that stands in this file."""
        return os.path.normpath(Path(self.shown).parent / written).replace(os.sep, "/")

    def error(self, code: str, message: str, node: Node, *, hint: str) -> None:
        self.report.error(code, message, node.span, hint=hint, pointer=node.pointer)

    def warning(self, code: str, message: str, node: Node, *, hint: str) -> None:
        self.report.warning(code, message, node.span, hint=hint, pointer=node.pointer)
