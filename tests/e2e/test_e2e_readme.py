"""The README's table of strategies: every command runs, and no strategy takes more calls than it says."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

import agentctl
from agentctl.jsontypes import Json
from agentctl.spec.strategies import STRATEGIES
from e2e.cast import Lines, Stage, agent, crew, steps, transfer
from e2e.command import ROOT

README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = re.findall(
    r"^\| `(\w+)` \| \[[^\]]+\]\((\S+)\) \| `agentctl run (\S+) \"(.*)\"` \|$", README, re.M
)
LEAST: dict[str, tuple[Lines, int]] = {
    "handoff": ({"lead": transfer("a")}, 2),
    "router": ({"lead": '{"agent": "b", "reason": "it fits"}'}, 2),
    "sequential": ({}, 3),
    "parallel": ({}, 3),
    "swarm": ({}, 1),
    "round_robin": ({}, 3),
    "random": ({}, 1),
    "plan_execute": ({"lead": [steps(("one", "a", ())), steps(answer="Done.")]}, 3),
    "manual": ({}, 1),
}


def test_there_is_a_team_for_every_strategy() -> None:
    assert [strategy for strategy, *_ in COMMANDS] == list(STRATEGIES)
    for strategy, file, folder, _ in COMMANDS:
        assert file == f"{folder}/team.yaml"
        root = agentctl.load_team(ROOT / folder).root
        assert root.strategy is not None
        assert root.strategy.type == strategy


@pytest.mark.parametrize(("strategy", "folder", "question"), [(one[0], one[2], one[3]) for one in COMMANDS])
def test_its_command_runs_offline(
    strategy: str, folder: str, question: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AGENTCTL_MODEL", raising=False)
    run = asyncio.run(agentctl.run(ROOT / folder, question, runs_dir=tmp_path))
    assert run.status == ("waiting" if strategy == "manual" else "completed"), run.error
    assert run.models in ((), ("offline",))


@pytest.mark.parametrize("strategy", LEAST)
def test_it_takes_as_few_calls_as_the_table_says(stage: Stage, strategy: str) -> None:
    lines, calls = LEAST[strategy]
    stage.set(agent("lead", *crew("a", "b", "c"), strategy=strategy), lines)
    answers: list[Json] = [{"choose": "a"}, {"finish": True}]

    async def ask(_question: object) -> Json:
        return answers.pop(0)

    assert stage.run(ask=ask).status == "completed"
    assert len(stage.order) == calls
    (row,) = re.findall(rf"^\| `{strategy}`(?: \(default\))? \|(?:[^|]*\|){{4}} (\d)([^|]*)\|$", README, re.M)
    number = {" an agent ": 3, " a turn ": 1 if strategy in ("random", "manual") else 3}.get(row[1], 1)
    assert int(row[0]) * number == calls
