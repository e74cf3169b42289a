"""`agentctl cancel RUN`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from agentctl.api.looking import cancel as cancel_run
from agentctl.cli.options import Quiet, RunsDir


def add(app: typer.Typer) -> None:
    app.command("cancel")(cancel)


def cancel(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run's id, or a beginning of it.")],
    runs_dir: RunsDir = None,
    quiet: Quiet = False,
) -> int:
    """Stop a run that another process works on; it can be resumed."""
    cancel_run(run, runs_dir=runs_dir)
    if not quiet:
        print(f"run '{run}' was asked to stop", file=sys.stderr)
    return 0
