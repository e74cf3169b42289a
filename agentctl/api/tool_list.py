"""Every tool of a team as its agents' models would be offered it: what `agentctl tools` prints."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from agentctl.api.literals import typed_secrets
from agentctl.api.teams import broken, check, read
from agentctl.api.toolsets import builtin_tools, server_secrets, toolsets
from agentctl.checks import load_tools
from agentctl.checks.checked import place_of
from agentctl.diagnostics import Report
from agentctl.engine.crew import Crew
from agentctl.errors import ExecutionFailed
from agentctl.journal.redact import Redactor
from agentctl.jsontypes import Json, JsonObject
from agentctl.spec.read import team_environ
from agentctl.spec.settings import FunctionRef
from agentctl.spec.team import Team
from agentctl.tools.importing import Importer
from agentctl.tools.mcp_servers import McpServers
from agentctl.tools.tool import Tool


async def list_tools(path: str | Path, *, environ: Mapping[str, str] | None = None) -> list[JsonObject]:
    """`[{agent, tools: [{name, source, description, parameters, idempotent, approve}], problems: [text]}]`.

    Starts the servers that the team names, and ends them. What keeps a server from telling its tools is
    among `problems` of each agent that names it. Raises TeamError for what `validate` has errors about
    (models aside), UsageError where there is no such team.
    """
    report, known = Report(), os.environ if environ is None else environ
    team = read(path, report, environ=environ)
    here = team_environ(team.folder, known)
    importer = Importer([team.folder])
    secrets = {*server_secrets(team, here).values(), *typed_secrets(team)}
    servers = McpServers(here, Redactor(secrets).text)
    try:
        crew = _crew(team, report, importer, servers)
        return [await _agent(agent.name, crew) for agent in team.agents()]
    finally:
        await servers.close()
        importer.close()


def _crew(team: Team, report: Report, importer: Importer, servers: McpServers) -> Crew:
    check(team, report)
    errors = [found for found in report if found.severity == "error" and not found.code.startswith("model-")]
    if errors:
        raise broken(report, team.path)
    toolboxes = load_tools(team, importer)
    tools = {
        agent.name: (*toolboxes.tools[place_of(agent)], *builtin_tools(agent, team))
        for agent in team.agents()
    }
    return Crew(team=team, tools=tools, toolsets=toolsets(team, servers))


async def _agent(name: str, crew: Crew) -> JsonObject:
    problems: list[Json] = []
    listing: list[Json] = []
    for toolset in crew.toolsets.get(name, ()):
        try:
            listing.append(await toolset.listing())
        except ExecutionFailed as failed:
            problems.append(f"{failed.message}; {failed.hint}" if failed.hint else failed.message)
            listing.append([])
    crew.take(name, listing)
    return {"agent": name, "tools": [_tool(tool) for tool in crew.own(name)], "problems": problems}


def _tool(tool: Tool) -> JsonObject:
    when = tool.approve
    approve: Json = {"when": when.target} if isinstance(when, FunctionRef) else "always" if when else "never"
    return {
        "name": tool.name,
        "source": tool.source,
        "description": tool.description,
        "parameters": tool.parameters,
        "idempotent": tool.idempotent,
        "approve": approve,
    }
