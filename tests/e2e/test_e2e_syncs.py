"""What durability costs in syncs, counted by the batches of real journals, each of which is one."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

import agentctl
from agentctl.journal.scan import scan
from agentctl.jsontypes import Json

ROUNDS = 5


def syncs_a_step(folder: Path, branches: int) -> float:
    """Batches for each model and tool call of a team of so many parallel branches."""
    members: list[Json] = [
        {"name": f"m{number}", "description": f"Does {number}", "tools": ["tools:look"]}
        for number in range(branches)
    ]
    team = {"name": "team", "model": "script:models.yaml", "strategy": "parallel", "agents": members}
    look = {"calls": [{"name": "look", "arguments": {"place": 1}}], "repeat": ROUNDS}
    folder.mkdir()
    (folder / "team.yaml").write_text(json.dumps(team), "utf-8")
    (folder / "models.yaml").write_text(json.dumps({"agents": {"*": [look, "Enough."]}}), "utf-8")
    (folder / "tools.py").write_text("async def look(place: int) -> str:\n    return 'nothing'\n", "utf-8")
    view = asyncio.run(agentctl.run(folder, "Go.", run_id="r1", runs_dir=folder / "runs"))
    assert view.status == "completed"
    steps = sum(one.model_calls + one.tool_calls for one in view.executions)
    assert steps == branches * (2 * ROUNDS + 1)
    return len({record.batch for record in scan(folder / "runs" / "r1").records}) / steps


def test_forty_branches_need_at_most_a_quarter_of_the_syncs_that_one_needs(tmp_path: Path) -> None:
    alone, forty = syncs_a_step(tmp_path / "alone", 1), syncs_a_step(tmp_path / "forty", 40)
    assert forty <= alone / 4, (forty, alone)


def test_a_question_needs_a_sync_for_what_has_happened_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One for what finished or was decided, at most, and one for what is asked before a tool runs."""
    support = Path(__file__).parents[2] / "teams" / "support"
    monkeypatch.setenv("AGENTCTL_MODEL", "offline")
    question = "What's the balance on account ACC-123?"
    asyncio.run(agentctl.run(support, question, run_id="r1", runs_dir=tmp_path))
    records = scan(tmp_path / "r1").records
    ends = [record.ev for record in records if record.ev.endswith(".completed")]
    assert len({record.batch for record in records}) <= len(ends) + 1
