"""Each strategy as `show` and the lines of a run draw it: who decided what, and why, at a glance."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from agentctl.journal.summary import RunView, summarise
from agentctl.jsontypes import Json
from agentctl.models.messages import Reply
from agentctl.render.event_lines import EventLines
from agentctl.render.live_words import doing_now
from agentctl.render.show_tree import show_tree
from agentctl.render.story import Story
from agentctl.spec.strategies import (
    Handoff,
    HandoffRule,
    Manual,
    Parallel,
    PlanExecute,
    Random,
    RoundRobin,
    Router,
    Sequential,
    StopIf,
    Swarm,
)
from engine.harness import Stage, agent, call, calls, function, leaves, passes, person, play, tool

DRAWN = Path(__file__).parent / "drawn"
LOOK = tool("look", lambda _arguments: "all is fine", idempotent=True)
PLAN: Json = {
    "steps": [
        {"id": "price", "agent": "b", "task": "find the price"},
        {"id": "offer", "agent": "c", "task": "write the offer", "depends_on": ["price"]},
    ]
}
AGAIN: Json = {"steps": [{"id": "offer 2", "agent": "b", "task": "write it", "depends_on": ["price"]}]}
ANSWERS: list[Json] = [{"choose": "c"}, {"choose": "c", "reason": "once more"}, {"finish": True}]
STAGES = {
    "handoff": Stage(
        root=agent("desk", strategy=Handoff(), agents=leaves("b", "c")),
        says={
            "desk": [
                calls(call("transfer_to_x")),
                calls(call("transfer_to_b", '{"reason": "it is about money", "message": "the balance"}')),
            ],
            "b": [calls(call("look", '{"what": "ACC-1"}')), "It is 12."],
        },
        tools={"b": [LOOK]},
    ),
    "itself": Stage(
        root=agent("desk", strategy=Handoff(), agents=leaves("b", "c")), says={"desk": "Good morning."}
    ),
    "router": Stage(
        root=agent("desk", strategy=Router(), agents=leaves("b", "c")),
        says={"desk": '{"agent": "c", "reason": "it is about shipping"}'},
    ),
    "sequential": Stage(
        root=agent("chain", strategy=Sequential(stop_if=StopIf(text="ENOUGH")), agents=leaves("b", "c", "d")),
        says={"c": "ENOUGH for today."},
    ),
    "parallel": Stage(
        root=agent("panel", strategy=Parallel(on_error="continue"), agents=leaves("b", "c")),
        says={"c": Reply(text="")},
    ),
    "swarm": Stage(
        root=agent(
            "peers",
            strategy=Swarm(handoff_when=(HandoffRule(to="d", from_="c", text="cancelled"),)),
            agents=leaves("b", "c", "d"),
        ),
        says={
            "b": calls(
                call("transfer_to_c", '{"message": "look at the flight", "reason": "it is about a flight"}'),
                call("transfer_to_d", '{"message": "find a room"}', call_id="2"),
            ),
            "c": "It is cancelled.",
        },
    ),
    "round_robin": Stage(
        root=agent(
            "round",
            strategy=RoundRobin(turns=4, stop_if=StopIf(function=function("stop")), synthesize=True),
            agents=leaves("b", "c"),
        ),
        functions={"stop": lambda said: len(said) == 4},
    ),
    "random": Stage(
        root=agent("test", strategy=Random(weights={"b": 9, "c": 1}, seed=1), agents=leaves("b", "c")),
    ),
    "plan_execute": Stage(
        root=agent("lead", strategy=PlanExecute(), agents=leaves("b", "c")),
        says={
            "lead": [json.dumps(PLAN), json.dumps(AGAIN), '{"steps": [], "answer": "It is 12."}'],
            "c": Reply(text=""),
        },
    ),
    "manual": Stage(
        root=agent("desk", strategy=Manual(), agents=leaves("b", "c")),
    ),
    "nested": Stage(
        root=agent(
            "chain",
            strategy=Sequential(),
            agents=[
                agent("panel", strategy=Parallel(), agents=leaves("b", "c")),
                agent("peers", strategy=Swarm(), agents=leaves("d", "e")),
            ],
        ),
        says={"d": passes("e", "yours, since it is about a room")},
    ),
}


def told(name: str) -> tuple[RunView, list[str]]:
    """The run, and its decisions as lines while it went on."""
    ran = play(replace(STAGES[name], ask=person(*ANSWERS)))
    story = Story()
    lines = EventLines(story)
    decisions = []
    for record in ran.records:
        story.take(record.as_json())
        line = lines.line(record.as_json())
        if record.ev == "decision.completed":
            decisions.append(str(line))
    root = story.roots[0]
    assert root.state == "done"
    assert doing_now(root, story.now)
    return summarise({"run_id": "r", "request": "What now?"}, ran.records, live=False), decisions


def timeless(view: RunView) -> RunView:
    """The run as if each of its executions had taken a millisecond, one after the other."""
    executions = [
        replace(one, at=at, ms=1, steps=tuple(replace(step, at=at, ms=1) for step in one.steps))
        for at, one in enumerate(view.executions)
    ]
    return replace(view, executions=tuple(executions))


def drawn(name: str) -> str:
    """The lines of the decisions, and the tree on a wide and on a narrow terminal."""
    view, decisions = told(name)
    trees = [[line.plain for line in show_tree(timeless(view), width=width)] for width in (110, 40)]
    return "\n\n".join("\n".join(part) for part in (decisions, *trees)) + "\n"


@pytest.mark.parametrize("name", STAGES)
def test_it_is_drawn_so_that_one_sees_who_decided_what_and_why(name: str) -> None:
    assert drawn(name) == (DRAWN / f"{name}.txt").read_text("utf-8")


@pytest.mark.parametrize("name", STAGES)
@pytest.mark.parametrize("width", [20, 40, 80])
def test_no_line_is_wider_than_the_terminal(name: str, width: int) -> None:
    view, _ = told(name)
    assert max(cell_len(line.plain) for line in show_tree(view, width=width)) <= width
