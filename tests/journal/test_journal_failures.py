"""Disks that fail, and processes that die in the middle of a write."""

from __future__ import annotations

import asyncio
import errno
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from journal_runs import CHILD, NOW, FailingDisk, child_environment, new_run, record_batches

from agentctl.errors import AgentctlError, JournalError, UsageError
from agentctl.journal.directory import create_run, open_run
from agentctl.journal.reading import read_run

CAUSES = [
    (errno.ENOSPC, "the disk is full", "free some space there"),
    (errno.EDQUOT, "the disk quota is used up", "free some space there"),
    (errno.EIO, "the disk reported an I/O error", "check the disk"),
    (errno.EROFS, "the file system is read-only", "make the folder writable"),
    (errno.ENXIO, "No such device or address", "mend that"),
]


def steps(run: Path) -> list[str]:
    return [record.step for record in read_run(run)[1]]


async def until_it_fails(run: Path, disk: FailingDisk) -> tuple[int, AgentctlError]:
    """How many records were acknowledged, in batches of two, and what was then raised."""
    acknowledged = 0
    try:
        journal = open_run(run, disk=disk, linger=60)
    except JournalError as error:
        return 0, error
    failure = None
    while failure is None:
        try:
            await record_batches(journal, [2])
            acknowledged = len(journal.records)
        except JournalError as error:
            failure = error
    with pytest.raises(JournalError) as later:
        journal.append("tool.completed", "late")
    assert later.value.message == failure.message
    with pytest.raises(JournalError):
        await journal.flush()
    await journal.close()
    return acknowledged, failure


@pytest.mark.parametrize(("number", "cause", "mend"), CAUSES)
def test_a_failed_write_is_told_with_its_reason(tmp_path: Path, number: int, cause: str, mend: str) -> None:
    run = new_run(tmp_path)
    acknowledged, error = asyncio.run(until_it_fails(run, FailingDisk(fail_write=3, error=number)))
    assert error.message == f'cannot record in "{run / "journal.jsonl"}": {cause}'
    assert error.hint == f"{mend}, then continue with: agentctl resume r1"
    assert error.exit_code == 1
    assert acknowledged == 4
    assert steps(run) == ["s1", "s2", "s3", "s4"]


@pytest.mark.parametrize("partly", [0, 1, 64, 150])
@pytest.mark.parametrize("nth", [1, 2, 3, 4])
def test_after_a_failed_write_nothing_touches_the_file(tmp_path: Path, nth: int, partly: int) -> None:
    run = new_run(tmp_path)
    disk = FailingDisk(fail_write=nth, partly=partly, error=errno.ENOSPC)
    acknowledged, _ = asyncio.run(until_it_fails(run, disk))
    assert disk.after_failure == 0
    assert acknowledged == 2 * (nth - 1)
    kept = steps(run)
    assert kept[:acknowledged] == [f"s{n}" for n in range(1, acknowledged + 1)]
    assert len(kept) - acknowledged in (0, 1)


@pytest.mark.parametrize("nth", [1, 2, 3, 4])
def test_after_a_failed_sync_nothing_touches_the_file(tmp_path: Path, nth: int) -> None:
    run = new_run(tmp_path)
    disk = FailingDisk(fail_sync=nth)
    acknowledged, _ = asyncio.run(until_it_fails(run, disk))
    assert disk.after_failure == 0
    assert acknowledged == 2 * (nth - 1)
    assert steps(run)[:acknowledged] == [f"s{n}" for n in range(1, acknowledged + 1)]


def test_every_waiter_hears_of_the_failure(tmp_path: Path) -> None:
    async def scene() -> None:
        journal = open_run(new_run(tmp_path), disk=FailingDisk(fail_write=1))
        waiters = [asyncio.ensure_future(journal.append("tool.completed", f"s{n}")) for n in range(50)]
        outcomes = await asyncio.gather(*waiters, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {JournalError}
        await journal.close()

    asyncio.run(scene())


def test_a_failure_at_the_end_is_told_by_close(tmp_path: Path) -> None:
    run = new_run(tmp_path)

    async def scene() -> None:
        journal = open_run(run, disk=FailingDisk(fail_write=1), linger=60)
        journal.append("run.completed")
        with pytest.raises(JournalError, match="I/O error"):
            await journal.close()
        await open_run(run).close()

    asyncio.run(scene())


def test_a_bug_below_does_not_leave_anybody_waiting(tmp_path: Path) -> None:
    class Broken(FailingDisk):
        def fail(self) -> None:
            raise RuntimeError("oops")

    async def scene() -> None:
        journal = open_run(new_run(tmp_path), disk=Broken(fail_write=1))
        with pytest.raises(JournalError, match="oops"):
            await journal.append("run.started")
        await journal.close()

    asyncio.run(scene())


def test_a_disk_that_writes_nothing_is_an_error(tmp_path: Path) -> None:
    class Stuck(FailingDisk):
        def write(self, descriptor: int, data: memoryview) -> int:
            return 0

    async def scene() -> None:
        journal = open_run(new_run(tmp_path), disk=Stuck())
        with pytest.raises(JournalError, match="I/O error"):
            await journal.append("run.started")
        await journal.close()

    asyncio.run(scene())


def test_a_blob_that_cannot_be_kept_fails_its_record(tmp_path: Path) -> None:
    run = new_run(tmp_path)

    async def scene() -> None:
        journal = open_run(run, disk=FailingDisk(fail_write=1, error=errno.ENOSPC))
        with pytest.raises(JournalError, match="the disk is full"):
            await journal.append("tool.completed", "a", {"out": "x" * 40_000})
        await journal.close()

    asyncio.run(scene())
    assert steps(run) == []
    assert list((run / "blobs").iterdir()) == []


def test_a_run_goes_on_after_its_disk_failed(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    asyncio.run(until_it_fails(run, FailingDisk(fail_write=2, partly=40)))

    async def resume() -> None:
        journal = open_run(run)
        await journal.append("run.resumed", "r")
        await journal.close()

    asyncio.run(resume())
    assert steps(run) == ["s1", "s2", "r"]


@pytest.mark.parametrize("nth", range(1, 12))
def test_a_disk_that_fails_while_a_run_is_created_leaves_no_half_of_it(tmp_path: Path, nth: int) -> None:
    (tmp_path / ".agentctl" / "runs").mkdir(parents=True)
    disk = FailingDisk(fail_sync=nth, error=errno.ENOSPC)
    try:
        create_run(
            tmp_path / ".agentctl" / "runs",
            run_id="x",
            team="t",
            header={},
            team_yaml="name: t\n",
            now=NOW,
            disk=disk,
        )
    except JournalError as error:
        failure: JournalError | None = error
    else:
        failure = None
    left = sorted(path.name for path in (tmp_path / ".agentctl" / "runs").iterdir())
    if failure is None:
        assert left == ["x"]
        assert not disk.failed
    else:
        assert "the disk is full" in failure.message
        assert "try again" in (failure.hint or "")
        assert left in ([], ["x"])
        if left:
            asyncio.run(open_run(tmp_path / ".agentctl" / "runs" / "x").close())


def child(duty: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CHILD), duty, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, env=child_environment()
    )


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("moment", ["before write", "before sync", "after sync"])
def test_kill_loses_nothing_acknowledged(tmp_path: Path, moment: str, batch: int) -> None:
    run = new_run(tmp_path)
    dead = child("killed", run, moment, batch)
    assert dead.returncode == -9, dead.stderr
    acknowledged = max((int(line) for line in dead.stdout.split()), default=0)
    assert acknowledged == 2 * (batch - 1)
    written = acknowledged if moment == "before write" else acknowledged + 2
    assert steps(run) == [f"s{n}" for n in range(1, written + 1)]
    assert read_run(run)[2] is False
    asyncio.run(open_run(run).close())


def test_a_file_that_may_not_grow_stops_the_run(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    *acknowledged, failure = child("small", run).stdout.splitlines()
    assert failure.startswith(
        f'JournalError: cannot record in "{run / "journal.jsonl"}": the file may not grow'
    )
    assert "ulimit -f" in failure
    assert steps(run) == [f"s{n}" for n in range(1, len(acknowledged) + 1)]
    assert (run / "journal.jsonl").stat().st_size == 2000


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that others may enter, which `tmp_path` is not."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_read_only_folder_is_told_when_a_run_begins(public: Path) -> None:
    place = public / "place"
    place.mkdir(mode=0o555)
    said = child("unprivileged", place, "create").stdout
    assert said.startswith("UsageError: cannot create a run in")
    assert "Permission denied" in said
    assert "--runs-dir" in said


def test_a_read_only_run_is_told_when_it_is_taken_up(public: Path) -> None:
    run = new_run(public)
    for path in (run, *run.iterdir(), run.parent, run.parent.parent):
        path.chmod(0o555)
    said = child("unprivileged", run, "open").stdout
    assert said.startswith('JournalError: cannot lock the run "r1"')
    assert "Permission denied" in said
    for path in (run.parent.parent, run.parent, run):
        path.chmod(0o700)


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / ".agentctl").write_text("in the way")
    with pytest.raises(UsageError, match="cannot create a run"):
        new_run(tmp_path)


def test_a_folder_that_cannot_be_made_ignored_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="the disk is full"):
        create_run(
            tmp_path / ".agentctl" / "runs",
            run_id="x",
            team="t",
            header={},
            team_yaml="",
            now=NOW,
            disk=FailingDisk(fail_write=1, error=errno.ENOSPC),
        )
    assert list(tmp_path.iterdir()) == []


def test_another_process_may_make_the_folder_first(tmp_path: Path) -> None:
    class Racing(FailingDisk):
        """Makes `.agentctl` in the moment in which its draft is synced."""

        def sync(self, descriptor: int) -> None:
            (tmp_path / ".agentctl" / "runs").mkdir(parents=True, exist_ok=True)

    place = create_run(
        tmp_path / ".agentctl" / "runs",
        run_id="x",
        team="t",
        header={},
        team_yaml="",
        now=NOW,
        disk=Racing(),
    )
    assert place.created
    assert [path.name for path in tmp_path.iterdir()] == [".agentctl"]
    assert (tmp_path / ".agentctl" / ".gitignore").read_text() == "*\n"


def test_a_file_system_that_cannot_sync_folders_will_do(tmp_path: Path) -> None:
    class NoFolders(FailingDisk):
        def sync(self, descriptor: int) -> None:
            if stat.S_ISDIR(os.fstat(descriptor).st_mode):
                raise OSError(errno.EINVAL, "Invalid argument")

    place = create_run(tmp_path, run_id="x", team="t", header={}, team_yaml="", now=NOW, disk=NoFolders())
    assert place.created
