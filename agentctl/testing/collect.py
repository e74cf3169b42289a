"""Team files, test files and folders into cases to run, or one `TeamError` with everything that is wrong."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from agentctl.api.cases import check_cases
from agentctl.api.teams import broken, read_tested
from agentctl.diagnostics import Report
from agentctl.spec.cases import Case
from agentctl.spec.find import find_team
from agentctl.spec.looks import is_test_file
from agentctl.spec.overrides import with_models, without_keys
from agentctl.spec.read import team_environ
from agentctl.spec.team import Team
from agentctl.spec.test_files import files_beside, read_test_file, team_of
from agentctl.testing.results import Item
from agentctl.testing.seeding import seeded


def collect(paths: Iterable[str | Path], *, live: bool = False) -> list[Item]:
    """A team file's own tests and those of the files beside it; of a test file only its own.

    `live` leaves the models of the team where a test does not name a script or a recording.
    """
    report = Report()
    teams = _Teams(report)
    found: list[Item] = []
    for path in dict.fromkeys(str(path) for path in paths):
        for file in _files(Path(path)):
            found += _collected(file, teams, report, live=live)
    if report.errors:
        raise broken(report, "these tests")
    return list({(item.file, item.case.name): item for item in found}.values())


def _files(path: Path) -> Sequence[Path]:
    """The team file and the test files beside it, or the one test file."""
    if is_test_file(path) and path.is_file():
        return [path]
    team = find_team(path)
    return [team, *files_beside(team)]


class _Teams:
    """Each is read once, so that what is wrong with it is told once."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._read: dict[Path, Team | None] = {}

    def read(self, path: Path) -> Team | None:
        if path not in self._read:
            self._read[path] = read_tested(path, self._report)
        return self._read[path]


def _collected(file: Path, teams: _Teams, report: Report, *, live: bool) -> Iterator[Item]:
    path = find_team(team_of(file)) if is_test_file(file) else file
    environ = team_environ(path.absolute().parent, os.environ)
    team = teams.read(path)
    if team is None:
        return
    cases = read_test_file(file, team, environ, report) if is_test_file(file) else team.tests
    check_cases(cases, team, report)
    for case in cases if not report.errors else ():
        yield Item(case=case, team=rehearsed(team, case, live=live), file=str(file))


def rehearsed(team: Team, case: Case, *, live: bool) -> Team:
    """The team with the models that answer in the test."""
    stated = {name: model for name, model in case.model.items() if not live or model != "offline"}
    base = team if live else without_keys(team)
    team = with_models(base, stated, folder=case.folder) if stated else base
    return seeded(replace(team, tests=()), case.name)
