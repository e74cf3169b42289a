from __future__ import annotations

import asyncio
import errno
from pathlib import Path

import pytest
from journal_runs import FailingDisk, new_run

from agentctl.errors import JournalError, UsageError
from agentctl.journal.directory import open_run
from agentctl.journal.signals import leave_signal, pending_signals


def test_signals_come_in_order_and_stay_until_they_are_on_record(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    left = [
        leave_signal(run, "answer", "a/choose", "billing"),
        leave_signal(run, "answer", "b/approve", {"deny": "no"}),
        leave_signal(run, "cancel", "", None),
    ]

    async def scene() -> None:
        journal = open_run(run)
        assert list(journal.signals()) == left
        await journal.append("signal.received", left[0].step, {"kind": "answer", "value": "billing"})
        assert list(journal.signals()) == left
        journal.forget(left[0])
        journal.forget(left[0])
        assert list(journal.signals()) == left[1:]
        await journal.close()

    asyncio.run(scene())


def test_the_first_answer_wins(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    first = leave_signal(run, "answer", "a/choose", "billing")
    assert leave_signal(run, "answer", "a/choose", "billing") == first
    with pytest.raises(UsageError, match=r'"a/choose" has been answered already'):
        leave_signal(run, "answer", "a/choose", "sales")
    assert pending_signals(run) == [first]


def test_to_cancel_twice_is_to_cancel(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    leave_signal(run, "cancel", "", None)
    leave_signal(run, "cancel", "", None)
    assert len(pending_signals(run)) == 1


def test_what_is_no_signal_is_left_alone(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    assert pending_signals(run) == []
    signal = leave_signal(run, "answer", "a", 1)
    for name, content in {
        "note.txt": "x",
        "1.json": "{",
        "2.json": "[]",
        "3.json": '{"kind": 1, "step": "", "value": 1}',
        ".4.json": '{"kind": "answer", "step": "", "value": 1}',
    }.items():
        (run / "signals" / name).write_text(content)
    assert pending_signals(run) == [signal]
    assert len(list((run / "signals").iterdir())) == 6


def test_a_signal_that_cannot_be_left_says_why(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    with pytest.raises(JournalError, match="the disk is full"):
        leave_signal(run, "answer", "a", 1, disk=FailingDisk(fail_write=1, error=errno.ENOSPC))
    assert pending_signals(run) == []
    (run / "signals").rmdir()
    (run / "signals").write_text("in the way")
    with pytest.raises(JournalError, match=r"signals.*cannot be read"):
        pending_signals(run)
