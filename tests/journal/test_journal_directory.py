from __future__ import annotations

import asyncio
import json
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from journal_runs import NOW, new_run

from agentctl.errors import JournalError, RunNotFound, UsageError
from agentctl.journal.directory import create_run, open_run
from agentctl.journal.disk import SystemDisk
from agentctl.journal.finding import find_run, find_runs_dir, list_runs, make_run_id, valid_run_id
from agentctl.journal.header import read_header, read_team
from agentctl.journal.reading import read_run
from agentctl.jsontypes import JsonObject


def created(runs_dir: Path, run_id: str | None = None, entropy: Callable[[], int] = lambda: 7) -> Path:
    place = create_run(
        runs_dir,
        run_id=run_id,
        team="support",
        header={"request": "Grüße", "inputs": {"n": 1}},
        team_yaml="name: Büro\n",
        now=NOW,
        entropy=entropy,
    )
    assert place.created
    assert place.path == runs_dir / place.run_id
    return place.path


def test_a_folder_that_may_not_be_looked_into_hides_no_other(tmp_path: Path) -> None:
    """As somebody who may not: whoever may do all must become nobody for a moment."""
    with tempfile.TemporaryDirectory() as place:
        runs = Path(place) / "runs"
        created(runs, "r1")
        closed = created(runs, "r2")
        for folder in (Path(place), runs):
            folder.chmod(0o755)
        closed.chmod(0)
        with as_nobody():
            assert [path.name for path in list_runs(runs)] == ["r1", "r2"]
            assert find_run(runs, "r2") == closed
        closed.chmod(0o700)


@contextmanager
def as_nobody() -> Iterator[None]:
    own = os.geteuid()
    if own == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(own)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_run_begins_whole_and_private(tmp_path: Path) -> None:
    path = created(tmp_path / ".agentctl" / "runs", "r1")
    assert sorted(item.name for item in path.iterdir()) == ["journal.jsonl", "lock", "run.json", "team.yaml"]
    assert {mode(item) for item in path.iterdir()} == {0o600}
    assert {mode(folder) for folder in (path, path.parent, path.parent.parent)} == {0o700}
    assert (tmp_path / ".agentctl" / ".gitignore").read_text() == "*\n"
    assert [item.name for item in tmp_path.iterdir()] == [".agentctl"]
    assert [item.name for item in path.parent.iterdir()] == ["r1"]
    header, records, live = read_run(path)
    assert header["request"] == "Grüße"
    assert header["inputs"] == {"n": 1}
    assert (header["run_id"], header["team"], header["format"]) == ("r1", "support", 1)
    assert (records, live) == ([], False)
    assert read_team(path, header) == "name: Büro\n"


class _Interrupted(SystemDisk):
    def sync(self, descriptor: int) -> None:
        raise KeyboardInterrupt


def test_an_interruption_leaves_no_half_run(tmp_path: Path) -> None:
    runs = tmp_path / ".agentctl" / "runs"
    for there in (False, True):
        if there:
            created(runs, "r1")
        with pytest.raises(KeyboardInterrupt):
            create_run(runs, run_id="r2", team="t", header={}, team_yaml="", now=NOW, disk=_Interrupted())
        assert sorted(path.name for path in tmp_path.rglob("*") if path.is_dir()) == (
            [".agentctl", "r1", "runs"] if there else []
        )


def test_a_gitignore_is_added_to_a_folder_that_was_there(tmp_path: Path) -> None:
    (tmp_path / ".agentctl").mkdir()
    created(tmp_path / ".agentctl" / "runs")
    assert (tmp_path / ".agentctl" / ".gitignore").read_text() == "*\n"


def test_a_folder_of_another_name_gets_no_gitignore(tmp_path: Path) -> None:
    created(tmp_path / "deep" / "elsewhere")
    assert [item.name for item in (tmp_path / "deep").iterdir()] == ["elsewhere"]


def test_an_id_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    path = created(tmp_path, "r1")
    before = {item.name: item.read_bytes() for item in path.iterdir()}
    again = create_run(tmp_path, run_id="r1", team="t", header={}, team_yaml="", now=NOW)
    assert (again.created, again.path) == (False, path)
    assert {item.name: item.read_bytes() for item in path.iterdir()} == before


def test_a_made_id_that_is_there_is_made_anew(tmp_path: Path) -> None:
    draws = iter([7, 7, 8])
    first = created(tmp_path, entropy=lambda: next(draws))
    second = created(tmp_path, entropy=lambda: next(draws))
    assert first.name != second.name
    assert len(list_runs(tmp_path)) == 2


def test_two_that_create_the_same_run_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second finds the name free, and taken when it renames."""
    path = created(tmp_path, "r1")
    monkeypatch.setattr(Path, "exists", lambda self: False)
    late = create_run(tmp_path, run_id="r1", team="t", header={}, team_yaml="", now=NOW)
    assert not late.created
    assert [item.name for item in tmp_path.iterdir()] == ["r1"]
    assert read_header(path)["team"] == "support"


@pytest.mark.parametrize("run_id", ["", ".x", "-x", "a/b", "..", "a b", "ü", "a" * 101, "a\n"])
def test_an_impossible_id_is_refused(tmp_path: Path, run_id: str) -> None:
    assert not valid_run_id(run_id)
    with pytest.raises(UsageError, match="cannot be a run id") as refused:
        create_run(tmp_path / "runs", run_id=run_id, team="t", header={}, team_yaml="", now=NOW)
    assert refused.value.hint
    assert not (tmp_path / "runs").exists()


def test_made_ids_say_when_and_what() -> None:
    assert make_run_id("support", NOW, 0) == "20261129-131502-support-aaaa"
    there = NOW.astimezone(timezone(timedelta(hours=9)))
    assert make_run_id("support", there, 0) == "20261129-131502-support-aaaa"
    ids = {make_run_id("support", NOW, number) for number in range(5000)}
    assert len(ids) == 5000
    assert not set("".join(ids)[-4:]) & set("il o01")
    assert all(valid_run_id(made) for made in [*ids, make_run_id("Müller & Söhne" * 20, NOW, 2**32 - 1)])


def test_where_runs_are(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    place = Path(".agentctl", "runs")
    around = next((folder for folder in tmp_path.parents if (folder / place).is_dir()), deep)
    assert find_runs_dir(deep, None, {}) == around / place
    created(tmp_path / ".agentctl" / "runs")
    assert find_runs_dir(deep, None, {}) == tmp_path / ".agentctl" / "runs"
    assert find_runs_dir(deep, None, {}, creating=True) == deep / ".agentctl" / "runs"
    assert find_runs_dir(deep, None, {"AGENTCTL_RUNS_DIR": "x"}) == deep / "x"
    assert find_runs_dir(deep, None, {"AGENTCTL_RUNS_DIR": "/x"}, creating=True) == Path("/x")
    assert find_runs_dir(deep, Path("y"), {"AGENTCTL_RUNS_DIR": "x"}) == deep / "y"
    assert find_runs_dir(deep, None, {"AGENTCTL_RUNS_DIR": ""}) == tmp_path / ".agentctl" / "runs"


def test_a_run_is_found_by_id_or_by_what_begins_one_only(tmp_path: Path) -> None:
    for run_id in ("ab-1", "ab-12", "ab-2", "other"):
        created(tmp_path, run_id)
    (tmp_path / ".new-123").mkdir()
    (tmp_path / "no-run").mkdir()
    assert [path.name for path in list_runs(tmp_path)] == ["ab-1", "ab-12", "ab-2", "other"]
    assert find_run(tmp_path, "ab-1").name == "ab-1"
    assert find_run(tmp_path, "ab-12").name == "ab-12"
    assert find_run(tmp_path, "o").name == "other"
    with pytest.raises(RunNotFound, match=r'"ab-" begins the id of 3 runs:\n  ab-2\n  ab-12\n  ab-1'):
        find_run(tmp_path, "ab-")
    with pytest.raises(RunNotFound) as misspelt:
        find_run(tmp_path, "othre")
    assert misspelt.value.hint == 'did you mean "other"?'
    with pytest.raises(RunNotFound) as unlike:
        find_run(tmp_path, "nope")
    assert unlike.value.hint == "list the runs with: agentctl runs"
    for nothing in ("", "../x", "zzz"):
        with pytest.raises(RunNotFound, match="there is no run"):
            find_run(tmp_path, nothing)


def test_no_runs_yet(tmp_path: Path) -> None:
    assert list_runs(tmp_path / "none") == []
    with pytest.raises(RunNotFound) as found:
        find_run(tmp_path / "none", "x")
    assert found.value.exit_code == 2
    assert found.value.hint == "list the runs with: agentctl runs"
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be read"):
        list_runs(tmp_path / "file")


def test_many_matches_are_not_all_listed(tmp_path: Path) -> None:
    for number in range(12):
        created(tmp_path, f"run-{number:02}")
    with pytest.raises(RunNotFound, match=r"(?s)12 runs:\n  run-11\n.*\n  run-02\n  …$"):
        find_run(tmp_path, "run")


def rewritten(path: Path, change: Callable[[dict[str, object]], object]) -> None:
    header = json.loads((path / "run.json").read_text())
    change(header)
    (path / "run.json").write_text(json.dumps(header))


def test_a_newer_format_is_refused_by_name(tmp_path: Path) -> None:
    path = new_run(tmp_path)
    rewritten(path, lambda header: header.update(format=2))
    for read in (open_run, read_run):
        with pytest.raises(JournalError, match=r'"r1" has format 2; this agentctl reads up to format 1'):
            read(path)
    rewritten(path, lambda header: header.update(format=1))
    asyncio.run(open_run(path).close())


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"run_id": "r1"}'])
def test_a_damaged_header_is_refused(tmp_path: Path, content: bytes) -> None:
    path = new_run(tmp_path)
    (path / "run.json").write_bytes(content)
    with pytest.raises(JournalError, match=r"run\.json.* is damaged"):
        open_run(path)


def test_a_flipped_bit_in_the_header_changes_nothing_or_is_refused(tmp_path: Path) -> None:
    path = new_run(tmp_path)
    whole = bytearray((path / "run.json").read_bytes())
    original: JsonObject = read_header(path)
    for offset in range(len(whole)):
        for bit in range(8):
            whole[offset] ^= 1 << bit
            (path / "run.json").write_bytes(whole)
            with suppress(JournalError):
                assert read_header(path) == original
            whole[offset] ^= 1 << bit


def test_a_missing_header_or_team_is_named(tmp_path: Path) -> None:
    path = new_run(tmp_path)
    header = read_header(path)
    (path / "team.yaml").write_text("name: other\n")
    with pytest.raises(JournalError, match=r"team\.yaml.*is not what this run began with"):
        read_team(path, header)
    (path / "team.yaml").unlink()
    with pytest.raises(JournalError, match=r"team\.yaml.*cannot be read"):
        read_team(path, header)
    (path / "run.json").unlink()
    with pytest.raises(JournalError, match=r"run\.json.*cannot be read"):
        read_run(path)
