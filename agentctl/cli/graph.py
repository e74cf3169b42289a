"""`agentctl graph TEAM`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from agentctl.api.teams import load_team
from agentctl.cli.options import TeamPath
from agentctl.render.graph_mermaid import graph_mermaid
from agentctl.render.graph_tree import graph_tree
from agentctl.render.terminal import print_lines, width_of


def add(app: typer.Typer) -> None:
    app.command("graph")(graph)


def graph(
    team: TeamPath,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="Print a Mermaid flowchart.")] = False,
) -> int:
    """Draw a team: its agents, their strategies, models and tools."""
    loaded = load_team(team)
    if mermaid:
        print(graph_mermaid(loaded), end="")
    else:
        print_lines(graph_tree(loaded, width=width_of(sys.stdout)), sys.stdout)
    return 0
