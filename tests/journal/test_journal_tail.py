"""A journal read on while it grows: each record once, and only whole ones."""

from __future__ import annotations

import asyncio
from pathlib import Path

from journal_runs import new_run, record_batches

from agentctl.journal.directory import open_run
from agentctl.journal.tail import Tail


def steps(tail: Tail) -> list[str]:
    return [record.step for record in tail.news()[0]]


def write(run: Path, *texts: str) -> None:
    async def scene() -> None:
        journal = open_run(run)
        for text in texts:
            journal.append("tool.completed", f"s{len(journal.records) + 1}", {"out": text})
        await journal.close()

    asyncio.run(scene())


def test_each_record_is_given_once_and_the_lock_says_whether_more_may_come(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    tail = Tail(run)

    async def scene() -> None:
        journal = open_run(run)
        assert tail.news() == ([], True)
        await record_batches(journal, [2])
        assert steps(tail) == ["s1", "s2"]
        assert steps(tail) == []
        await record_batches(journal, [1, 2])
        assert steps(tail) == ["s3", "s4", "s5"]
        await journal.close()

    asyncio.run(scene())
    assert tail.news() == ([], False)


def test_values_kept_beside_the_journal_are_read_too(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    tail = Tail(run)
    write(run, "short")
    assert steps(tail) == ["s1"]
    write(run, "long " * 20_000)
    ((record,), live) = tail.news()
    assert record.data["out"] == "long " * 20_000
    assert not live


def test_a_line_that_is_not_whole_waits_for_its_rest(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    write(run, "one", "two", "three")
    journal = run / "journal.jsonl"
    whole = journal.read_bytes()
    first, second, _ = whole.splitlines(keepends=True)
    tail = Tail(run)
    journal.write_bytes(first)
    assert steps(tail) == ["s1"]
    journal.write_bytes(first + second[:-9])
    assert steps(tail) == []
    journal.write_bytes(whole)
    assert steps(tail) == ["s2", "s3"]


def test_an_end_that_was_cut_off_and_written_anew_is_read_again(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    write(run, "one", "two, which is longer than what comes in its place")
    tail = Tail(run)
    assert steps(tail) == ["s1", "s2"]
    journal = run / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().splitlines(keepends=True)[0])
    write(run, "2", "three", "four")
    assert steps(tail) == ["s3", "s4"]
