"""The commands of agentctl as typer knows them → the page that lists every command and option.

It says what `--help` says: the same words, read from the same place.
"""

from __future__ import annotations

from collections.abc import Iterator

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from agentctl.cli.commands import HELP, add_commands


def command_tables() -> str:
    """A heading, the usage and a table for each command and subcommand."""
    return "\n".join(part for name in HELP for part in _sections(name))


def _sections(name: str) -> Iterator[str]:
    app = typer.Typer(add_completion=False)
    app.callback()(_agentctl)
    add_commands(app, [name])
    root = get_command(app)
    assert isinstance(root, TyperGroup)
    yield from _section(root.commands[name], _context(root, "agentctl", None), name)


def _agentctl() -> None:
    """Stands above the commands, so that each keeps its name."""


def _section(command: object, above: typer.Context, name: str) -> Iterator[str]:
    assert isinstance(command, TyperCommand | TyperGroup)
    context = _context(command, name, above)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    rows = [record for each in command.get_params(context) if (record := each.get_help_record(context))]
    yield "\n".join(
        [
            f"## {context.command_path}",
            "",
            _paragraphs(command.help or ""),
            "",
            "```text",
            usage,
            "```",
            "",
            "| argument or option | meaning |",
            "|---|---|",
            *(f"| `{_cell(written)}` | {_cell(meaning)} |" for written, meaning in rows),
            "",
        ]
    )
    inside = command.commands if isinstance(command, TyperGroup) else {}
    for inner_name, inner in inside.items():
        yield from _section(inner, context, inner_name)


def _context(command: TyperCommand | TyperGroup, name: str, above: typer.Context | None) -> typer.Context:
    return typer.Context(command, info_name=name, parent=above, help_option_names=["-h", "--help"])


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
