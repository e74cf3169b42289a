"""What is wrong with a command, a file or a folder: one clear error, its exit code, and nothing lost."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from e2e.command import BALANCE, SUPPORT, Desk

CASES: list[tuple[str, str, Sequence[str]]] = [
    ("", "", ["run", "nowhere.yaml", "hello"]),
    ("name: a\n  b: [", "team.yaml:", ["run", ".", "hello"]),
    ("name: a\nmodel: offline\ninstrucions: hi", 'did you mean "instructions"', ["run", ".", "hello"]),
    ("name: a\nmodel: offline\ntools: ['tolls:x']", '"tolls"', ["run", ".", "hello"]),
    ("name: a", "model", ["run", ".", "hello"]),
    ("name: a\nmodel: offline", "empty", ["run", ".", "  "]),
    ("name: a\nmodel: offline", "--input", ["run", ".", "hello", "--input", "a=1"]),
    ("name: a\nmodel: script:none.yaml", "none.yaml", ["run", ".", "hello"]),
    ("name: a\nmodel: offline", "nobody", ["run", ".", "hello", "--model", "nobody=offline"]),
    ("name: a\nmodel: offline", "run id", ["run", ".", "hello", "--run-id", "../up"]),
    ("", "nobody-knows", ["resume", "nobody-knows"]),
    ("", "nobody-knows", ["show", "nobody-knows"]),
    ("", "validate", ["valdate", "."]),
    ("", "--colour", ["run", "--colour", "."]),
]


@pytest.mark.parametrize(("team", "told", "words"), CASES, ids=lambda value: str(value)[-20:])
def test_it_is_told_in_one_place_and_exits_2(desk: Desk, team: str, told: str, words: Sequence[str]) -> None:
    if team:
        (desk.folder / "team.yaml").write_text(team, "utf-8")
    done = desk(*words)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert not (desk.folder / ".agentctl").exists()


def test_every_problem_is_told_at_once(desk: Desk) -> None:
    (desk.folder / "team.yaml").write_text(
        "name: front desk\nmodel: ${NO_SUCH_VARIABLE}\nagents:\n"
        "  - name: a\n    instruction: hi\n  - name: a\n    tools: ['tools:f']\n",
        "utf-8",
    )
    done = desk("validate", ".")
    assert done.returncode == 2
    for place in ("team.yaml:1:7:", "team.yaml:2:8:", "team.yaml:5:5:", "team.yaml:6:11:", "team.yaml:7:13:"):
        assert place in done.stdout, done.stdout


def test_a_folder_that_cannot_be_written(desk: Desk) -> None:
    (desk.folder / ".agentctl").write_text("no folder", "utf-8")
    done = desk("run", SUPPORT, BALANCE)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--runs-dir" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_damaged_run_is_refused_by_file_and_record(desk: Desk) -> None:
    assert desk("run", SUPPORT, BALANCE).returncode == 0
    journal = desk.runs[0] / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([lines[0], lines[1].replace(b"support", b"suport"), *lines[2:]]))
    done = desk("resume", desk.run_id)
    assert done.returncode == 1
    assert "journal.jsonl" in done.stderr
    assert "record 2" in done.stderr
