"""`agentctl runs`, `agentctl runs rm` and `agentctl runs prune`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, get_args

import typer

from agentctl.api.looking import list_runs, run_folder, run_sizes, runs_folder
from agentctl.cli.options import AsJson, Quiet, RunsDir, read_time
from agentctl.cli.removal import remove_run, sweep
from agentctl.diagnostics import nearest
from agentctl.errors import RunInUse, UsageError
from agentctl.journal.summary import RunView, Status
from agentctl.render.amounts import plural
from agentctl.render.events_json import json_text
from agentctl.render.runs_table import runs_json, runs_lines, runs_table
from agentctl.render.terminal import console, print_lines
from agentctl.render.variants_table import variants_json, variants_lines, variants_table

_app = typer.Typer(rich_markup_mode=None, add_completion=False)


def add(app: typer.Typer) -> None:
    app.add_typer(_app, name="runs")


@_app.callback(invoke_without_command=True)
def runs(
    context: typer.Context,
    status: Annotated[
        str | None, typer.Option("--status", metavar="STATUS", help="Only those that ended so.")
    ] = None,
    team: Annotated[str | None, typer.Option("--team", metavar="NAME", help="Only those of a team.")] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="TIME", help="Only those begun in the last 2h, 7d, ….")
    ] = None,
    by_variant: Annotated[
        bool, typer.Option("--by-variant", help="Compare what `random` drew: cost, time, how it ended.")
    ] = False,
    runs_dir: RunsDir = None,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print ids only.")] = False,
) -> int:
    """List the runs here, newest first; `runs rm` and `runs prune` remove them."""
    if context.invoked_subcommand is not None:
        return 0
    there = list_runs(runs_dir=runs_dir)
    views = list(_chosen(there, status, team, since))
    if by_variant:
        _print_variants(views, as_json=as_json)
    elif as_json:
        print(json_text(runs_json(views, run_sizes(views, runs_dir=runs_dir))))
    elif quiet:
        for view in views:
            print(view.run_id)
    elif there and not views:
        _say(_none_of_them(there, team), quiet=False)
    else:
        _print_table(views, run_sizes(views, runs_dir=runs_dir))
    return 0


@_app.command("rm")
def remove(
    which: Annotated[list[str], typer.Argument(metavar="RUN...", help="Ids, or beginnings of them.")],
    runs_dir: RunsDir = None,
    quiet: Quiet = False,
) -> int:
    """Remove runs with all that is recorded of them; never one that is going on."""
    folders = [run_folder(run, runs_dir=runs_dir) for run in which]
    for folder in dict.fromkeys(folders):
        remove_run(folder)
        _say(f"removed run '{folder.name}'", quiet)
    return 0


@_app.command("prune")
def prune(
    older_than: Annotated[
        str, typer.Option("--older-than", metavar="TIME", help="Remove what ended longer ago, such as 30d.")
    ],
    runs_dir: RunsDir = None,
    quiet: Quiet = False,
) -> int:
    """Remove runs that ended long ago; those that wait or go on stay."""
    age = read_time(older_than, "--older-than")
    before = time.time() - age
    removed = 0
    for view in list_runs(runs_dir=runs_dir):
        if view.status in ("running", "waiting") or view.ended is None or view.ended > before:
            continue
        try:
            remove_run(run_folder(view.run_id, runs_dir=runs_dir))
        except RunInUse:
            continue
        removed += 1
    _say(f"removed {plural(removed, 'run')}", quiet)
    left = sweep(runs_folder(runs_dir=runs_dir), age)
    if left:
        _say(f"removed {left} that a killed process had left half made or half removed", quiet)
    return 0


def _chosen(
    views: Iterable[RunView], status: str | None, team: str | None, since: str | None
) -> Iterable[RunView]:
    known = get_args(Status)
    if status is not None and status not in known:
        near = nearest(status, known)
        hint = f"did you mean '{near}'?" if near else f"it is one of {', '.join(known)}"
        raise UsageError(f"there is no status '{status}'", hint=hint)
    after = time.time() - read_time(since, "--since") if since is not None else 0.0
    for view in views:
        if status in (None, view.status) and team in (None, view.team) and view.started >= after:
            yield view


def _none_of_them(there: Sequence[RunView], team: str | None) -> str:
    """Why none of the runs is listed."""
    teams = {view.team for view in there}
    if team is None or team in teams:
        return f"none of the {plural(len(there), 'run')} here is one of those"
    near = nearest(team, teams)
    return f"no run here is of a team '{team}'" + (f": did you mean '{near}'?" if near else "")


def _print_variants(views: list[RunView], *, as_json: bool) -> None:
    if as_json:
        print(json_text(variants_json(views)))
        return
    lines = variants_table(views) if sys.stdout.isatty() else variants_lines(views)
    for line in lines:
        print(line)
    if not lines:
        _say("nothing was drawn in these runs", quiet=False)


def _print_table(views: list[RunView], sizes: Mapping[str, int]) -> None:
    target = console(sys.stdout)
    if not views:
        _say("no runs here", quiet=False)
    elif target.is_terminal:
        print_lines(runs_table(views, sizes, width=target.width), sys.stdout)
    else:
        for line in runs_lines(views, sizes):
            print(line)


def _say(text: str, quiet: bool) -> None:
    if not quiet:
        print(text, file=sys.stderr)
