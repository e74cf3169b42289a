"""A program as a user writes it: held to the strictest types, and run by the tests."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import agentctl


@dataclass(frozen=True)
class Told:
    answer: str | None
    agents: tuple[str, ...]
    tools: list[str]
    text: str
    cost: float | None


def asked(team: agentctl.Team, question: str, runs: Path) -> agentctl.RunView:
    run: agentctl.RunView = team.run(question, runs_dir=runs, max_cost=1.0, max_time=60)
    return run.raise_for_status()


def listened(team: agentctl.Team, question: str, runs: Path) -> Told:
    tools: list[str] = []
    text = ""
    finished: agentctl.RunView | None = None
    for event in team.stream(question, runs_dir=runs):
        match event:
            case agentctl.ToolStarted(tool=tool):
                tools.append(tool)
            case agentctl.TextStreamed(text=piece):
                text += piece
            case agentctl.RunFinished(run=run):
                finished = run
    assert finished is not None
    return Told(finished.answer, finished.path, tools, text, finished.cost_usd)


async def both_at_once(team: agentctl.Team, *questions: str) -> list[str | None]:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(team.arun(question, durable=False)) for question in questions]
    return [task.result().answer for task in tasks]


def agrees(question: agentctl.OpenQuestion) -> agentctl.Reply | None:
    return agentctl.Reply(kind="approve") if question.kind == "approve" else None


async def agrees_later(question: agentctl.OpenQuestion) -> agentctl.Reply | None:
    await asyncio.sleep(0)
    return agrees(question)
