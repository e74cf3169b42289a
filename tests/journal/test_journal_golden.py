"""Runs of every released format go on: read, folded, taken up and added to."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from agentctl.journal.directory import open_run
from agentctl.journal.header import read_team
from agentctl.journal.reading import read_run
from agentctl.journal.records import FORMAT
from agentctl.journal.summary import summarise

GOLDEN = Path(__file__).with_name("golden")
FORMATS = range(1, FORMAT + 1)


@pytest.fixture(params=FORMATS)
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return shutil.copytree(GOLDEN / f"format-{request.param}", tmp_path / "run")


def test_it_is_read(run: Path) -> None:
    header, records, live = read_run(run)
    assert read_team(run, header).startswith("name: support_supervisor\n")
    view = summarise(header, records, live=live)
    assert (view.run_id, view.status, view.request) == (
        run.name.replace("run", f"format-{header['format']}"),
        "interrupted",
        "What's the balance on account ACC-123?",
    )
    root, billing = view.executions
    assert (root.status, billing.answer, billing.tool_calls) == ("completed", "5432.10", 1)
    (tool,) = billing.steps
    assert tool.detail["arguments"] == {"account_id": "ACC-123", "$blob": "not a marker"}
    assert tool.detail["out"] == {"text": "5432.10 €\n" * 4000}


def test_it_goes_on(run: Path) -> None:
    before = read_run(run)[1]

    async def resume() -> None:
        journal = open_run(run)
        await journal.append("run.resumed")
        await journal.close()

    asyncio.run(resume())
    after = read_run(run)[1]
    assert after[:-1] == before
    assert (after[-1].seq, after[-1].ev) == (len(before) + 1, "run.resumed")
