"""What listeners are told, and when: no end that is not on the disk, and everything in order."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agentctl.engine.recorder import Recorder
from agentctl.errors import JournalError
from agentctl.journal.directory import create_run, open_run
from agentctl.journal.disk import SystemDisk
from agentctl.journal.file import FileJournal
from agentctl.jsontypes import JsonObject


class HeldDisk(SystemDisk):
    """Every sync waits until it is let go; with `fails`, it then fails."""

    def __init__(self, *, fails: bool = False) -> None:
        self.let_go = threading.Event()
        self.fails = fails

    def sync(self, descriptor: int) -> None:
        assert self.let_go.wait(30)
        if self.fails:
            raise OSError(28, "No space left on device")


def opened(folder: Path, disk: SystemDisk) -> FileJournal:
    now = datetime(2026, 11, 29, tzinfo=UTC)
    run = create_run(folder, run_id="r1", team="t", header={}, team_yaml="name: t\n", now=now)
    return open_run(run.path, disk=disk, linger=0)


def test_an_end_is_told_once_it_is_synced_and_what_follows_waits_for_it(tmp_path: Path) -> None:
    async def told_before_and_after() -> tuple[list[str], list[str], int]:
        disk, told = HeldDisk(), list[str]()
        journal = opened(tmp_path, disk)
        recorder = Recorder(journal, lambda event: told.append(str(event["ev"])))
        recorder.record("tool.started", "s")
        recorder.record("tool.completed", "s")
        recorder.record("model.started", "t")
        recorder.emit({"ev": "model.text"})
        before = list(told)
        disk.let_go.set()
        await recorder.told()
        after = list(told)
        await journal.close()
        return before, after, journal.syncs

    before, after, syncs = asyncio.run(told_before_and_after())
    assert before == ["tool.started"]
    assert after == ["tool.started", "tool.completed", "model.started", "model.text"]
    assert syncs <= 2, "telling costs none"


def test_what_nobody_waits_for_is_told_too(tmp_path: Path) -> None:
    async def until_told() -> None:
        disk, told = HeldDisk(), asyncio.Event()
        disk.let_go.set()
        journal = opened(tmp_path, disk)
        Recorder(journal, lambda _event: told.set()).record("execution.completed", "a")
        await asyncio.wait_for(told.wait(), 30)
        await journal.close()

    asyncio.run(until_told())


def test_what_never_came_to_the_disk_is_never_told(tmp_path: Path) -> None:
    async def until_it_fails() -> list[JsonObject]:
        disk, told = HeldDisk(fails=True), list[JsonObject]()
        journal = opened(tmp_path, disk)
        disk.let_go.set()
        recorder = Recorder(journal, told.append)
        done = recorder.record("model.completed", "s", {"out": "paid"})
        recorder.emit({"ev": "model.text", "text": "after it"})
        with pytest.raises(JournalError, match="the disk is full"):
            await done
        await journal.close()
        return told

    assert asyncio.run(until_it_fails()) == []
