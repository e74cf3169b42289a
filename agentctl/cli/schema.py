"""`agentctl schema [NAME]`."""

from __future__ import annotations

from typing import Annotated

import typer

from agentctl.schemafiles import schema_text


def add(app: typer.Typer) -> None:
    app.command("schema")(schema)


def schema(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Which schema, such as team or run.")] = "team",
) -> int:
    """Print the JSON Schema of team files, or of something else that agentctl reads or writes."""
    print(schema_text(name), end="")
    return 0
