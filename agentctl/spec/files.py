"""The bytes of one team file into located nodes with the environment variables filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from agentctl.diagnostics import Report
from agentctl.document.nodes import Array, Node, Object, Scalar
from agentctl.document.read import read_document
from agentctl.document.substitute import substitute
from agentctl.document.variables import expand

SECRET_PLACE: Final = re.compile(r"/mcp_servers/[^/]*/(env|headers)/")


def open_team(data: bytes, shown: str, environ: Mapping[str, str], report: Report) -> Object | None:
    """The root of a team file, or None after errors that leave nothing to check.

    A value whose variables cannot be filled in is null, and nothing more is said about it.
    """
    document = read_document(data, path=shown, report=report)
    if document is None:
        return None
    before = len(report.found)
    root = substitute(
        document.root, environ, report=report, path=shown, keep=_is_kept, leave=_is_name_of_variable
    )
    if len(report.found) > before:
        root = _blank(document.root, root, environ)
    return root if isinstance(root, Object) else None


def _is_name_of_variable(pointer: str) -> bool:
    return pointer.endswith("/api_key_env")


def _is_kept(pointer: str) -> bool:
    """Whether a string may hold secrets and is filled in on use."""
    return SECRET_PLACE.match(pointer) is not None


def _is_faulty(text: str, pointer: str, environ: Mapping[str, str]) -> bool:
    return not _is_name_of_variable(pointer) and bool(expand(text, environ)[1])


def _blank(written: Node, filled: Node, environ: Mapping[str, str]) -> Node:
    """`filled`, with null for what could not be filled in."""
    match written, filled:
        case Scalar(value=str(text)), Scalar() if _is_faulty(text, filled.pointer, environ):
            return replace(filled, value=None)
        case Array(), Array():
            pairs = zip(written.items, filled.items, strict=True)
            return replace(filled, items=tuple(_blank(one, other, environ) for one, other in pairs))
        case Object(), Object():
            entries = zip(written.entries, filled.entries, strict=True)
            blanked = (
                replace(other, value=_blank(one.value, other.value, environ)) for one, other in entries
            )
            return replace(filled, entries=tuple(blanked))
        case _:
            return filled
