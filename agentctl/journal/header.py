"""`run.json` and `team.yaml` of a run directory: written once, read with a check that they are unchanged."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

from agentctl.errors import JournalError
from agentctl.journal.disk import Disk, save, sync_folder
from agentctl.journal.records import FORMAT
from agentctl.jsontypes import Json, JsonObject, as_text, digest

_HINT: Final = "restore the file from a copy of the run"


def write_header(disk: Disk, folder: Path, header: JsonObject, team_yaml: str) -> None:
    """Adds `format`, the hash of the team file, and the header's own `check`. Raises OSError."""
    team = team_yaml.encode("utf-8")
    body: dict[str, Json] = {**header, "format": FORMAT, "team_yaml": hashlib.sha256(team).hexdigest()}
    whole = {**body, "check": digest(body)}
    save(disk, folder / "team.yaml", team)
    save(disk, folder / "run.json", json.dumps(whole, indent=2).encode("ascii") + b"\n")


def read_header(folder: Path) -> JsonObject:
    """The header of a run. Raises `JournalError` where it is missing, damaged or of a newer format."""
    path = folder / "run.json"
    try:
        found = json.loads(_read(path))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise JournalError(f'"{path}" is damaged: it is not a JSON object', hint=_HINT)
    version = found.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise JournalError(
            f'the run "{folder.name}" has format {version}; this agentctl reads up to format {FORMAT}',
            hint="continue it with the newer agentctl that began it",
        )
    check = found.pop("check", None)
    if check != digest(found):
        raise JournalError(f'"{path}" is damaged: it no longer is what was written', hint=_HINT)
    return found


def read_team(folder: Path, header: JsonObject) -> str:
    """The text of the run's own team file. Raises `JournalError` where it is missing or was changed."""
    path = folder / "team.yaml"
    data = _read(path)
    if hashlib.sha256(data).hexdigest() != header.get("team_yaml"):
        raise JournalError(
            f'"{path}" is not what this run began with',
            hint="restore it; to go on with an edited team, leave it and use: "
            f"agentctl resume {folder.name} --with TEAM",
        )
    return data.decode("utf-8")


def keep_team(disk: Disk, folder: Path, number: int, team_yaml: str) -> JsonObject:
    """Keeps the `number`-th edited team of a run; gives `{file, sha256}`. Raises OSError."""
    data = team_yaml.encode("utf-8")
    name = f"team-{number + 1}.yaml"
    save(disk, folder / name, data)
    sync_folder(disk, folder)
    return {"file": name, "sha256": hashlib.sha256(data).hexdigest()}


def read_kept_team(folder: Path, kept: JsonObject) -> str:
    """The text of an edited team, from `{file, sha256}`. Raises `JournalError` as `read_team` does."""
    path = folder / as_text(kept.get("file"))
    data = _read(path)
    if hashlib.sha256(data).hexdigest() != kept.get("sha256"):
        raise JournalError(f'"{path}" is not what this run goes on with', hint=_HINT)
    return data.decode("utf-8")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise JournalError(
            f'"{path}" cannot be read: {error.strerror}', hint="is this a whole run directory?"
        ) from error
