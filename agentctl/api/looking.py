"""Runs looked at, from the records alone: nothing of teams, tools or models is needed, nor imported."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agentctl.errors import AgentctlError, RunNotFound, UsageError
from agentctl.journal.finding import bytes_in, find_run, find_runs_dir
from agentctl.journal.finding import list_runs as run_folders
from agentctl.journal.lock import locked_at
from agentctl.journal.reading import read_run, read_whole
from agentctl.journal.scan import Scan
from agentctl.journal.signals import leave_signal, untaken_signals
from agentctl.journal.summary import RunView, Summary
from agentctl.journal.tail import Tail
from agentctl.jsontypes import JsonObject


def open_run(run_id: str | None = None, *, runs_dir: str | Path | None = None) -> RunView:
    """A run as it stands, looked at without touching it; the newest one without an id."""
    return view_of(run_folder(run_id, runs_dir=runs_dir))


def list_runs(*, runs_dir: str | Path | None = None) -> list[RunView]:
    """Every run here that can be read, newest first."""
    folder = find_runs_dir(Path.cwd(), as_path(runs_dir), os.environ)
    views = []
    for path in run_folders(folder):
        try:
            views.append(view_of(path))
        except AgentctlError:
            continue  # `show` of that run says what is wrong with it
    return sorted(views, key=lambda view: view.started, reverse=True)


def run_sizes(views: Sequence[RunView], *, runs_dir: str | Path | None = None) -> dict[str, int]:
    """The bytes that each run's files take, by run id."""
    folder = find_runs_dir(Path.cwd(), as_path(runs_dir), os.environ)
    return {view.run_id: bytes_in(folder / view.run_id) for view in views}


def run_folder(run_id: str | None = None, *, runs_dir: str | Path | None = None) -> Path:
    """The directory of a run, by id or unambiguous prefix; of the newest run without an id."""
    folder = find_runs_dir(Path.cwd(), as_path(runs_dir), os.environ)
    if run_id is not None:
        return find_run(folder, run_id)
    newest = max(run_folders(folder), key=lambda path: path.stat().st_mtime, default=None)
    if newest is None:
        raise RunNotFound(f'there is no run in "{folder}"', hint="start one: agentctl run TEAM QUESTION")
    return newest


def runs_folder(*, runs_dir: str | Path | None = None) -> Path:
    """Where the runs are kept that these functions find."""
    return find_runs_dir(Path.cwd(), as_path(runs_dir), os.environ)


def recorded_events(run_id: str | None = None, *, runs_dir: str | Path | None = None) -> Iterator[JsonObject]:
    """The records of a run as `--events` prints them, read when the first is asked for; of the newest run
    without an id."""
    return _events(run_folder(run_id, runs_dir=runs_dir))


def _events(path: Path) -> Iterator[JsonObject]:
    for record in read_run(path)[1]:
        yield record.as_json()


def follow(run_id: str | None = None, *, runs_dir: str | Path | None = None) -> Tail:
    """Gives the records of a run as they come; of the newest run without an id."""
    return Tail(run_folder(run_id, runs_dir=runs_dir))


def cancel(run_id: str, *, runs_dir: str | Path | None = None) -> None:
    """Asks the process that works on the run to stop it; the run can be resumed."""
    path = run_folder(run_id, runs_dir=runs_dir)
    if view_of(path).status != "running":
        raise UsageError(
            f'run "{path.name}" is not going on', hint=f"see how it stands: agentctl show {path.name}"
        )
    leave_signal(path, "cancel", "", True)


def view_of(path: Path) -> RunView:
    """The run in that directory, which is also its id."""
    return look(path).view


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What one look at a run directory found: its journal, and what that tells.

    `begun`: a process works on the run that has said so on record, and not only locked it.
    """

    header: JsonObject
    journal: Scan
    summary: Summary
    view: RunView
    begun: bool


def look(path: Path) -> Look:
    """As `view_of`, with what it takes to go on from there without reading it all again."""
    header, found, live = read_whole(path)
    summary = Summary({**header, "run_id": path.name})
    summary.take_all(found.records)
    given = {
        signal.step: signal.value
        for signal in untaken_signals(path, found.records)
        if signal.kind == "answer"
    }
    view = replace(summary.view(live=live), given=given)
    begun = view.status == "running" and summary.begun > locked_at(path)
    return Look(header=header, journal=found, summary=summary, view=view, begun=begun)


def as_path(path: str | Path | None) -> Path | None:
    return None if path is None else Path(path)
