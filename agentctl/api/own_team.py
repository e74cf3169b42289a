"""The team of a run as it was resolved when the run began, or when it was last edited."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from agentctl.api.equip import team_secrets
from agentctl.api.literals import with_typed
from agentctl.api.teams import broken, read
from agentctl.diagnostics import Report
from agentctl.engine.revisions import REVISION
from agentctl.journal.header import read_kept_team
from agentctl.journal.header import read_team as team_text
from agentctl.journal.records import Record
from agentctl.journal.scan import scan
from agentctl.jsontypes import JsonObject, as_object, as_text
from agentctl.spec.read import read_team, team_environ
from agentctl.spec.team import Team


def own_team(path: Path, header: JsonObject, report: Report, *, keys: bool = True) -> Team:
    """Its modules come from where the team file stood. Raises TeamError where it cannot be read any more.

    With `keys`, those that were typed into the file are read from there again; else `•••` stands for them.
    """
    edited = _last_edited(path)
    recorded = Path(as_text((edited or header).get("folder")))
    folder = recorded if recorded.is_dir() else Path.cwd()
    text = read_kept_team(path, edited) if edited else team_text(path, header)
    if keys and (edited or header).get("typed") is True:
        text = with_typed(text, *_as_it_is(edited or header, folder), path.name)
    kept = path / (as_text(edited.get("file")) if edited else "team.yaml")
    shown = str(kept.relative_to(Path.cwd())) if kept.is_relative_to(Path.cwd()) else str(kept)
    team = read_team(text, environ=os.environ, report=report, shown=shown, folder=folder)
    if team is None or report.errors:
        raise broken(report, shown)
    return team


def _as_it_is(stood: JsonObject, folder: Path) -> tuple[Team, Mapping[str, str]]:
    """The team that the file of the run holds by now, with the variables that it names as secrets."""
    team = read(folder / Path(as_text(stood.get("path"))).name, Report())
    return team, team_secrets(team, team_environ(folder, os.environ))


def run_inputs(header: JsonObject, records: Iterable[Record]) -> JsonObject:
    """The inputs that the run began with, or went on with when its team was last edited."""
    edited = edits(records)
    return as_object((edited[-1] if edited and "inputs" in edited[-1] else header).get("inputs"))


def edits(records: Iterable[Record]) -> list[JsonObject]:
    """What is on record of the edited teams that a run went on with, in order."""
    return [record.data for record in records if record.ev == REVISION and record.data.get("kind") == "team"]


def _last_edited(path: Path) -> JsonObject | None:
    if next(path.glob("team-*.yaml"), None) is None:
        return None
    found = edits(scan(path).records)
    return found[-1] if found else None
