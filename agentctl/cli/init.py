"""`agentctl init [DIR]`."""

from __future__ import annotations

import shlex
import sys
from typing import Annotated

import typer

from agentctl.api.starters import Starter, start_team
from agentctl.cli.options import AsJson, Quiet


def add(app: typer.Typer) -> None:
    app.command("init")(init)


def init(
    folder: Annotated[
        str, typer.Argument(metavar="DIR", help="Where to write it; made where it is not there.")
    ] = ".",
    strategy: Annotated[
        str, typer.Option("--strategy", "-s", metavar="NAME", help="How the team works together.")
    ] = "handoff",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> int:
    """Write a new team to start from: a team file with tests, and its tools in Python.

    It runs and is tested offline, without a key. Nothing that is there already is overwritten.
    """
    starter = start_team(folder, strategy)
    commands = _commands(starter)
    if as_json:
        from agentctl.render.events_json import json_text

        print(json_text({"files": [str(path) for path in starter.files], "commands": [*commands]}, indent=2))
    elif not quiet:
        _tell(starter, commands)
    return 0


def _commands(starter: Starter) -> list[str]:
    """What to do next, ready to paste."""
    team = shlex.quote(str(starter.folder))
    others = (f"agentctl {name} {team}" for name in ("chat", "test", "graph", "doctor"))
    return [f"agentctl run {team} {_quoted(starter.question)}", *others]


def _quoted(text: str) -> str:
    """As a person would: in double quotes, where a shell reads nothing into them."""
    return shlex.quote(text) if set(text) & set('"$`\\!') else f'"{text}"'


def _tell(starter: Starter, commands: list[str]) -> None:
    for path in starter.files:
        print(f"wrote {path}", file=sys.stderr)
    print("try it, without a key:", file=sys.stderr)
    for command in commands:
        print(f"  {command}", file=sys.stderr)
    print(
        "with a language model: set AGENTCTL_MODEL, such as openai/gpt-4o-mini, and its key", file=sys.stderr
    )
