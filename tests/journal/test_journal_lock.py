from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from journal_runs import CHILD, child_environment, new_run

from agentctl.errors import JournalError, RunInUse
from agentctl.journal.directory import open_run
from agentctl.journal.lock import RunLock, is_locked
from agentctl.journal.reading import read_run


class Children:
    def __init__(self) -> None:
        self.all: list[subprocess.Popen[str]] = []

    def start(self, duty: str, run: Path) -> subprocess.Popen[str]:
        child = subprocess.Popen(
            [sys.executable, str(CHILD), duty, str(run)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=child_environment(),
        )
        self.all.append(child)
        return child


@pytest.fixture
def children() -> Iterator[Children]:
    started = Children()
    yield started
    for child in started.all:
        child.communicate(timeout=60)


def said(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline().strip()


def say(child: subprocess.Popen[str]) -> None:
    assert child.stdin is not None
    child.stdin.write("\n")
    child.stdin.flush()


def test_a_second_holder_is_told_who_the_first_is(tmp_path: Path, children: Children) -> None:
    run = new_run(tmp_path)
    holder = children.start("hold", run)
    assert said(holder) == "ready"
    say(holder)
    assert said(holder) == "won"
    with pytest.raises(RunInUse) as refused:
        open_run(run)
    assert refused.value.exit_code == 5
    assert refused.value.message == (
        f'the run "r1" is being worked on by another process (pid {holder.pid} on {socket.gethostname()})'
    )
    assert "agentctl cancel r1" in (refused.value.hint or "")
    assert read_run(run)[2] is True
    holder.kill()
    holder.wait()
    assert read_run(run)[2] is False
    asyncio.run(open_run(run).close())
    assert (run / "lock").read_text() == ""


def test_of_eight_at_once_one_wins(tmp_path: Path, children: Children) -> None:
    run = new_run(tmp_path)
    eight = [children.start("hold", run) for _ in range(8)]
    assert {said(child) for child in eight} == {"ready"}
    for child in eight:
        say(child)
    outcomes = sorted(said(child) for child in eight)
    assert outcomes[-1] == "won"
    assert all(outcome.startswith("RunInUse") for outcome in outcomes[:-1])


def test_an_orphan_of_a_tool_does_not_hold_the_run(tmp_path: Path, children: Children) -> None:
    run = new_run(tmp_path)
    parent = children.start("orphan", run)
    orphan = int(said(parent))
    assert parent.wait(timeout=60) == -9
    os.kill(orphan, 0)
    assert not is_locked(run)
    asyncio.run(open_run(run).close())


def test_release_frees_it_and_may_be_repeated(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    first = RunLock.take(run)
    assert is_locked(run)
    with pytest.raises(RunInUse):
        RunLock.take(run)
    first.release()
    assert not is_locked(run)
    second = RunLock.take(run)
    first.release()
    assert is_locked(run)
    second.release()


def test_readers_do_not_take_each_other_for_holders(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    with (run / "lock").open() as reader:
        fcntl.flock(reader, fcntl.LOCK_SH)
        assert not is_locked(run)


def test_who_takes_it_waits_for_a_reader_to_look(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    reader = (run / "lock").open()
    fcntl.flock(reader, fcntl.LOCK_SH)
    leaving = threading.Timer(0.01, reader.close)
    leaving.start()
    RunLock.take(run).release()
    leaving.join()


def test_a_holder_without_a_name_is_still_a_holder(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    held = RunLock.take(run)
    (run / "lock").write_text("")
    with pytest.raises(RunInUse, match=r"by another process$"):
        RunLock.take(run)
    held.release()


def test_where_nothing_can_be_locked_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    run = new_run(tmp_path)
    monkeypatch.setattr(fcntl, "flock", no_locks)
    with pytest.raises(JournalError, match="No locks available"):
        RunLock.take(run)
    assert not is_locked(run)


def test_what_is_no_run_is_not_locked(tmp_path: Path) -> None:
    assert not is_locked(tmp_path / "nothing")
    with pytest.raises(JournalError, match="No such file"):
        RunLock.take(tmp_path / "nothing")
