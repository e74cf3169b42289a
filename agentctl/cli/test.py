"""`agentctl test TEAM…`."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Annotated

import typer

from agentctl.api.targets import check_target
from agentctl.cli.failures import INTERRUPTED
from agentctl.cli.interrupts import OWN_THREADS
from agentctl.cli.options import AsJson
from agentctl.cli.streams import abandon_streams, stdout_for_answers
from agentctl.cli.team_files import test_targets
from agentctl.errors import UsageError


def add(app: typer.Typer) -> None:
    app.command("test")(run_tests)


def run_tests(
    teams: Annotated[
        list[str],
        typer.Argument(metavar="TEAM...", help="Team files, *.test.yaml files, or folders to search."),
    ],
    expression: Annotated[
        str,
        typer.Option("-k", metavar="WORDS", help='Only tests so named or tagged: "billing and not slow".'),
    ] = "",
    parallel: Annotated[
        int, typer.Option("--parallel", "-j", metavar="N", min=1, help="How many tests run at once.")
    ] = 4,
    junit: Annotated[
        str | None, typer.Option("--junit", metavar="FILE", help="Write the results as JUnit XML too.")
    ] = None,
    live: Annotated[
        bool,
        typer.Option(
            "--live", help="Ask the team's own models in place of offline; scripts and recordings stay."
        ),
    ] = False,
    as_json: AsJson = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print only what failed, and the summary.")
    ] = False,
) -> int:
    """Run the tests of teams, offline and the same every time; exit 1 when one fails."""
    if junit is not None:
        check_target(junit, "the JUnit file", teams=teams)
    from agentctl.cli.test_progress import Progress
    from agentctl.testing.choose import chosen
    from agentctl.testing.collect import collect
    from agentctl.testing.runner import run_all

    items = collect(test_targets(teams), live=live)
    if not items:
        hint = "write `tests:` in the team file, or a *.test.yaml beside it"
        raise UsageError(f"there are no tests in {', '.join(teams)}", hint=hint)

    picked = chosen(items, expression)
    if not picked:
        raise UsageError(
            f"-k '{expression}' chooses none of {len(items)} tests", hint="see their names without -k"
        )
    with stdout_for_answers() as answers:
        progress = Progress(answers=answers, planned=len(picked), as_json=as_json, quiet=quiet, junit=junit)
        code = progress.carry_out(
            lambda: run_all(
                items, expression=expression, parallel=parallel, folder=Path.cwd(), on_result=progress.tell
            )
        )
    if code == INTERRUPTED and threading.active_count() > OWN_THREADS:
        abandon_streams()
        os._exit(code)  # a tool that does not return must not keep the process
    return code
