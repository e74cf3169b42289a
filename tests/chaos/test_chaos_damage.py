"""Damaged files of a run, resumed through the public API: the right answer or a refusal, nothing else."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import agentctl
from agentctl import RunView
from agentctl.api.answers import Reply
from agentctl.errors import AgentctlError
from agentctl.jsontypes import as_text
from chaos.casts import Cast, group, leaf, passes
from chaos.desk import RUN

SHARES = 2
LONG = 40_000
"""More than stands in a record itself, so that the run has a blob."""
BLOBBED = Cast(
    name="blobbed",
    team=group("front", "handoff", leaf("a"), leaf("b")),
    turns={
        "front": [passes("b")],
        "a": ["a is done"],
        "b": [
            {"calls": [{"name": "note", "arguments": {"text": "b" * LONG}}]},
            {"calls": [{"name": "send", "arguments": {"text": "b"}}]},
            "b is done",
        ],
    },
)


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The directory of a finished run; in memory where there is such a folder, for thousands of resumes."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        team = Path(name) / "team"
        BLOBBED.write(team)
        with monkeypatch.context() as patch:
            patch.chdir(team)
            view = asyncio.run(agentctl.run(".", "What now?", run_id=RUN))
            assert view.answer == "b is done"
            yield team / ".agentctl" / "runs" / RUN


class Case:
    """A copy of a run with one file damaged; `effects` are those which that run has had."""

    def __init__(self, whole: Path, name: str, damaged: bytes) -> None:
        self.runs = whole.parent.with_name("damaged")
        shutil.rmtree(self.runs, ignore_errors=True)
        shutil.copytree(whole, self.runs / RUN)
        (self.runs / RUN / name).write_bytes(damaged)
        self.effects = Path("effects")

    def resumed(self) -> RunView:
        """To its end, with calls in doubt made again."""
        view = self._resume()
        while view.status == "waiting":
            steps = [as_text(question.get("step")) for question in view.waiting_for]
            view = self._resume(*(Reply(kind="rerun", step=step) for step in steps))
        return view

    def _resume(self, *replies: Reply) -> RunView:
        return asyncio.run(agentctl.resume(RUN, runs_dir=self.runs, replies=replies))


def right_or_refused(whole: Path, name: str, damaged: bytes) -> bool:
    """Whether it was right. A refusal names the file, and in a journal the record."""
    case = Case(whole, name, damaged)
    refusal = None
    try:
        view = case.resumed()
    except AgentctlError as error:
        refusal = error
    if refusal is not None:
        file = case.runs / RUN / name
        assert f'"{file}" is ' in refusal.message or f'the run "{RUN}" has format' in refusal.message
        assert "journal" not in name or "damaged at record " in refusal.message
        assert refusal.hint
        return False
    assert (view.status, view.answer, view.path) == ("completed", "b is done", ("front", "b"))
    return True


@pytest.mark.parametrize("share", range(SHARES))
def test_truncated_at_any_byte_it_goes_on_from_what_is_whole(whole: Path, share: int) -> None:
    journal = (whole / "journal.jsonl").read_bytes()
    for size in range(share, len(journal) + 1, SHARES):
        assert right_or_refused(whole, "journal.jsonl", journal[:size]), size


def test_work_that_is_whole_is_not_done_again(whole: Path) -> None:
    """Counted by the tools, for a journal that ends after each of its records."""
    lines = (whole / "journal.jsonl").read_bytes().splitlines(keepends=True)
    for count in range(1, len(lines) + 1):
        kept = lines[:count]
        Path("effects").unlink(missing_ok=True)
        assert right_or_refused(whole, "journal.jsonl", b"".join(kept))
        done = {json.loads(line)["step"] for line in kept if json.loads(line)["ev"] == "tool.completed"}
        made = Path("effects").read_text("utf-8") if Path("effects").exists() else ""
        assert all(f":{step}:" not in made for step in done), count
        assert made.count("\n") == 2 - len(done), count


@pytest.mark.parametrize(
    "tail",
    [
        b"\0",
        b"\0" * 4096,
        b"\0" * 700 + b"\n",
        b"garbage",
        b"garbage\n{}\n",
        b'{"seq":',
        b"\xff\xfe\n\n",
        b"\n",
    ],
)
def test_a_tail_of_rubbish_behind_any_record_changes_nothing(whole: Path, tail: bytes) -> None:
    lines = (whole / "journal.jsonl").read_bytes().splitlines(keepends=True)
    for count in range(len(lines) + 1):
        assert right_or_refused(whole, "journal.jsonl", b"".join(lines[:count]) + tail), count


@pytest.mark.parametrize("share", range(SHARES))
def test_one_flipped_bit_in_every_byte_is_seen(whole: Path, everything: bool, share: int) -> None:
    journal = (whole / "journal.jsonl").read_bytes()
    last = json.loads(journal.splitlines()[-1])["batch"]
    acknowledged = journal.index(b'{"seq":%d,' % last)
    for offset in range(share, len(journal), SHARES):
        for bit in range(8) if everything else (offset % 8,):
            right = right_or_refused(whole, "journal.jsonl", flipped(journal, offset, bit))
            assert right is (offset >= acknowledged), (offset, bit)


@pytest.mark.parametrize("file", ["run.json", "team.yaml", "blobs"])
def test_one_flipped_bit_in_any_other_file_is_refused(whole: Path, file: str, everything: bool) -> None:
    name = file if file != "blobs" else f"blobs/{next((whole / 'blobs').iterdir()).name}"
    data = (whole / name).read_bytes()
    journal = (whole / "journal.jsonl").read_bytes().splitlines(keepends=True)
    unfinished = whole.parent / "unfinished"
    shutil.copytree(whole, unfinished)
    (unfinished / "journal.jsonl").write_bytes(b"".join(journal[:-3]))
    stride = 1 if everything or len(data) < LONG else 400
    for offset in range(0, len(data), stride):
        damaged = flipped(data, offset, offset % 8)
        assert not right_or_refused(unfinished, name, damaged), offset
    for size in range(0, len(data), 40 * stride):
        assert not right_or_refused(unfinished, name, data[:size]), size


@pytest.mark.parametrize("name", ["lock", "result.json"])
def test_what_is_not_the_truth_may_be_damaged(whole: Path, name: str) -> None:
    for data in (b"", b"\0" * 100, b"garbage"):
        assert right_or_refused(whole, name, data)


def flipped(data: bytes, offset: int, bit: int) -> bytes:
    return data[:offset] + bytes([data[offset] ^ (1 << bit)]) + data[offset + 1 :]
