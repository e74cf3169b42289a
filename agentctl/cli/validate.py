"""`agentctl validate TEAM…`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Final, Literal, assert_never

import typer

from agentctl.api.teams import check
from agentctl.api.teams import validate as find_problems
from agentctl.cli.options import AsJson, Quiet
from agentctl.cli.team_files import searched, team_files
from agentctl.diagnostics import Report, Span
from agentctl.errors import UsageError
from agentctl.jsontypes import JsonObject
from agentctl.render.visible import visible
from agentctl.spec.read import find_team, read_team

Format = Literal["text", "json", "github", "sarif"]
_NAMED: Final = 20


def add(app: typer.Typer) -> None:
    app.command("validate")(validate)


def validate(
    teams: Annotated[
        list[str],
        typer.Argument(metavar="TEAM...", help="Team files, folders to search for them, or - for stdin."),
    ],
    shape: Annotated[Format, typer.Option("--format", help="How problems are printed.")] = "text",
    strict: Annotated[bool, typer.Option("--strict", help="Warnings count as errors.")] = False,
    no_import: Annotated[bool, typer.Option("--no-import", help="Import no tool modules.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> int:
    """Find every problem of team files at once, each with its place and a hint, on stdout."""
    if as_json and shape not in ("text", "json"):
        raise UsageError(f"--json and --format {shape} exclude each other", hint="give one of the two")
    shape = "json" if as_json else shape
    try:
        report = _stdin(imports=not no_import) if teams == ["-"] else _files(teams, imports=not no_import)
    except UsageError as error:
        if shape == "text":
            raise
        report = _refused(teams[0], error)
    if not quiet:
        _print(report, shape, teams)
    return 2 if report.errors or (strict and report.warnings) else 0


def _files(teams: list[str], *, imports: bool) -> Report:
    if "-" in teams:
        raise UsageError("stdin and files exclude each other", hint="give - alone")
    paths = team_files(teams)
    if len(paths) == 1:
        return find_problems(paths, imports=imports)
    absent = {path: error for path in paths if (error := _absence(path)) is not None}
    report = find_problems([path for path in paths if path not in absent], imports=imports)
    for path, error in absent.items():
        report.found += _refused(path, error).found
    return report


def _refused(path: str, error: UsageError) -> Report:
    """Why a file cannot be looked at, in the form of what is found in files."""
    report = Report()
    start = Span(path=path, line=1, column=1, end_line=1, end_column=1)
    report.error("missing-file", error.message, start, hint=error.hint)
    return report


def _absence(path: str) -> UsageError | None:
    """Why there is no team file at `path`: among several files it hides no problems of the others."""
    try:
        find_team(Path(path))
    except UsageError as error:
        return error
    return None


def _stdin(*, imports: bool) -> Report:
    """The text is taken to stand in the current folder."""
    report, here = Report(), Path.cwd()
    data = sys.stdin.buffer.read()
    team = read_team(data, environ=os.environ, report=report, shown="<stdin>", folder=here)
    if team is not None:
        check(team, report, imports=imports)
    return report


def _print(report: Report, shape: Format, teams: list[str]) -> None:
    checked, passed_over = searched(teams, report.sources)
    if shape in ("text", "github"):
        _tell_searched(checked, passed_over)
    match shape:
        case "text":
            from agentctl.cli.reports import show_report

            show_report(report, sys.stdout)
            if not report.found:
                print("no problems found")
        case "github":
            from agentctl.render.diagnostics_github import diagnostics_github

            for line in diagnostics_github(report):
                print(line)
        case "json":
            from agentctl.render.diagnostics_json import diagnostics_json

            files = {"checked": list(report.sources), "passed_over": passed_over}
            _print_json({**diagnostics_json(report), **files})
        case "sarif":
            from agentctl.cli.version import version
            from agentctl.render.diagnostics_sarif import diagnostics_sarif

            _print_json(diagnostics_sarif(report, version=version()))
        case _:
            assert_never(shape)


def _tell_searched(checked: list[str], passed_over: list[str]) -> None:
    """On stderr, of folders: a team file that is not known for one is found out by it."""
    for words, paths in (("checked", checked), ("passed over as no team file:", passed_over)):
        if paths:
            more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
            print(f"{words} {', '.join(map(visible, paths[:_NAMED]))}{more}", file=sys.stderr)


def _print_json(value: JsonObject) -> None:
    from agentctl.render.events_json import json_text

    print(json_text(value, indent=2))
