"""What an agent's `tools` name beside functions: builtins as tools, servers as sets of tools to be listed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # an interrupt needs this module, and waits for no more than it needs
    from agentctl.spec.settings import McpServer
    from agentctl.spec.team import Agent, Team
    from agentctl.tools.mcp_servers import McpServers
    from agentctl.tools.tool import Tool, Toolset


def builtin_tools(agent: Agent, team: Team) -> tuple[Tool, ...]:
    if not agent.builtins:
        return ()
    from agentctl.tools.asking import ask_person_tool

    return tuple(ask_person_tool(team.folder) for _ in agent.builtins)


def toolsets(team: Team, servers: McpServers | None) -> Mapping[str, tuple[Toolset, ...]]:
    """By agent, in the order of the file; nothing is started by that. None where the team uses no server."""
    if servers is None:
        return {}
    from agentctl.tools.mcp_toolset import McpToolset

    return {
        agent.name: tuple(McpToolset(entry=entry, server=servers.get(entry.mcp)) for entry in agent.mcp_tools)
        for agent in team.agents()
        if agent.mcp_tools
    }


def used_servers(team: Team) -> Iterator[McpServer]:
    for agent in team.agents():
        yield from (entry.mcp for entry in agent.mcp_tools)


def server_secrets(team: Team, environ: Mapping[str, str]) -> Mapping[str, str]:
    """The variables that servers are given as secrets, with their values."""
    servers = list(used_servers(team))
    if not servers:
        return {}
    from agentctl.tools.mcp_variables import secret_variables

    return {
        name: environ[name]
        for server in servers
        for name in secret_variables(server, environ)
        if environ.get(name)
    }


def end_servers() -> None:
    """Ends every server that this process has started, without waiting for any: the process ends."""
    processes = sys.modules.get("agentctl.tools.mcp_processes")
    if processes is not None:
        processes.end_programs()


def open_servers(team: Team, environ: Mapping[str, str], shown: Callable[[str], str]) -> McpServers | None:
    """The servers that the team uses, none of them started yet; `shown` makes their words fit to be seen."""
    if not any(agent.mcp_tools for agent in team.agents()):
        return None
    from agentctl.tools.mcp_servers import McpServers

    return McpServers(environ, shown)
