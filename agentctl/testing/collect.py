"""Team files, test files and folders into cases to run, or one `TeamError` with everything that is wrong."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from agentctl.api.cases import check_cases
from agentctl.api.teams import broken
from agentctl.diagnostics import Report
from agentctl.spec.cases import Case
from agentctl.spec.find import find_team
from agentctl.spec.overrides import with_models, without_keys
from agentctl.spec.read import read_team, team_environ
from agentctl.spec.team import Team
from agentctl.spec.test_files import files_beside, is_test_file, read_test_file, team_of
from agentctl.testing.results import Item
from agentctl.testing.seeding import seeded

_OFFLINE = {"": "offline"}


def collect(paths: Iterable[str | Path], *, live: bool = False) -> list[Item]:
    """A team file's own tests and those of the files beside it; of a test file only its own.

    `live` leaves the models of the team where a test does not name a script or a recording.
    """
    report = Report()
    found: list[Item] = []
    for path in dict.fromkeys(str(path) for path in paths):
        for file in _files(Path(path)):
            found += _collected(file, report, live=live)
    if report.errors:
        raise broken(report, "these tests")
    return list({(item.file, item.case.name): item for item in found}.values())


def _files(path: Path) -> Sequence[Path]:
    """The team file and the test files beside it, or the one test file."""
    if is_test_file(path) and path.is_file():
        return [path]
    team = find_team(path)
    return [team, *files_beside(team)]


def _collected(file: Path, report: Report, *, live: bool) -> Iterator[Item]:
    path = find_team(team_of(file)) if is_test_file(file) else file
    environ = team_environ(path.absolute().parent, os.environ)
    team = _team(path, report)
    if team is None:
        return
    cases = read_test_file(file, team, environ, report) if is_test_file(file) else team.tests
    check_cases(cases, team, report)
    for case in cases if not report.errors else ():
        yield Item(case=case, team=rehearsed(team, case, live=live), file=str(file))


def _team(path: Path, report: Report) -> Team | None:
    """A team that states no model is read as one that is offline."""
    own = Report()
    team = read_team(path, environ=os.environ, report=own)
    if own.errors and all(found.code == "no-model" for found in own if found.severity == "error"):
        own = Report()
        team = read_team(path, environ=os.environ, report=own, models=_OFFLINE)
    report.found += [found for found in own.found if found.severity == "error"]
    report.sources.update(own.sources)
    return team


def rehearsed(team: Team, case: Case, *, live: bool) -> Team:
    """The team with the models that answer in the test."""
    stated = {name: model for name, model in case.model.items() if not live or model != "offline"}
    base = team if live else without_keys(team)
    team = with_models(base, stated, folder=case.folder) if stated else base
    return seeded(replace(team, tests=()), case.name)
