"""Every folder of `tests/examples` is a case: a team, and what `validate` says about it, word for word.

With AGENTCTL_UPDATE_EXAMPLES=1 the expectations are written anew; read each before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentctl.api.teams import validate
from agentctl.diagnostics import Diagnostic, Report

EXAMPLES = Path(__file__).parents[1] / "examples"
INVALID = sorted(path.parent for path in (EXAMPLES / "invalid").glob("*/team.yaml"))
VALID = sorted(path.parent for path in (EXAMPLES / "valid").glob("*/team.yaml"))


def shown(found: Diagnostic) -> str:
    span = found.span
    lines = [f"{span.path}:{span.line}:{span.column}: {found.severity}[{found.code}] {found.message}"]
    lines += [f"    hint: {found.hint}"] if found.hint else []
    for other in found.related:
        lines.append(f"    {other.span.path}:{other.span.line}:{other.span.column}: {other.message}")
    return "\n".join(lines)


def problems(case: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    monkeypatch.chdir(case)
    return validate(["team.yaml"], environ={})


@pytest.mark.parametrize("case", INVALID, ids=lambda case: case.name)
def test_an_invalid_team_gives_exactly_the_expected_diagnostics(
    case: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = problems(case, monkeypatch)
    found = "".join(f"{shown(each)}\n" for each in report).replace(str(case), "CASE")
    expected = case / "expected.txt"
    if os.environ.get("AGENTCTL_UPDATE_EXAMPLES"):
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")
    assert found


@pytest.mark.parametrize("case", INVALID, ids=lambda case: case.name)
def test_every_diagnostic_lies_inside_its_file(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = problems(case, monkeypatch)
    for found in report:
        lines = report.sources[found.span.path].split("\n")
        assert 1 <= found.span.line <= found.span.end_line <= len(lines)
        assert 1 <= found.span.column <= len(lines[found.span.line - 1]) + 1
        assert (found.span.line, found.span.column) <= (found.span.end_line, found.span.end_column)


@pytest.mark.parametrize("case", INVALID, ids=lambda case: case.name)
def test_every_diagnostic_says_how_to_mend_it(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [shown(found) for found in problems(case, monkeypatch) if not found.hint] == []


@pytest.mark.parametrize("case", VALID, ids=lambda case: case.name)
def test_a_valid_team_has_no_problems(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [shown(each) for each in problems(case, monkeypatch)] == []


def test_there_are_cases() -> None:
    assert len(INVALID) >= 150
    assert len(VALID) >= 10


@pytest.mark.parametrize(
    "team", sorted((EXAMPLES.parents[1] / "teams").glob("*/team.yaml")), ids=lambda team: team.parent.name
)
def test_a_sample_team_is_clean_and_knows_its_schema(team: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert team.read_text(encoding="utf-8").startswith(
        "# yaml-language-server: $schema=../../schemas/team.schema.json\n"
    )
    assert [shown(each) for each in problems(team.parent, monkeypatch)] == []
