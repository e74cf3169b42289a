"""A script file on disk into a `Script`, or one `UsageError` that names every mistake with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from agentctl.diagnostics import Report
from agentctl.document import Array, Document, Node, Object, locate, plain, read_document
from agentctl.errors import UsageError
from agentctl.jsonschemas import Checker, Problem
from agentctl.models.script_read import read_turn
from agentctl.models.script_turns import Script, Turn
from agentctl.schemafiles import schema

_SHOWN: Final = 8


def read_script(file: Path, *, shown: str) -> Script:
    """`shown` is the path as the team file writes it. Raises `UsageError` for a missing or invalid file."""
    document = _document(file, shown)
    mistakes = [
        _told(problem, document) for problem in Checker(schema("script")).problems(plain(document.root))
    ]
    if mistakes:
        raise _invalid(shown, mistakes)
    try:
        return Script(path=shown, agents=dict(_agents(document.root)))
    except _BadRegex as bad:
        raise _invalid(shown, [str(bad)]) from None


class _BadRegex(Exception):
    """A condition whose expression cannot be read; says where and why."""


def _document(file: Path, shown: str) -> Document:
    try:
        data = file.read_bytes()
    except OSError as error:
        cause = error.strerror or str(error)
        raise UsageError(
            f'script "{shown}" cannot be read: {cause} ("{file}")',
            hint="the path after `script:` is relative to the team file's folder",
        ) from error
    report = Report()
    document = read_document(data, path=shown, report=report)
    if document is None or report.errors:
        raise _invalid(shown, [f"line {found.span.line}: {found.message}" for found in report])
    return document


def _agents(root: Node) -> Iterator[tuple[str, tuple[Turn, ...]]]:
    agents = root.get("agents") if isinstance(root, Object) else None
    for entry in agents.entries if isinstance(agents, Object) else ():
        nodes = entry.value.items if isinstance(entry.value, Array) else ()
        yield entry.key, tuple(_turn(node, index) for index, node in enumerate(nodes, 1))


def _turn(node: Node, index: int) -> Turn:
    try:
        return read_turn(plain(node), index=index, line=node.span.line)
    except re.error as error:
        line = locate(node, ("when", "regex")).span.line
        raise _BadRegex(f'line {line}: "regex" is no regular expression: {error}') from None


def _told(problem: Problem, document: Document) -> str:
    node = locate(document.root, problem.path)
    entry = node.entry(problem.key) if isinstance(node, Object) else None
    span = entry.key_span if entry else node.span
    return f"line {span.line}: {problem}"


def _invalid(shown: str, mistakes: Sequence[str]) -> UsageError:
    listed = list(mistakes[:_SHOWN])
    if len(mistakes) > _SHOWN:
        listed.append(f"and {len(mistakes) - _SHOWN} more")
    told = "\n  ".join(listed)
    return UsageError(
        f'script "{shown}" is not valid:\n  {told}',
        hint="its format is described by schemas/script.schema.json",
    )
