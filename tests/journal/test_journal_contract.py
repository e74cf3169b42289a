"""What every journal does, whether it is a file or memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from journal_runs import new_run

from agentctl.errors import JournalError
from agentctl.journal.directory import open_run
from agentctl.journal.file import FileJournal
from agentctl.journal.memory import MemoryJournal

Either: TypeAlias = FileJournal | MemoryJournal
Opened: TypeAlias = Callable[[], Either]


@pytest.fixture(params=["file", "memory"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    if request.param == "memory":
        return MemoryJournal
    return lambda: open_run(new_run(tmp_path))


def test_records_stand_in_order_at_once(opened: Opened) -> None:
    async def scene() -> None:
        journal = opened()
        journal.append("run.started")
        journal.append("execution.started", "a", {"agent": "a"})
        assert [(r.seq, r.ev, r.step, r.data) for r in journal.records] == [
            (1, "run.started", "", {}),
            (2, "execution.started", "a", {"agent": "a"}),
        ]
        await journal.close()

    asyncio.run(scene())


def test_awaiting_gives_the_record(opened: Opened) -> None:
    async def scene() -> None:
        journal = opened()
        ticket = journal.append("tool.completed", "a/t", {"out": 1})
        record = await ticket
        assert record is journal.records[0]
        assert await ticket is record
        await journal.close()

    asyncio.run(scene())


def test_the_newest_of_several_kinds_is_looked_up(opened: Opened) -> None:
    async def scene() -> None:
        journal = opened()
        journal.append("execution.completed", "a", {"n": 1})
        journal.append("execution.failed", "a", {"n": 2})
        journal.append("execution.completed", "b", {"n": 3})
        kinds = ("execution.completed", "execution.failed")
        newest = [journal.last(step, kinds) for step in ("a", "b", "c")]
        assert [record and record.data["n"] for record in newest] == [2, 3, None]
        assert journal.last("a", ("execution.started",)) is None
        await journal.close()

    asyncio.run(scene())


def test_what_is_recorded_does_not_change_with_what_was_given(opened: Opened) -> None:
    async def scene() -> None:
        journal = opened()
        given = {"out": {"list": [1, 2]}}
        record = await journal.append("tool.completed", "a", given)
        given["out"]["list"].append(3)
        assert record.data == {"out": {"list": [1, 2]}}
        await journal.close()

    asyncio.run(scene())


def test_data_is_as_a_reader_of_json_sees_it(opened: Opened) -> None:
    async def scene() -> None:
        journal = opened()
        record = await journal.append(
            "decision.completed", "a", {"chosen": ("x", "y"), "text": "ü \ud800 \n"}
        )
        assert record.data == {"chosen": ["x", "y"], "text": "ü \ud800 \n"}
        await journal.close()

    asyncio.run(scene())


@pytest.mark.parametrize("data", [{"seq": 1}, {"step": "x"}, {"crc": ""}])
def test_the_record_s_own_names_are_refused(opened: Opened, data: dict[str, int]) -> None:
    async def scene() -> None:
        journal = opened()
        with pytest.raises(ValueError, match="the record's own"):
            journal.append("tool.completed", "a", data)
        assert (await journal.append("run.started")).seq == 1
        await journal.close()

    asyncio.run(scene())


def test_flush_waits_for_all_and_for_nothing(opened: Opened) -> None:
    async def scene() -> None:
        journal = opened()
        await journal.flush()
        journal.append("run.started")
        await journal.flush()
        await journal.flush()
        await journal.close()

    asyncio.run(scene())


def test_nothing_is_recorded_after_the_end(opened: Opened) -> None:
    async def scene() -> None:
        journal = opened()
        await journal.close()
        await journal.close()
        with pytest.raises(JournalError, match="closed"):
            journal.append("run.started")

    asyncio.run(scene())


def test_nobody_else_has_left_anything(opened: Opened) -> None:
    async def scene() -> None:
        journal = opened()
        assert list(journal.signals()) == []
        await journal.close()

    asyncio.run(scene())


def test_a_long_text_is_kept_and_named(opened: Opened) -> None:
    async def scene() -> None:
        journal = opened()
        name = journal.spill("a/turn-1/call-1.search", "long")
        assert "call-1.search" in name
        await journal.close()

    asyncio.run(scene())


def test_forty_branches_wait_for_few_batches(opened: Opened) -> None:
    async def scene() -> None:
        journal = opened()

        async def branch(name: int) -> None:
            for turn in range(5):
                journal.append("model.started", f"b{name}/{turn}")
                await journal.append("model.completed", f"b{name}/{turn}")

        async with asyncio.TaskGroup() as group:
            for name in range(40):
                group.create_task(branch(name))
        assert [record.seq for record in journal.records] == list(range(1, 401))
        if isinstance(journal, FileJournal):
            assert journal.batches <= 200 / 4
            assert journal.syncs == journal.batches
        await journal.close()

    asyncio.run(scene())
