"""Nodes of `mcp_servers` into `McpServer`s, and what is said about those that no agent uses."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from agentctl.document.nodes import Node, Object, plain
from agentctl.jsontypes import as_object, canonical
from agentctl.spec.reading import Reading, TeamFile
from agentctl.spec.settings import START_TIMEOUT, McpServer
from agentctl.spec.team import Team
from agentctl.spec.values import duration, getter, text, texts


def read_servers(node: Node | None, file: TeamFile) -> Mapping[str, McpServer]:
    """The servers of one file by the names it gives them; variables in `env` and `headers` stay as written.

    Each is called so that no other of the team is, whichever file it stands in.
    """
    found: dict[str, McpServer] = {}
    every = file.reading.servers
    for entry in node.entries if isinstance(node, Object) else ():
        server = next((known for known in every if known.span == entry.value.span), None)
        if server is None:
            server = _server(_unique(entry.key, [known.name for known in every]), entry.value, file)
            every.append(server)
        found[entry.key] = server
    return found


def _unique(name: str, taken: Collection[str]) -> str:
    found, nth = name, 2
    while found in taken:
        found, nth = f"{name}_{nth}", nth + 1
    return found


def check_servers(reading: Reading, team: Team) -> None:
    """A declared server that no agent's `tools` name is never started."""
    used = [entry.mcp.span for agent in team.agents() for entry in agent.mcp_tools]
    told = any(found.code == "unknown-mcp-server" for found in reading.report.found)
    for server in reading.servers:
        if server.span not in used and not told:
            message = f'no agent uses the server "{server.name}"'
            hint = f"name it under an agent's `tools`: `- mcp: {server.name}`, or take it out"
            span = team.place(server.span, server.pointer, key=True)
            reading.report.warning("unused-mcp-server", message, span, hint=hint, pointer=server.pointer)


def _server(name: str, node: Node, file: TeamFile) -> McpServer:
    get = getter(node)
    return McpServer(
        name=name,
        command=text(get("command")) or "",
        args=texts(get("args")),
        env=_words(get("env")),
        cwd=Path(os.path.normpath(file.folder / (text(get("cwd")) or "."))),
        url=text(get("url")) or "",
        headers=_words(get("headers")),
        start_timeout=START_TIMEOUT if (seconds := duration(get("start_timeout"))) is None else seconds,
        span=node.span,
        pointer=node.pointer,
    )


def _words(node: Node | None) -> dict[str, str]:
    """A mapping's values as text, as a file writes `PORT: 8080`; what has no value is left out."""
    found = as_object(plain(node)) if isinstance(node, Object) else {}
    return {
        key: value if isinstance(value, str) else canonical(value)
        for key, value in found.items()
        if value is not None
    }
