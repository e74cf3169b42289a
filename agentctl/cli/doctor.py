"""`agentctl doctor [TEAM]`."""

from __future__ import annotations

import sys
from typing import Annotated, Final

import typer

from agentctl.cli.options import (
    AsJson,
    MaxCost,
    MaxTime,
    Models,
    RunsDir,
    max_cost,
    max_time,
    read_models,
)

_WIDE: Final = 10_000
"""Cells of a line in a pipe, where a line is a finding."""


def add(app: typer.Typer) -> None:
    app.command("doctor")(doctor)


def doctor(
    context: typer.Context,
    team: Annotated[
        str | None,
        typer.Argument(metavar="TEAM", help="A team file, or a folder that holds team.yaml, to look at too."),
    ] = None,
    models: Models = None,
    most: MaxCost = None,
    longest: MaxTime = None,
    runs_dir: RunsDir = None,
    as_json: AsJson = False,
) -> int:
    """Tell what is missing to run, with the command that mends it, and which setting won.

    Keys are told by the names of their variables, never by their values. Exit code 0: nothing is missing;
    1: something is; 2: the team file is wrong.
    """
    from agentctl.api.examine import examine

    limits = {
        name: (value, _source(context, parameter, flag, variable))
        for name, value, parameter, flag, variable in (
            ("cost_usd", max_cost(most), "most", "--max-cost", "AGENTCTL_MAX_COST"),
            ("time", max_time(longest), "longest", "--max-time", "AGENTCTL_MAX_TIME"),
        )
        if value is not None
    }
    diagnosis = examine(team, runs_dir=runs_dir, models=read_models(models or ()), limits=limits)
    if as_json:
        from agentctl.render.events_json import json_text

        print(json_text(diagnosis.as_json(), indent=2))
    else:
        from agentctl.render.diagnosis import diagnosis_lines
        from agentctl.render.terminal import print_lines, width_of

        width = width_of(sys.stdout) if sys.stdout.isatty() else _WIDE
        print_lines(diagnosis_lines(diagnosis, width=width), sys.stdout)
    return diagnosis.exit_code


def _source(context: typer.Context, parameter: str, flag: str, variable: str) -> str:
    found = context.get_parameter_source(parameter)
    return variable if found is not None and found.name == "ENVIRONMENT" else flag
