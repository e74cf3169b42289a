"""What `validate --format sarif` prints, held to the JSON Schema of SARIF 2.1.0."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest
from jsonschema import Draft4Validator

from agentctl.api.teams import validate
from agentctl.diagnostics import Report
from agentctl.render.diagnostics_sarif import diagnostics_sarif

pytestmark = pytest.mark.npm
EXAMPLES: Final = Path(__file__).parents[1] / "examples" / "invalid"


@pytest.fixture(scope="session")
def schema(packages: Path) -> Draft4Validator:
    folder = packages / "@microsoft" / "jest-sarif" / "lib" / "schemas"
    return Draft4Validator(json.loads((folder / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8")))


def test_the_log_of_every_invalid_example_is_valid(
    schema: Draft4Validator, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = sorted(path.parent for path in EXAMPLES.glob("*/team.yaml"))
    for case in cases:
        monkeypatch.chdir(case)
        report = validate(["team.yaml"], environ={})
        log = json.loads(json.dumps(diagnostics_sarif(report, version="1.2.3")))
        assert [error.message for error in schema.iter_errors(log)] == [], case.name
    assert len(cases) >= 150


def test_an_empty_log_and_one_of_absolute_paths_are_valid(schema: Draft4Validator, tmp_path: Path) -> None:
    (tmp_path / "team ä.yaml").write_text("nam: desk\n", encoding="utf-8")
    for report in (Report(), validate([tmp_path / "team ä.yaml"], environ={})):
        log = json.loads(json.dumps(diagnostics_sarif(report, version="1.2.3")))
        assert [error.message for error in schema.iter_errors(log)] == []
