"""`agentctl graph TEAM`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from agentctl.api.team import load_team
from agentctl.cli.options import TeamPath
from agentctl.errors import UsageError
from agentctl.render.graph_dot import graph_dot
from agentctl.render.graph_mermaid import graph_mermaid
from agentctl.render.graph_tree import graph_tree
from agentctl.render.terminal import print_lines, width_of


def add(app: typer.Typer) -> None:
    app.command("graph")(graph)


def graph(
    team: TeamPath,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="Print a Mermaid flowchart.")] = False,
    dot: Annotated[bool, typer.Option("--dot", help="Print a graph for Graphviz: `… | dot -Tsvg`.")] = False,
) -> int:
    """Draw a team: its agents, their strategies, models and tools."""
    if mermaid and dot:
        raise UsageError("--mermaid and --dot exclude each other", hint="give one of the two")
    loaded = load_team(team).spec
    if mermaid:
        print(graph_mermaid(loaded), end="")
    elif dot:
        print(graph_dot(loaded), end="")
    else:
        print_lines(graph_tree(loaded, width=width_of(sys.stdout)), sys.stdout)
    return 0
