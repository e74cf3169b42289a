from __future__ import annotations

import asyncio
import gc
import stat
import zlib
from pathlib import Path
from typing import cast

import pytest
from journal_runs import Hands, TellingDisk, TricklingDisk, new_run, record_batches

from agentctl.errors import JournalError
from agentctl.journal.directory import open_run
from agentctl.journal.reading import read_run
from agentctl.journal.scan import scan
from agentctl.jsontypes import Json


def test_what_was_awaited_is_there_after_reopening(tmp_path: Path) -> None:
    path = new_run(tmp_path)

    async def scene() -> None:
        journal = open_run(path)
        await record_batches(journal, [1, 2])
        await journal.close()
        again = open_run(path)
        assert [record.step for record in again.records] == ["s1", "s2", "s3"]
        await record_batches(again, [1])
        await again.close()

    asyncio.run(scene())
    _, records, live = read_run(path)
    assert [(record.seq, record.batch, record.step) for record in records] == [
        (1, 1, "s1"),
        (2, 2, "s2"),
        (3, 2, "s3"),
        (4, 4, "s4"),
    ]
    assert not live


def test_close_records_what_nobody_waited_for(tmp_path: Path) -> None:
    path = new_run(tmp_path)

    async def scene() -> None:
        journal = open_run(path, linger=60)
        journal.append("model.started", "a")
        await journal.close()

    asyncio.run(scene())
    assert [record.ev for record in read_run(path)[1]] == ["model.started"]


def test_a_start_that_nobody_waits_for_rides_along(tmp_path: Path) -> None:
    async def scene() -> None:
        journal = open_run(new_run(tmp_path), linger=60)
        journal.append("model.started", "a")
        journal.append("model.completed", "a")
        assert journal.batches == 0
        await journal.append("decision.completed", "a/d")
        assert (journal.batches, journal.syncs) == (1, 1)
        assert {record.batch for record in journal.records} == {1}
        await journal.close()

    asyncio.run(scene())


def test_a_start_is_on_record_while_a_long_call_runs_and_synced_with_what_follows(tmp_path: Path) -> None:
    path = new_run(tmp_path)

    async def scene() -> None:
        told: asyncio.Queue[str] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        disk = TellingDisk(lambda call: loop.call_soon_threadsafe(told.put_nowait, call))
        journal = open_run(path, disk=disk)
        async with asyncio.timeout(10):
            for step in ("a", "b"):
                journal.append("model.started", step)
                assert await told.get() == "write"
            assert [record.step for record in read_run(path)[1]] == ["a", "b"]
            assert journal.syncs == 0
            await journal.append("model.completed", "a")
            assert (journal.batches, journal.syncs) == (1, 1)
            journal.append("model.started", "c")
            assert [await told.get() for _ in range(3)] == ["write", "sync", "write"]
            await journal.close()
        assert [record.batch for record in read_run(path)[1]] == [1, 1, 1, 4]
        assert journal.syncs == 2

    asyncio.run(scene())


def test_what_finished_is_synced_although_nobody_waits_for_it(tmp_path: Path) -> None:
    async def scene() -> None:
        told: asyncio.Queue[str] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        disk = TellingDisk(lambda call: loop.call_soon_threadsafe(told.put_nowait, call))
        journal = open_run(new_run(tmp_path), disk=disk)
        journal.append("execution.completed", "a")
        journal.append("model.started", "b")
        async with asyncio.timeout(10):
            assert [await told.get(), await told.get()] == ["write", "sync"]
        await journal.close()

    asyncio.run(scene())


def test_a_start_that_somebody_waits_for_is_synced(tmp_path: Path) -> None:
    async def scene() -> None:
        told: asyncio.Queue[str] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        disk = TellingDisk(lambda call: loop.call_soon_threadsafe(told.put_nowait, call))
        journal = open_run(new_run(tmp_path), disk=disk)
        start = journal.append("tool.started", "a")
        async with asyncio.timeout(10):
            assert await told.get() == "write"
            await start
            assert await told.get() == "sync"
        await journal.close()

    asyncio.run(scene())


def test_a_line_is_plain_json_with_a_checksum(tmp_path: Path) -> None:
    path = new_run(tmp_path)
    hands = Hands(now=1000.25)

    async def scene() -> None:
        journal = open_run(path, clock=hands.clock)
        hands.monotonic += 1.5
        await journal.append("tool.completed", "a/t", {"out": "Zürich"})
        await journal.close()

    asyncio.run(scene())
    body = '{"seq":1,"batch":1,"ts":1000.25,"t":1.5,"ev":"tool.completed","step":"a/t","out":"Zürich"'
    crc = zlib.crc32(body.encode())
    assert (path / "journal.jsonl").read_text(encoding="utf-8") == f'{body},"crc":"{crc:08x}"}}\n'


def test_the_wall_clock_may_go_backwards(tmp_path: Path) -> None:
    path = new_run(tmp_path)
    hands = Hands()

    async def scene() -> None:
        journal = open_run(path, clock=hands.clock)
        await journal.append("run.started")
        hands.now, hands.monotonic = 10.0, 51.0
        await journal.append("run.resumed")
        await journal.close()

    asyncio.run(scene())
    assert [(record.ts, record.t) for record in read_run(path)[1]] == [(1000.0, 0.0), (10.0, 1.0)]


def test_short_writes_are_made_whole(tmp_path: Path) -> None:
    path = new_run(tmp_path)

    async def scene() -> None:
        journal = open_run(path, disk=TricklingDisk())
        await record_batches(journal, [3, 1])
        await journal.append("tool.completed", "long", {"out": "x" * 40_000})
        await journal.close()

    asyncio.run(scene())
    assert [record.step for record in read_run(path)[1]] == ["s1", "s2", "s3", "s4", "long"]


def test_a_cancelled_waiter_disturbs_nobody(tmp_path: Path) -> None:
    async def scene() -> None:
        journal = open_run(new_run(tmp_path))
        first = asyncio.ensure_future(journal.append("tool.started", "a"))
        second = asyncio.ensure_future(journal.append("tool.started", "b"))
        await asyncio.sleep(0)
        first.cancel()
        assert (await second).step == "b"
        assert (await journal.append("tool.completed", "a")).seq == 3
        await journal.close()

    asyncio.run(scene())


def test_a_waiter_whose_loop_has_ended_disturbs_nobody(tmp_path: Path) -> None:
    path = new_run(tmp_path)
    journal = open_run(path, linger=60)

    async def leave() -> None:
        waiting = asyncio.ensure_future(journal.append("tool.started", "a"))
        await asyncio.sleep(0)
        waiting.cancel()

    async def end() -> None:
        assert (await journal.append("tool.completed", "a")).seq == 2
        await journal.close()

    asyncio.run(leave())
    asyncio.run(end())
    assert len(read_run(path)[1]) == 2


def test_a_failure_that_nobody_waits_for_is_quiet(tmp_path: Path) -> None:
    path = new_run(tmp_path)

    async def scene() -> None:
        journal = open_run(path)
        journal.append("run.started")
        await journal.close()
        gc.collect()

    asyncio.run(scene())


def test_data_that_is_no_json_leaves_no_gap(tmp_path: Path) -> None:
    async def scene() -> None:
        journal = open_run(new_run(tmp_path))
        with pytest.raises(TypeError):
            journal.append("tool.completed", "a", {"out": cast("Json", object())})
        assert (await journal.append("tool.completed", "a")).seq == 1
        await journal.close()

    asyncio.run(scene())


def test_spilled_texts_have_names_of_their_own(tmp_path: Path) -> None:
    path = new_run(tmp_path)

    async def scene() -> None:
        journal = open_run(path)
        names = {
            journal.spill("plain", "one"),
            journal.spill("a/b", "two"),
            journal.spill("a_b", "three \ud800"),
            journal.spill("../../a", "four"),
            journal.spill("x" * 300, "five"),
        }
        assert len(names) == 5
        assert {Path(name).parent for name in names} == {path / "spilled"}
        assert (path / "spilled" / "plain.txt").read_text() == "one"
        assert stat.S_IMODE((path / "spilled" / "plain.txt").stat().st_mode) == 0o600
        await journal.close()

    asyncio.run(scene())


def test_a_spill_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    path = new_run(tmp_path)
    (path / "spilled").write_text("in the way")

    async def scene() -> None:
        journal = open_run(path)
        with pytest.raises(JournalError, match=r"spilled.*cannot|cannot.*spilled"):
            journal.spill("a", "text")
        await journal.close()

    asyncio.run(scene())


def test_ten_thousand_waiters_share_batches(tmp_path: Path) -> None:
    path = new_run(tmp_path)

    async def scene() -> None:
        journal = open_run(path)

        async def one(number: int) -> None:
            await journal.append("tool.completed", f"s{number}", {"out": "x"})

        await asyncio.gather(*(one(number) for number in range(10_000)))
        assert journal.batches < 500
        await journal.close()

    asyncio.run(scene())
    assert len(read_run(path)[1]) == 10_000


def test_what_was_read_before_the_lock_holds_only_while_the_file_is_the_same(tmp_path: Path) -> None:
    async def grown() -> tuple[bool, int]:
        run = new_run(tmp_path)
        journal = open_run(run)
        await record_batches(journal, [2])
        await journal.close()
        known = scan(run)
        journal = open_run(run, known=known)
        same = journal.found is known
        await record_batches(journal, [1])
        await journal.close()
        journal = open_run(run, known=known)
        await journal.close()
        return same, len(journal.records)

    assert asyncio.run(grown()) == (True, 3)
