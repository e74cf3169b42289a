"""Nodes of `tools` into entries: what the file says of each function, server and builtin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Final, Literal

from agentctl.diagnostics import nearest
from agentctl.document.nodes import Node, Object, Scalar
from agentctl.spec.functions import read_function
from agentctl.spec.limits import read_period, read_retry
from agentctl.spec.reading import TeamFile
from agentctl.spec.settings import Approve, BuiltinEntry, McpEntry, Retry, ToolEntry
from agentctl.spec.values import choice, count, flag, getter, items, mapping, member, text, texts

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_OPTIONS: Final = frozenset(field.name for field in fields(ToolEntry)) - {
    "function",
    "stated",
    "span",
    "pointer",
}
_KEYS: Final = ("builtin", "mcp")
_APPROVALS: Final[tuple[Literal["always", "never"], ...]] = ("always", "never")


def read_tools(node: Node | None, file: TeamFile) -> tuple[ToolEntry, ...]:
    return tuple(tool for item in items(node) if (tool := _tool(item, file)) is not None)


def _tool(node: Node, file: TeamFile) -> ToolEntry | None:
    function = read_function(member(node, "function") or node, file)
    if function is None or _is_key_without_space(node, file):
        return None
    get = getter(node)
    bare = ToolEntry(function=function, span=node.span)
    return ToolEntry(
        function=function,
        name=name if (name := text(get("name"))) and _NAME.fullmatch(name) else None,
        description=text(get("description")),
        approve=_approve(get("approve"), file),
        idempotent=flag(get("idempotent"), bare.idempotent),
        timeout=read_period("timeout", get("timeout"), file) or bare.timeout,
        retry=_retry(get("retry"), get("idempotent"), file),
        max_output=count(get("max_output"), bare.max_output),
        args=mapping(get("args")),
        stated=frozenset(_stated(node)),
        span=node.span,
        pointer=node.pointer,
    )


def _is_key_without_space(node: Node, file: TeamFile) -> bool:
    """`- mcp:files`, which is told of: it is read as the name of a function."""
    key, _, value = (text(node) or "").partition(":")
    if key not in _KEYS:
        return False
    message = f'"{key}:{value}" is read as a function of a module "{key}"'
    hint = f"write a space behind the colon: `{key}: {value}`"
    file.error("function-malformed", message, node, hint=hint)
    return True


def read_mcp_tools(node: Node | None, file: TeamFile) -> tuple[McpEntry, ...]:
    return tuple(entry for item in items(node) if (entry := _mcp_entry(item, file)) is not None)


def read_builtins(node: Node | None) -> tuple[BuiltinEntry, ...]:
    return tuple(
        BuiltinEntry(builtin="ask_person", span=item.span, pointer=item.pointer)
        for item in items(node)
        if text(member(item, "builtin")) == "ask_person"
    )


def _mcp_entry(node: Node, file: TeamFile) -> McpEntry | None:
    """None where the file has no such server, which is reported."""
    named = member(node, "mcp")
    name = text(named)
    if named is None or not name:
        return None
    if name not in file.servers:
        near = nearest(name, file.servers)
        declare = f"declare it at the top of the file: `mcp_servers: {{{name}: {{command: …}}}}`"
        hint = f'did you mean "{near}"?' if near else declare
        file.error("unknown-mcp-server", f'no server "{name}" stands in `mcp_servers`', named, hint=hint)
        return None
    get = getter(node)
    everything = next((item for item in items(get("exclude")) if text(item) == "*"), None)
    if everything is not None:
        message = f'`exclude` with "*" leaves no tool of the server "{name}"'
        file.error("wrong-value", message, everything, hint="name what is not wanted, or take the entry out")
    bare = McpEntry(mcp=file.servers[name], span=node.span)
    told = get("approve")
    return McpEntry(
        mcp=file.servers[name],
        include=texts(get("include")),
        exclude=texts(get("exclude")),
        approve=None if told is None else _approve(told, file),
        idempotent=flag(get("idempotent"), False) if get("idempotent") else None,
        timeout=read_period("timeout", get("timeout"), file) or bare.timeout,
        max_output=count(get("max_output"), bare.max_output),
        span=node.span,
        pointer=node.pointer,
    )


def _stated(node: Node) -> Iterator[str]:
    if isinstance(node, Object):
        yield from (entry.key for entry in node.entries if entry.key in _OPTIONS)


def _approve(node: Node | None, file: TeamFile) -> Approve:
    function = read_function(member(node, "when"), file)
    return function or choice(node, _APPROVALS, "never")


def _retry(node: Node | None, told: Node | None, file: TeamFile) -> Retry | None:
    """Only a tool that may be run twice is tried again; a decorator may say that it may."""
    if node is not None and isinstance(told, Scalar) and told.value is False:
        message = "a tool that may not be run twice cannot have `retry`"
        hint = "write `idempotent: true` if a second call does no harm, or take `retry` out"
        file.error("tool-retry", message, node, hint=hint)
        return None
    return read_retry(node)
