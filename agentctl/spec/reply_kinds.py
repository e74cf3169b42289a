"""A YAML file by its keys: whether it is a script or a recording, which stand in for models, and no team."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, TypeAlias

from agentctl.diagnostics import Report
from agentctl.document import read_document
from agentctl.document.nodes import Array, Node, Object

ReplyKind: TypeAlias = Literal["script", "recording"]
_PLAYED: Final = {
    "script": "name it as the `model` of an agent or a test: `script:FILE`",
    "recording": "play it with `--replay`, or name it as the `model` of a test: `recording:FILE`",
}


def reply_kind(root: Node | None) -> ReplyKind | None:
    """None for anything that may be meant as a team."""
    if not isinstance(root, Object):
        return None
    if root.entry("recording") is not None:
        return "recording"
    agents = root.get("agents")
    alone = all(entry.key == "agents" or entry.key.startswith("x-") for entry in root.entries)
    turns = isinstance(agents, Object) and all(isinstance(entry.value, Array) for entry in agents.entries)
    return "script" if alone and turns else None


def file_kind(path: Path) -> ReplyKind | None:
    """As `reply_kind`, of a file; one that cannot be read is none."""
    try:
        document = read_document(path.read_bytes(), path=str(path), report=Report())
    except OSError:
        return None
    return reply_kind(document.root) if document else None


def is_a_team(root: Object, report: Report) -> bool:
    """Reports a file of replies that is read as a team, in one sentence."""
    kind = reply_kind(root)
    if kind is None:
        return True
    first = root.entries[0].key_span
    hint = f"{_PLAYED[kind]}; in a test file, say which team is meant with `team:`"
    report.error("not-a-team", f"this file is a {kind}, and no team", first, hint=hint, pointer="")
    return False
