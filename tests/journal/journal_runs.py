"""Run directories, disks that fail and records, for the tests of the journal."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from agentctl.journal.directory import create_run
from agentctl.journal.disk import SystemDisk
from agentctl.journal.file import FileJournal
from agentctl.journal.ledger import Clock
from agentctl.journal.records import Record
from agentctl.jsontypes import Json

CHILD = Path(__file__).with_name("journal_child.py")
NOW = datetime(2026, 11, 29, 13, 15, 2, tzinfo=UTC)


def child_environment() -> dict[str, str]:
    """Without the measuring of coverage, whose data a killed process leaves broken."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}


def new_run(folder: Path, run_id: str = "r1") -> Path:
    """A run directory without records."""
    return create_run(
        folder / ".agentctl" / "runs",
        run_id=run_id,
        team="support",
        header={"request": "How much?"},
        team_yaml="name: support\n",
        now=NOW,
    ).path


async def record_batches(journal: FileJournal, sizes: list[int]) -> None:
    """Batches of these sizes, of records `tool.completed` on steps `s1`, `s2`, …"""
    for size in sizes:
        for _ in range(size):
            number = len(journal.records) + 1
            journal.append("tool.completed", f"s{number}", {"out": f"result {number}"})
        await journal.flush()


@dataclass(slots=True)
class FailingDisk(SystemDisk):
    """The n-th write or sync of all (from 1) fails; a failing write first writes `partly` bytes of it."""

    fail_write: int = 0
    fail_sync: int = 0
    error: int = errno.EIO
    partly: int = 0
    writes: int = 0
    syncs: int = 0
    after_failure: int = 0
    failed: bool = False

    def write(self, descriptor: int, data: memoryview) -> int:
        self.after_failure += self.failed
        self.writes += 1
        if self.writes == self.fail_write:
            os.write(descriptor, data[: self.partly])
            self.fail()
        return os.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        self.after_failure += self.failed
        self.syncs += 1
        if self.syncs == self.fail_sync:
            self.fail()
        os.fsync(descriptor)

    def fail(self) -> None:
        self.failed = True
        raise OSError(self.error, os.strerror(self.error))


class TricklingDisk(SystemDisk):
    """Writes seven bytes at a time."""

    def write(self, descriptor: int, data: memoryview) -> int:
        return os.write(descriptor, data[:7])


class TellingDisk(SystemDisk):
    """Tells after every write and sync which of them it was."""

    def __init__(self, tell: Callable[[str], object]) -> None:
        self._tell = tell

    def write(self, descriptor: int, data: memoryview) -> int:
        written = os.write(descriptor, data)
        self._tell("write")
        return written

    def sync(self, descriptor: int) -> None:
        os.fsync(descriptor)
        self._tell("sync")


@dataclass(slots=True)
class KillingDisk(SystemDisk):
    """Kills its own process at the n-th batch: `before write`, `before sync` or `after sync`."""

    batch: int
    moment: str
    count: int = 0

    def write(self, descriptor: int, data: memoryview) -> int:
        self.count += 1
        self.die("before write")
        return os.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        self.die("before sync")
        os.fsync(descriptor)
        self.die("after sync")

    def die(self, moment: str) -> None:
        if (self.count, self.moment) == (self.batch, moment):
            os.kill(os.getpid(), signal.SIGKILL)


@dataclass(slots=True)
class Hands:
    """A clock that stands where it is put."""

    now: float = 1000.0
    monotonic: float = 50.0
    clock: Clock = field(init=False)

    def __post_init__(self) -> None:
        self.clock = Clock(now=lambda: self.now, monotonic=lambda: self.monotonic)


class Story:
    """Records in order; `t` is in seconds, as given, else that of the record before."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def add(self, ev: str, step: str = "", *, t: float | None = None, **data: Json) -> None:
        seq = len(self.records) + 1
        before = self.records[-1].t if self.records else 0.0
        self.records.append(
            Record(
                seq=seq,
                batch=seq,
                ts=1000.0 + seq,
                t=before if t is None else t,
                ev=ev,
                step=step,
                data=data,
            )
        )

    def model(self, step: str, *, cost: float | None = 0.5, model: str = "m") -> None:
        """A model call that cost 10 + 5 tokens and took 20 ms."""
        usage: Json = {"input_tokens": 10, "output_tokens": 5, "cached_tokens": 2, "reasoning_tokens": 1}
        self.add("model.started", step, model=model, agent="a")
        out: Json = {"text": "hm", "model": model, "usage": usage, "cost_usd": cost}
        self.add("model.completed", step, out=out, ms=20)
