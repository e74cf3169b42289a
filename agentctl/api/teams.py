"""Team files in, teams or reports out: what `read` and `validate` do."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agentctl.diagnostics import Report
from agentctl.errors import TeamError
from agentctl.spec.find import find_team
from agentctl.spec.read import read_team, told_environ
from agentctl.spec.team import Team

if TYPE_CHECKING:
    from agentctl.spec.cases import Case

_OFFLINE: Final = {"": "offline"}


def read(
    path: str | Path,
    report: Report,
    *,
    environ: Mapping[str, str] | None = None,
    models: Mapping[str, str] | None = None,
) -> Team:
    """The team; `models` gives the model id by agent, `""` for every agent.

    Raises TeamError with the whole report where the file has errors, UsageError where there is none.
    """
    team = _read(path, report, environ, models)
    if team is None or report.errors:
        raise broken(report, str(path))
    return team


def validate(
    paths: Iterable[str | Path], *, imports: bool = True, environ: Mapping[str, str] | None = None
) -> Report:
    """Everything that is wrong with the files; `imports=False` executes nothing of the teams."""
    from agentctl.spec.looks import is_test_file
    from agentctl.spec.test_files import files_beside

    report = Report()
    paths = list(paths)
    told = {_place(path) for path in paths if not is_test_file(Path(path))}
    for path in paths:
        if is_test_file(Path(path)):
            _validate_test_file(Path(path), report, told, imports=imports, environ=environ)
            continue
        team = _read(path, report, environ, None)
        if team is not None:
            check(team, report, imports=imports, environ=environ)
            for file in files_beside(find_team(Path(path))):
                _validate_tests(file, team, report, imports=imports, environ=environ)
    return report


def _place(path: str | Path) -> str:
    """One for a team, whether its file or its folder is named."""
    from agentctl.spec.find import TEAM_FILE
    from agentctl.spec.paths import real

    return str(real(Path(path) / TEAM_FILE if Path(path).is_dir() else Path(path)))


def _validate_test_file(
    path: Path, report: Report, told: set[str], *, imports: bool, environ: Mapping[str, str] | None
) -> None:
    """The tests, and once what is so wrong with their team that they cannot be run; `told` are teams of
    which everything is told.
    """
    from agentctl.spec.test_files import team_of, tell_no_team

    if not team_of(path).is_file() and path.is_file():
        tell_no_team(path, report)
        return
    own = Report()
    team = read_tested(team_of(path), own, environ)
    place = _place(team_of(path))
    if place not in told:
        told.add(place)
        report.found += own.found
        report.sources.update(own.sources)
    if team is not None:
        _validate_tests(path, team, report, imports=imports, environ=environ)


def read_tested(path: Path, report: Report, environ: Mapping[str, str] | None = None) -> Team | None:
    """A team whose tests are wanted, with its errors alone. One that states no model is read as one that is
    offline.
    """
    own = Report()
    team = _read(path, own, environ, None)
    if own.errors and all(found.code == "no-model" for found in own if found.severity == "error"):
        own = Report()
        team = _read(path, own, environ, _OFFLINE)
    report.found += [found for found in own.found if found.severity == "error"]
    report.sources.update(own.sources)
    return team


def _validate_tests(
    path: Path, team: Team, report: Report, *, imports: bool, environ: Mapping[str, str] | None
) -> None:
    from agentctl.spec.test_files import read_test_file

    known = told_environ(team.folder, os.environ if environ is None else environ, team.path, report)
    cases = read_test_file(path, team, known, report)
    _check_files(cases, team, report)
    if imports:
        from agentctl.api.cases import check_cases

        check_cases(cases, team, report)


def check(
    team: Team, report: Report, *, imports: bool = True, environ: Mapping[str, str] | None = None
) -> None:
    """What only the tools and models of a team that was read can tell."""
    from agentctl.checks import check_team, load_tools
    from agentctl.tools.importing import Importer

    importer = Importer([team.folder]) if imports else None
    try:
        toolboxes = load_tools(team, importer) if importer else None
        known = os.environ if environ is None else environ
        check_team(team, report, environ=known, toolboxes=toolboxes)
        _check_files(team.tests, team, report)
        if imports and team.tests:
            from agentctl.api.cases import check_cases

            check_cases(team.tests, team, report)
    finally:
        if importer:
            importer.close()


def _check_files(cases: Sequence[Case], team: Team, report: Report) -> None:
    if any(case.files for case in cases):
        from agentctl.checks.reply_files import case_files

        case_files(cases, team, report)


def broken(report: Report, shown: str) -> TeamError:
    count = report.errors
    problems = "1 error" if count == 1 else f"{count} errors"
    return TeamError(f"'{shown}' has {problems}", report=report)


def _read(
    path: str | Path,
    report: Report,
    environ: Mapping[str, str] | None,
    models: Mapping[str, str] | None,
) -> Team | None:
    known = os.environ if environ is None else environ
    return read_team(find_team(Path(path)), environ=known, report=report, models=models)
