"""A team whose keys all stand under one key, such as `team:`, is told of and read on."""

from __future__ import annotations

from typing import Final

from agentctl.diagnostics import Report
from agentctl.document.nodes import Object
from agentctl.document.places import moved
from agentctl.spec.schema import agent_keys

_MARKS: Final = ("name", "agents")


def unwrapped(root: Object, report: Report) -> Object:
    """The mapping that holds the team's keys."""
    own = [entry for entry in root.entries if entry.key != "version" and not entry.key.startswith("x-")]
    inner = own[0].value if len(own) == 1 else None
    if not isinstance(inner, Object) or own[0].key in agent_keys():
        return root
    if not any(inner.entry(key) for key in _MARKS):
        return root
    key = own[0].key
    message = f'the keys of the team stand under "{key}"'
    hint = f"take `{key}:` out, and begin its keys where it begins"
    report.error("unknown-key", message, own[0].key_span, hint=hint, pointer=inner.pointer)
    found = moved(inner, "")
    return found if isinstance(found, Object) else root
