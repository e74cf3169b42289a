"""Whole runs of every strategy, as each released format kept them, go on to the same answer."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest

import agentctl
from agentctl import RunView
from agentctl.api.answers import Reply
from agentctl.journal.records import FORMAT
from agentctl.jsontypes import as_text
from chaos.casts import NINE, Cast

GOLDEN = Path(__file__).with_name("golden")


@pytest.mark.parametrize("version", range(1, FORMAT + 1))
@pytest.mark.parametrize("cast", NINE, ids=[cast.name for cast in NINE])
def test_it_goes_on_from_anywhere(
    cast: Cast, version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.write(tmp_path / "team")
    monkeypatch.chdir(tmp_path / "team")
    golden = GOLDEN / f"runs-{version}" / cast.name
    lines = (golden / "journal.jsonl").read_bytes().splitlines(keepends=True)
    answer = json.loads(lines[-1])["answer"]
    for count in (1, len(lines) // 3, len(lines) // 2, len(lines) - 1):
        run = tmp_path / str(count) / "r1"
        shutil.copytree(golden, run)
        (run / "journal.jsonl").write_bytes(b"".join(lines[:count]))
        Path("effects").unlink(missing_ok=True)
        view = resumed(run.parent)
        assert (view.status, view.answer) == ("completed", answer)
    assert not Path("effects").exists(), "only the end was missing"


def resumed(runs: Path) -> RunView:
    """To its end, with calls in doubt made again."""
    view = asyncio.run(agentctl.resume("r1", runs_dir=runs))
    while view.status == "waiting":
        replies = [Reply(kind="rerun", step=as_text(one.get("step"))) for one in view.waiting_for]
        view = asyncio.run(agentctl.resume("r1", runs_dir=runs, replies=replies))
    return view
