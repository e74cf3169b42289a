"""The team of a run as it was resolved when the run began, or when it was last edited."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from agentctl.api.teams import broken
from agentctl.diagnostics import Report
from agentctl.engine.revisions import REVISION
from agentctl.journal.header import read_kept_team
from agentctl.journal.header import read_team as team_text
from agentctl.journal.records import Record
from agentctl.journal.scan import scan
from agentctl.jsontypes import JsonObject, as_text
from agentctl.spec.read import read_team
from agentctl.spec.team import Team


def own_team(path: Path, header: JsonObject, report: Report) -> Team:
    """Its modules come from where the team file stood. Raises TeamError where it cannot be read any more."""
    edited = _last_edited(path)
    recorded = Path(as_text((edited or header).get("folder")))
    folder = recorded if recorded.is_dir() else Path.cwd()
    text = read_kept_team(path, edited) if edited else team_text(path, header)
    kept = path / (as_text(edited.get("file")) if edited else "team.yaml")
    shown = str(kept.relative_to(Path.cwd())) if kept.is_relative_to(Path.cwd()) else str(kept)
    team = read_team(text, environ=os.environ, report=report, shown=shown, folder=folder)
    if team is None or report.errors:
        raise broken(report, shown)
    return team


def edits(records: Iterable[Record]) -> list[JsonObject]:
    """What is on record of the edited teams that a run went on with, in order."""
    return [record.data for record in records if record.ev == REVISION and record.data.get("kind") == "team"]


def _last_edited(path: Path) -> JsonObject | None:
    if next(path.glob("team-*.yaml"), None) is None:
        return None
    found = edits(scan(path).records)
    return found[-1] if found else None
