"""Entries of `tools` as others write them, that can only mean one thing: told once, and read as that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Final

from agentctl.diagnostics import Report
from agentctl.document.nodes import Array, Entry, Node, Object, Scalar
from agentctl.document.places import below, moved
from agentctl.spec.settings import McpEntry, ToolEntry
from agentctl.spec.values import text
from agentctl.spec.vocabulary import KEYS

_SERVER: Final = frozenset({"mcp_server", "server", "mcpserver", "mcp_servers", "servers"})
_KINDS: Final = frozenset({"type", "kind"})
_OWN: Final = frozenset({"function", "mcp", "builtin"})
_KEYS: Final = frozenset(each.name for kind in (ToolEntry, McpEntry) for each in fields(kind))
_WORD: Final = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
_FUNCTION: Final = re.compile(r"[\w./-]+:[A-Za-z_][\w.]*")


def tools_as_meant(key: str, node: Node, report: Report) -> Node:
    """The value of `tools`."""
    if isinstance(node, Scalar):
        return _one(key, node, report)
    if not isinstance(node, Array):
        return node
    return replace(node, items=tuple(found for item in node.items for found in _item(item, report)))


def _one(key: str, node: Scalar, report: Report) -> Node:
    """A single reference, read as a list of it where it is one."""
    written = text(node)
    if not written or not (_WORD.fullmatch(written) or _FUNCTION.fullmatch(written)):
        return node
    is_function = _FUNCTION.fullmatch(written) is not None
    hint = f'write a list: `tools: ["{written if is_function else f"tools:{written}"}"]`'
    if not is_function:
        hint += ", each a function as `module:function`"
    report.error(
        "wrong-type", f'"{key}" must be a list, not text', node.span, hint=hint, pointer=node.pointer
    )
    items = (moved(node, below(node.pointer, 0)),) if is_function else ()
    return Array(items=items, span=node.span, pointer=node.pointer)


def _item(item: Node, report: Report) -> Iterator[Node]:
    if not isinstance(item, Object) or any(entry.key in _OWN for entry in item.entries):
        yield item
        return
    first = next(iter(item.entries), None)
    server = next((entry for entry in item.entries if entry.key.casefold() in _SERVER), None)
    kind = next((entry for entry in item.entries if entry.key in _KINDS), None)
    if kind is not None:
        _tell_kind(kind, server, report)
    elif server is not None:
        _tell_key(server, 'did you mean "mcp"?', report)
        entries = (replace(each, key="mcp") if each is server else each for each in item.entries)
        yield replace(item, entries=tuple(entries))
    elif first is not None and len(item.entries) == 1 and _is_split(first):
        yield _joined(first, item, report)
    else:
        yield item


def _is_split(entry: Entry) -> bool:
    """`tools: lookup`, a reference with a space behind its colon."""
    name = text(entry.value)
    is_key = entry.key in _KEYS or entry.key in KEYS["tools"]
    return name is not None and name.isidentifier() and not is_key and bool(_WORD.fullmatch(entry.key))


def _joined(entry: Entry, item: Object, report: Report) -> Node:
    written = f"{entry.key}:{text(entry.value)}"
    message = f'"{entry.key}: {text(entry.value)}" is read as a key and its value, not as a function'
    hint = f"write `{written}`, without the space"
    report.error("function-malformed", message, entry.key_span, hint=hint, pointer=item.pointer)
    span = replace(entry.key_span, end_line=entry.value.span.end_line, end_column=entry.value.span.end_column)
    return Scalar(value=written, span=span, pointer=item.pointer)


def _tell_kind(kind: Entry, server: Entry | None, report: Report) -> None:
    word = text(kind.value) or ""
    name = word if word.isidentifier() else "lookup"
    hint = f"a tool is a Python function of yours, `function: tools:{name}`, or a server's, `mcp: NAME`"
    if word.casefold() == "mcp" or server is not None:
        hint = "declare the server under `mcp_servers`, and write `mcp: NAME`"
    _tell_key(kind, hint, report)


def _tell_key(entry: Entry, hint: str, report: Report) -> None:
    message = f'unknown key "{entry.key}" in a tool'
    report.error("unknown-key", message, entry.key_span, hint=hint, pointer=entry.value.pointer)
