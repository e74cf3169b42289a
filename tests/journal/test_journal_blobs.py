from __future__ import annotations

import asyncio
import hashlib
import json
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from journal_runs import new_run

from agentctl.errors import JournalError
from agentctl.journal.blobs import LIMIT, pack, unpack
from agentctl.journal.directory import open_run
from agentctl.journal.line import from_line, json_bytes, to_line
from agentctl.journal.reading import read_run
from agentctl.journal.records import Record
from agentctl.jsontypes import Json

LONG = "lang " * LIMIT
KEYS = st.one_of(
    st.text(string.printable, max_size=4), st.sampled_from(["$blob", "$$blob", "bytes", "$blobs"])
)
VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False),
        st.text(max_size=8),
        st.sampled_from([LONG, "ü" * LIMIT, '$blob"']),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=6,
)
DATA = st.dictionaries(KEYS, VALUES, max_size=3)


@given(DATA)
def test_packed_and_unpacked_is_the_same(data: dict[str, Json]) -> None:
    packed, blobs = pack(data)
    by_name = {blob.name: blob.data for blob in blobs}
    assert unpack(json.loads(json_bytes(packed)), by_name.__getitem__) == data
    for blob in blobs:
        assert hashlib.sha256(blob.data).hexdigest() == blob.name
    assert all(len(json_bytes(value)) <= LIMIT for value in packed.values())


@given(st.text(max_size=20), st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=3))
def test_a_line_holds_any_text(step: str, out: dict[str, Json]) -> None:
    record = Record(seq=1, batch=1, ts=1.5, t=0.0, ev="tool.completed", step=step, data={"out": out})
    line = to_line(record)
    assert from_line(line) == record
    assert line.count(b"\n") == 1


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb"])
def test_half_a_surrogate_survives(text: str) -> None:
    record = Record(seq=1, batch=1, ts=1.5, t=0.0, ev="tool.completed", data={"out": text})
    assert from_line(to_line(record)) == record
    packed, blobs = pack({"out": text * LIMIT})
    assert unpack(packed, lambda _: blobs[0].data) == {"out": text * LIMIT}


def test_the_limit_is_of_the_json(tmp_path: Path) -> None:
    assert pack({"out": "x" * (LIMIT - 2)})[1] == []
    assert len(pack({"out": "x" * (LIMIT - 1)})[1]) == 1
    assert len(pack({"out": ["x" * 900] * 40})[1]) == 1
    packed, blobs = pack({"out": {"short": "s", "long": LONG}})
    assert len(blobs) == 1
    assert unpack(packed, lambda _: b'"here"') == {"out": {"short": "s", "long": "here"}}


def record_long(run: Path, *values: Json) -> None:
    async def scene() -> None:
        journal = open_run(run)
        for value in values:
            record = await journal.append("tool.completed", "a", {"out": value})
            assert record.data == {"out": value}
        await journal.close()

    asyncio.run(scene())


def test_long_values_stand_beside_the_journal_once(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    values: list[Json] = [LONG, {"text": LONG}, LONG + "!"]
    record_long(run, *values)
    assert len(list((run / "blobs").iterdir())) == 2
    assert (run / "journal.jsonl").stat().st_size < 1000
    assert [record.data["out"] for record in read_run(run)[1]] == values
    record_long(run, LONG)
    assert len(list((run / "blobs").iterdir())) == 2


def test_what_looks_like_a_marker_is_what_it_was(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    value: Json = {"$blob": "0" * 64, "bytes": 3, "$$blob": {"$blob": None}}
    record_long(run, value)
    assert not (run / "blobs").exists()
    assert read_run(run)[1][0].data == {"out": value}


def test_a_missing_or_changed_blob_is_refused(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    record_long(run, LONG)
    blob = next((run / "blobs").iterdir())
    whole = blob.read_bytes()
    blob.write_bytes(whole.replace(b"lang", b"kurz", 1))
    with pytest.raises(JournalError, match=f"{blob.name}.* is damaged"):
        read_run(run)
    blob.unlink()
    with pytest.raises(JournalError, match=f"{blob.name}.*cannot be read: No such file"):
        open_run(run)
    blob.write_bytes(whole)
    assert read_run(run)[1][0].data["out"] == LONG
