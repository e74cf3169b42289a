"""`*.test.yaml` beside a team file: which team each one tests, and its tests."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from agentctl.diagnostics import Report
from agentctl.document import read_document
from agentctl.document.nodes import Object
from agentctl.spec.cases import Case
from agentctl.spec.files import open_team
from agentctl.spec.find import TEAM_FILE
from agentctl.spec.looks import ENDING, is_test_file
from agentctl.spec.lost_texts import check_texts
from agentctl.spec.paths import absolute, near_name, real
from agentctl.spec.read_cases import read_cases
from agentctl.spec.reading import Reading, TeamFile
from agentctl.spec.reply_kinds import file_kind
from agentctl.spec.schema import cases_checker
from agentctl.spec.shape import check_shape
from agentctl.spec.team import Team
from agentctl.spec.templates import check_templates
from agentctl.spec.values import text


def files_beside(team: Path) -> list[Path]:
    """The files beside a team file that test it, by name."""
    found = sorted(path for path in team.parent.glob(f"*{ENDING}") if path.is_file())
    return [path for path in found if real(team_of(path)) == real(team)]


def team_of(test_file: Path) -> Path:
    """The team that a test file states, else NAME.yaml for NAME.test.yaml, else `team.yaml` beside it.

    A script or a recording that is called NAME.yaml is no team.
    """
    folder = test_file.parent
    stated = _stated_team(test_file)
    if stated:
        path = Path(os.path.normpath(folder / stated))
        return path / TEAM_FILE if path.is_dir() else path
    same = folder / f"{test_file.name.removesuffix(ENDING)}.yaml"
    return same if same.is_file() and file_kind(same) is None else folder / TEAM_FILE


def has_team(test_file: Path) -> bool:
    """Whether the file says which team it tests, or stands beside one; else it may be another program's."""
    return bool(_stated_team(test_file)) or team_of(test_file).is_file()


def tell_no_team(path: Path, report: Report) -> None:
    """Reports that the team which a test file states, or stands beside, is not there."""
    document = read_document(path.read_bytes(), path=str(path), report=report)
    if document is None:
        return
    stated = document.root.get("team") if isinstance(document.root, Object) else None
    team = team_of(path)
    near = near_name(team)
    is_other = near is not None and not is_test_file(Path(near))
    hint = f'did you mean "{near}"?' if is_other else f"say which: `team: {TEAM_FILE}`"
    message = f'there is no team "{os.path.relpath(team, path.parent)}" to test'
    place = stated or document.root
    start = replace(document.root.span, end_line=1, end_column=1, line=1, column=1)
    report.error("missing-file", message, place.span if stated else start, hint=hint, pointer=place.pointer)


def read_test_file(
    path: Path, team: Team, environ: Mapping[str, str], report: Report, *, shown: str | None = None
) -> tuple[Case, ...]:
    """The tests of one file; `environ` holds what the `.env` beside the team adds to it."""
    shown = shown or str(path)
    folder = absolute(path).parent
    root = open_team(path.read_bytes(), shown, environ, report)
    if root is None:
        return ()
    reading = Reading(report=report, environ=environ, folder=team.folder, shown=shown, inputs=team.inputs)
    file = TeamFile(reading=reading, shown=shown, folder=folder)
    root = check_shape(root, cases_checker(), report, what="test file")
    check_templates(root, file)
    check_texts(root, file)
    return read_cases(root.get("tests"), file, [agent.name for agent in team.agents()])


def _stated_team(test_file: Path) -> str | None:
    """What is wrong with the file is told when its tests are read."""
    try:
        document = read_document(test_file.read_bytes(), path=str(test_file), report=Report())
    except OSError:
        return None
    root = document.root if document else None
    return text(root.get("team")) if isinstance(root, Object) else None
