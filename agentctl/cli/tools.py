"""`agentctl tools TEAM`."""

from __future__ import annotations

import asyncio

import typer

from agentctl.cli.options import AsJson, TeamPath
from agentctl.cli.streams import stdout_for_answers


def add(app: typer.Typer) -> None:
    app.command("tools")(tools)


def tools(team: TeamPath, as_json: AsJson = False) -> int:
    """List every agent's tools: name, where from, parameters, whether a person must agree.

    Starts the servers that the team names, to ask them.
    """
    from agentctl.api.tool_list import list_tools
    from agentctl.render.events_json import json_text
    from agentctl.render.terminal import print_lines
    from agentctl.render.tool_list import tool_list

    with stdout_for_answers() as answers:
        found = asyncio.run(list_tools(team))
        if as_json:
            print(json_text({"agents": found}, indent=2), file=answers)
        else:
            print_lines(tool_list(found), answers)
    return 1 if any(agent["problems"] for agent in found) else 0
