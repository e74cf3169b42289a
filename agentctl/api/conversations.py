"""Conversations: runs that each follow the one before, whose headers keep what was said."""

from __future__ import annotations

from pathlib import Path

from agentctl.api.looking import list_runs, run_folder
from agentctl.errors import RunNotFound
from agentctl.journal.header import read_header
from agentctl.journal.summary import RunView
from agentctl.jsontypes import as_list, as_object, as_text


def newest_of(team: str, *, runs_dir: str | Path | None = None) -> RunView:
    """The newest run of the team of that name. Raises RunNotFound where there is none."""
    found = next((view for view in list_runs(runs_dir=runs_dir) if view.team == team), None)
    if found is None:
        raise RunNotFound(f"there is no run of the team '{team}'", hint="list the runs with: agentctl runs")
    return found


def questions_up_to(run_id: str, *, runs_dir: str | Path | None = None) -> list[str]:
    """What the person asked in the runs that this one follows, and in it, the oldest first."""
    header = read_header(run_folder(run_id, runs_dir=runs_dir))
    earlier = [as_object(said) for said in as_list(header.get("earlier"))]
    asked = [as_text(said.get("text")) for said in earlier if not as_text(said.get("agent"))]
    return [*asked, as_text(header.get("request"))]
