"""What an agent's `tools` name beside functions: builtins as tools, servers as sets of tools to be listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentctl.spec.settings import McpServer
from agentctl.spec.team import Agent, Team
from agentctl.tools.asking import ask_person_tool
from agentctl.tools.mcp_servers import McpServers
from agentctl.tools.mcp_toolset import McpToolset
from agentctl.tools.mcp_variables import secret_variables
from agentctl.tools.tool import Tool, Toolset


def builtin_tools(agent: Agent, team: Team) -> tuple[Tool, ...]:
    return tuple(ask_person_tool(team.folder) for _ in agent.builtins)


def toolsets(team: Team, servers: McpServers) -> Mapping[str, tuple[Toolset, ...]]:
    """By agent, in the order of the file; nothing is started by that."""
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
    return {
        name: environ[name]
        for server in used_servers(team)
        for name in secret_variables(server, environ)
        if environ.get(name)
    }
