"""A damaged journal gives what was acknowledged or a refusal, never anything else."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from journal_runs import new_run, record_batches

from agentctl.errors import JournalError
from agentctl.journal.directory import open_run
from agentctl.journal.records import Record
from agentctl.journal.scan import scan

BATCHES = [1, 2, 3, 1, 2]
LAST = 7
"""How many records stand before the last batch."""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = new_run(tmp_path)

    async def scene() -> None:
        journal = open_run(path)
        await record_batches(journal, BATCHES)
        await journal.close()

    asyncio.run(scene())
    return path


def outcome(run: Path, damaged: bytes) -> list[Record] | None:
    """The records that are read, or None for a refusal, which names file and record."""
    (run / "journal.jsonl").write_bytes(damaged)
    try:
        return scan(run).records
    except JournalError as error:
        refusal = error
    assert f'"{run / "journal.jsonl"}" is damaged at record ' in refusal.message
    assert refusal.hint
    return None


def lines(whole: bytes) -> list[bytes]:
    return whole.splitlines(keepends=True)


def test_truncated_at_every_byte_it_is_a_shorter_journal(run: Path) -> None:
    whole = (run / "journal.jsonl").read_bytes()
    original = scan(run).records
    for size in range(len(whole) + 1):
        assert outcome(run, whole[:size]) == original[: whole[:size].count(b"\n")]


def flips(whole: bytes) -> Iterator[tuple[int, bytes]]:
    damaged = bytearray(whole)
    for offset in range(len(whole)):
        for bit in range(8):
            damaged[offset] ^= 1 << bit
            yield offset, bytes(damaged)
            damaged[offset] ^= 1 << bit


@pytest.mark.chaos
def test_a_flipped_bit_anywhere_is_refused_or_cuts_the_last_batch(run: Path) -> None:
    whole = (run / "journal.jsonl").read_bytes()
    original = scan(run).records
    last_batch = sum(len(line) for line in lines(whole)[:LAST])
    for offset, damaged in flips(whole):
        found = outcome(run, damaged)
        if offset < last_batch:
            assert found is None, offset
        else:
            assert found == original[: whole[:offset].count(b"\n")], offset


@pytest.mark.parametrize(
    "tail", [b"\0" * 4096, b"\0" * 700 + b"\n" + b"\0" * 700, b"garbage\n{}\n", b'{"seq":', b"\xff\xfe\n\n"]
)
def test_a_tail_of_rubbish_is_no_record(run: Path, tail: bytes) -> None:
    original = scan(run).records
    whole = (run / "journal.jsonl").read_bytes()
    assert outcome(run, whole + tail) == original


def test_blocks_of_the_last_batch_may_be_lost_in_any_order(run: Path) -> None:
    whole = (run / "journal.jsonl").read_bytes()
    original = scan(run).records
    last_batch = sum(len(line) for line in lines(whole)[:LAST])
    for begin in range(last_batch, len(whole), 16):
        for end in range(begin + 16, len(whole) + 16, 64):
            hole = whole[:begin] + b"\0" * len(whole[begin:end]) + whole[end:]
            kept = whole[:begin].count(b"\n")
            assert outcome(run, hole) == original[:kept]


def test_a_hole_before_the_last_batch_is_refused(run: Path) -> None:
    whole = (run / "journal.jsonl").read_bytes()
    last_batch = sum(len(line) for line in lines(whole)[:LAST])
    for begin in range(0, last_batch, 16):
        hole = whole[:begin] + b"\0" * 16 + whole[begin + 16 :]
        assert outcome(run, hole) is None


@pytest.mark.parametrize(
    ("order", "record"),
    [
        ([0, 2, 3, 4, 5, 6, 7, 8], 2),
        ([0, 1, 2, 3, 4, 5, 6, 8], 8),
        ([0, 1, 1, 2], 3),
        ([0, 2, 1], 2),
        ([1, 2], 1),
    ],
)
def test_whole_records_that_are_missing_or_moved_are_refused(
    run: Path, order: list[int], record: int
) -> None:
    parts = lines((run / "journal.jsonl").read_bytes())
    (run / "journal.jsonl").write_bytes(b"".join(parts[number] for number in order))
    with pytest.raises(JournalError, match=f"damaged at record {record}:"):
        scan(run)


def test_rubbish_between_batches_is_refused(run: Path) -> None:
    parts = lines((run / "journal.jsonl").read_bytes())
    assert outcome(run, b"".join([*parts[:LAST], b"rubbish\n", *parts[LAST:]])) is None
    assert outcome(run, b"".join([*parts[:3], b"rubbish\n", *parts[3:]])) is None


def test_a_foreign_line_with_a_right_checksum_is_no_record(run: Path) -> None:
    original = scan(run).records
    whole = (run / "journal.jsonl").read_bytes()
    for body in (b'{"seq":"10","batch":10', b'{"seq":10', b'{"seq":10,,', b'{"seq":1,"seq":[]'):
        assert outcome(run, whole + sealed(body)) == original


def test_a_batch_that_never_began_is_refused(run: Path) -> None:
    parts = lines((run / "journal.jsonl").read_bytes())
    alone = b"".join(parts[4:])
    (run / "journal.jsonl").write_bytes(alone)
    with pytest.raises(JournalError, match="record 5 stands in its place"):
        scan(run)


def sealed(body: bytes) -> bytes:
    return body + b',"crc":"%08x"}\n' % zlib.crc32(body)


def test_a_record_of_a_batch_that_is_over_is_refused(run: Path) -> None:
    stray = sealed(b'{"seq":10,"batch":7,"ts":1,"t":1,"ev":"x","step":""')
    with (run / "journal.jsonl").open("ab") as file:
        file.write(stray)
    with pytest.raises(JournalError, match="damaged at record 10: it names a batch"):
        scan(run)


def test_a_record_behind_several_broken_beginnings_is_seen(run: Path) -> None:
    parts = lines((run / "journal.jsonl").read_bytes())
    merged = parts[0][:-1] + b'{"seq":{"seq":' + b"".join(parts[1:])
    assert outcome(run, merged) is None


def test_a_resume_cuts_the_tail_and_goes_on_in_order(run: Path) -> None:
    whole = (run / "journal.jsonl").read_bytes()

    async def resume() -> list[str]:
        journal = open_run(run)
        await journal.append("run.resumed")
        await journal.close()
        return [record.step or record.ev for record in scan(run).records]

    for size in range(len(whole) - 150, len(whole)):
        (run / "journal.jsonl").write_bytes(whole[:size] + b"\0" * 30)
        kept = whole[:size].count(b"\n")
        assert asyncio.run(resume()) == [*(f"s{n}" for n in range(1, kept + 1)), "run.resumed"]


def test_a_journal_that_is_gone_is_named(run: Path) -> None:
    (run / "journal.jsonl").unlink()
    with pytest.raises(JournalError, match=r"journal\.jsonl.*cannot be read"):
        scan(run)
    with pytest.raises(JournalError, match=r"journal\.jsonl.*cannot be read"):
        open_run(run)


def test_a_refused_run_is_not_left_locked(run: Path) -> None:
    whole = (run / "journal.jsonl").read_bytes()
    (run / "journal.jsonl").write_bytes(b"x" + whole[1:])
    for _ in range(2):
        with pytest.raises(JournalError, match="damaged at record 1"):
            open_run(run)
    (run / "journal.jsonl").write_bytes(whole)
    asyncio.run(open_run(run).close())
