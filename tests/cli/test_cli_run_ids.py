"""Where a run is named: its beginning will do, several are listed, and a slip is told what was meant."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from cli_teams import says, write_team

from agentctl.cli.main import main

PLACES = (
    ["resume", "RUN"],
    ["show", "RUN"],
    ["runs", "rm", "RUN"],
    ["run", ".", "and now?", "--after", "RUN"],
    ["run", ".", "--replay", "RUN"],
    ["chat", ".", "--after", "RUN"],
)


@pytest.fixture(autouse=True)
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AGENTCTL_RUNS_DIR", raising=False)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    write_team(tmp_path, says("Done."))
    for run_id in ("alpha-1", "alpha-2", "beta-7"):
        assert main(["run", ".", "go", "--run-id", run_id]) == 0
    capsys.readouterr()


def called(place: list[str], run: str) -> int:
    return main([run if word == "RUN" else word for word in place])


@pytest.mark.parametrize("place", PLACES, ids=" ".join)
def test_an_unambiguous_beginning_is_enough(place: list[str]) -> None:
    assert called(place, "b") == 0


@pytest.mark.parametrize("place", [*PLACES, ["cancel", "RUN"]], ids=" ".join)
def test_an_ambiguous_one_lists_what_begins_so(place: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert called(place, "al") == 2
    assert '"al" begins the id of 2 runs:\n  alpha-2\n  alpha-1\n' in capsys.readouterr().err


@pytest.mark.parametrize("place", [*PLACES, ["cancel", "RUN"]], ids=" ".join)
def test_a_slip_is_told_what_was_meant(place: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert called(place, "bta-7") == 2
    told = capsys.readouterr().err
    assert 'there is no run "bta-7" in ' in told
    assert 'did you mean "beta-7"?' in told


def test_a_run_that_has_ended_is_found_by_cancel_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cancel", "be"]) == 2
    assert 'run "beta-7" is not going on' in capsys.readouterr().err
