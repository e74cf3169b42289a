"""The team file that a path on the command line means."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from agentctl.errors import UsageError
from agentctl.spec.paths import near_name

TEAM_FILE: Final = "team.yaml"


def find_team(path: Path) -> Path:
    """The file itself, or `team.yaml` in the folder. Raises `UsageError` where there is neither."""
    try:
        if path.is_dir():
            return _in_folder(path)
        if path.exists():
            return path
    except (OSError, ValueError) as error:
        raise UsageError(f'"{path}" cannot be read: {error}', hint="give the path of a team file") from error
    near = near_name(path)
    hint = f'did you mean "{path.with_name(near)}"?' if near else "give a team file, or a folder that has one"
    raise UsageError(f'there is no team file "{path}"', hint=hint)


def _in_folder(folder: Path) -> Path:
    if (folder / TEAM_FILE).is_file():
        return folder / TEAM_FILE
    others = sorted(entry.name for entry in folder.iterdir() if entry.suffix in (".yaml", ".yml"))
    hint = f"name the file: {', '.join(str(folder / name) for name in others[:5])}" if others else None
    message = f'the folder "{folder}" has no {TEAM_FILE}'
    raise UsageError(message, hint=hint or "give a team file, or a folder that has one")
