"""The table of commands: their one-line help, and the module that is imported only when one is to run."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Final

import typer

HELP: Final[Mapping[str, str]] = {
    "run": "Run a team on a question.",
    "chat": "Talk with a team over several turns.",
    "validate": "Find every problem of team files at once.",
    "resume": "Continue a run that stopped, failed or waits.",
    "runs": "List runs; remove them with `runs rm` and `runs prune`.",
    "show": "Show what happened in a run.",
    "graph": "Draw a team.",
    "test": "Run the tests of teams.",
    "tools": "List every agent's tools.",
    "schema": "Print a JSON Schema.",
    "cancel": "Stop a run that is going on.",
    "init": "Write a new team to start from.",
    "doctor": "Tell what is missing to run, and how to mend it.",
}
"""`agentctl.cli.<name>` holds `add(app)`, which adds the command of that name."""

ELSEWHERE: Final[Mapping[str, str]] = {
    "check": "validate",
    "create": "init",
    "history": "runs",
    "lint": "validate",
    "list": "runs",
    "logs": "show",
    "ls": "runs",
    "new": "init",
    "ps": "runs",
    "retry": "resume",
    "rm": "runs rm",
    "start": "run",
    "status": "show",
    "stop": "cancel",
    "version": "--version",
}
"""What other programs call such a command, and what it is here."""


def add_commands(app: typer.Typer, arguments: Sequence[str]) -> None:
    """Adds the command that `arguments` name, and of the others only name and help."""
    wanted = command_of(arguments)
    for name, text in HELP.items():
        if name == wanted:
            importlib.import_module(f"agentctl.cli.{name}").add(app)
        else:
            app.command(name, help=text)(_not_wanted)


def command_of(arguments: Sequence[str]) -> str | None:
    """The first argument that is no option."""
    return next((argument for argument in arguments if not argument.startswith("-")), None)


def _not_wanted() -> None:
    """Stands for a command that is listed only."""
