"""Commands in hints, told where the runs are."""

from __future__ import annotations

import pytest

from agentctl.jsontypes import JsonObject
from agentctl.render.ending import ending
from agentctl.render.onward import in_place


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("agentctl resume r-1.x", "agentctl resume r-1.x --runs-dir here"),
        ("go on: agentctl resume r1 --with TEAM", "go on: agentctl resume r1 --runs-dir here --with TEAM"),
        ("agentctl resume r1 --runs-dir there", "agentctl resume r1 --runs-dir there"),
        (
            "agentctl show r1, or agentctl cancel r1",
            "agentctl show r1 --runs-dir here, or agentctl cancel r1 --runs-dir here",
        ),
        ("agentctl runs", "agentctl runs --runs-dir here"),
        ("agentctl init", "agentctl init"),
        ("free some space", "free some space"),
    ],
)
def test_every_command_about_runs_says_where_they_are(text: str, told: str) -> None:
    assert in_place(text, "here") == told
    assert in_place(text, None) == text


def test_a_run_that_ended_for_want_of_space_names_one_command() -> None:
    error: JsonObject = {"code": "journal", "message": "the disk is full", "hint": "then: agentctl resume df"}
    result: JsonObject = {"run_id": "df", "status": "failed", "error": error}
    lines = [line.plain for line in ending(result, runs_dir="/else where")]
    assert lines[1] == "hint: then: agentctl resume df --runs-dir '/else where'"
    assert lines[-1] == "agentctl resume df --runs-dir '/else where'"
