"""`agentctl show RUN`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from agentctl.api.looking import open_run
from agentctl.cli.options import AsJson, Last, RunId, RunsDir, which_run
from agentctl.diagnostics import nearest
from agentctl.errors import UsageError
from agentctl.journal.summary import ExecutionView, RunView, run_json
from agentctl.render.events_json import json_text
from agentctl.render.show_execution import show_execution
from agentctl.render.show_run import show_run
from agentctl.render.terminal import print_lines, width_of


def add(app: typer.Typer) -> None:
    app.command("show")(show)


def show(
    run: RunId = None,
    last: Last = False,
    execution: Annotated[
        str | None,
        typer.Option("--execution", metavar="ID", help="One execution in full, by its id or its agent."),
    ] = None,
    runs_dir: RunsDir = None,
    as_json: AsJson = False,
) -> int:
    """Show what happened in a run: who was chosen from whom and why, each model turn and tool call."""
    view = open_run(which_run(run, last=last), runs_dir=runs_dir)
    if as_json:
        print(json_text(run_json(view)))
    elif execution is not None:
        print_lines(show_execution(view, _find(view, execution)), sys.stdout)
    else:
        print_lines(show_run(view, width=width_of(sys.stdout), runs_dir=runs_dir), sys.stdout)
    return 0


def _find(view: RunView, wanted: str) -> ExecutionView:
    """By id, else the newest of that agent."""
    for found in reversed(view.executions):
        if wanted == found.id:
            return found
    for found in reversed(view.executions):
        if wanted == found.agent:
            return found
    near = nearest(wanted, [name for one in view.executions for name in (one.id, one.agent)])
    hint = f"did you mean '{near}'?" if near else f"see: agentctl show {view.run_id}"
    raise UsageError(f"run '{view.run_id}' has no execution '{wanted}'", hint=hint)
