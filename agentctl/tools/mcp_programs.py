"""The program of an MCP server, looked for as the library will look for it when it starts the server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from agentctl.document.variables import expand
from agentctl.spec.settings import McpServer

_BROUGHT_BY: Final = {
    "npx": "install Node.js, which brings npx along",
    "node": "install Node.js",
    "uvx": "pip install uv",
    "uv": "pip install uv",
    "docker": "install Docker",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramProblem:
    """`at` is the key of the server that is to blame."""

    message: str
    hint: str
    at: Literal["command", "cwd"] = "command"


def find_program(server: McpServer, environ: Mapping[str, str]) -> str | ProgramProblem:
    """Where the program is, or why it cannot be started. Only of a server with a `command`."""
    if not server.cwd.is_dir():
        message = f'the server "{server.name}" is to run in the folder "{server.cwd}", which is not there'
        return ProgramProblem(message=message, hint="make the folder, or name another with `cwd`", at="cwd")
    wanted = f'the server "{server.name}" needs the program "{server.command}"'
    if Path(server.command).name == server.command:
        found = shutil.which(server.command, path=_search_path(server, environ))
        hint = _BROUGHT_BY.get(server.command, "install it, or write the whole path of the program")
        return found or ProgramProblem(message=f"{wanted}, which is not on the PATH", hint=hint)
    place = server.cwd / server.command  # a relative path goes from the folder that it runs in
    if shutil.which(place) is not None:
        return str(place)
    if place.is_file():
        hint = f'make it executable: chmod +x "{place}"'
        return ProgramProblem(message=f"{wanted}, which may not be executed", hint=hint)
    return ProgramProblem(message=f"{wanted}, which is not there", hint=f'it is looked for at "{place}"')


def program_problem(server: McpServer, environ: Mapping[str, str]) -> ProgramProblem | None:
    """None where the program is there, or where the server is an address."""
    found = find_program(server, environ) if server.command else None
    return found if isinstance(found, ProgramProblem) else None


def _search_path(server: McpServer, environ: Mapping[str, str]) -> str | None:
    """The server's own PATH, else that of this process; None stands for the system's."""
    stated = server.env.get("PATH")
    return os.environ.get("PATH") if stated is None else expand(stated, environ)[0]
