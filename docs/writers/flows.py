"""The drawings of the nine strategies: what stands where, and who passes what to whom."""

from __future__ import annotations

from typing import Final

from flow_drawings import Arrow, Box, Drawing

_LEFT, _SECOND, _MIDDLE, _FOURTH, _RIGHT = 65, 222, 380, 538, 695


def _ends(y: float) -> tuple[Box, Box]:
    return Box(text="request", x=_LEFT, y=y, round=True), Box(text="answer", x=_RIGHT, y=y, round=True)


HANDOFF: Final = Drawing(
    name="handoff",
    height=210,
    boxes=(
        *_ends(105),
        Box(text="supervisor", x=_SECOND, y=105),
        Box(text="billing", x=_FOURTH - 50, y=30, faint=True),
        Box(text="technical", x=_FOURTH - 50, y=105),
        Box(text="sales", x=_FOURTH - 50, y=180, faint=True),
    ),
    arrows=(
        Arrow(start="request", end="supervisor"),
        Arrow(start="supervisor", end="technical", label="transfer_to_technical"),
        Arrow(start="supervisor", end="billing", faint=True),
        Arrow(start="supervisor", end="sales", faint=True),
        Arrow(start="technical", end="answer", label="its own words"),
    ),
)
ROUTER: Final = Drawing(
    name="router",
    height=210,
    boxes=(
        *_ends(105),
        Box(text="one choice", x=_SECOND, y=105),
        Box(text="accounts", x=_FOURTH - 30, y=30, faint=True),
        Box(text="network", x=_FOURTH - 30, y=105),
        Box(text="devices", x=_FOURTH - 30, y=180, faint=True),
    ),
    arrows=(
        Arrow(start="request", end="one choice"),
        Arrow(start="one choice", end="network", label="the request, untouched"),
        Arrow(start="one choice", end="accounts", faint=True),
        Arrow(start="one choice", end="devices", faint=True),
        Arrow(start="network", end="answer"),
    ),
)
SEQUENTIAL: Final = Drawing(
    name="sequential",
    height=150,
    boxes=(
        *_ends(75),
        Box(text="reader", x=_SECOND, y=75),
        Box(text="auditor", x=_MIDDLE, y=75),
        Box(text="clerk", x=_FOURTH, y=75),
    ),
    arrows=(
        Arrow(start="request", end="reader"),
        Arrow(start="reader", end="auditor"),
        Arrow(start="auditor", end="clerk"),
        Arrow(start="clerk", end="answer"),
        Arrow(start="auditor", end="answer", label="stop_if", bend=-32, faint=True),
        Arrow(start="request", end="auditor", label="with the request", bend=32, faint=True),
        Arrow(start="request", end="clerk", bend=34, faint=True),
    ),
)
PARALLEL: Final = Drawing(
    name="parallel",
    height=210,
    boxes=(
        *_ends(105),
        Box(text="security", x=_MIDDLE, y=30),
        Box(text="performance", x=_MIDDLE, y=105),
        Box(text="testing", x=_MIDDLE, y=180),
    ),
    arrows=(
        Arrow(start="request", end="security"),
        Arrow(start="request", end="performance", label="to all at once"),
        Arrow(start="request", end="testing"),
        Arrow(start="security", end="answer"),
        Arrow(start="performance", end="answer", label="each under its name"),
        Arrow(start="testing", end="answer"),
    ),
)
SWARM: Final = Drawing(
    name="swarm",
    height=220,
    boxes=(
        *_ends(60),
        Box(text="triage", x=_SECOND, y=60),
        Box(text="flights", x=_FOURTH - 30, y=60),
        Box(text="hotels", x=(_SECOND + _FOURTH - 30) / 2, y=180),
    ),
    arrows=(
        Arrow(start="request", end="triage", label="start"),
        Arrow(start="triage", end="flights", label="transfer_to_flights", bend=14),
        Arrow(start="flights", end="triage", bend=14),
        Arrow(start="flights", end="hotels", label="", bend=14),
        Arrow(start="hotels", end="flights", bend=14),
        Arrow(start="triage", end="hotels", bend=14),
        Arrow(start="hotels", end="triage", bend=14),
        Arrow(start="flights", end="answer", label="no transfer"),
    ),
)
ROUND_ROBIN: Final = Drawing(
    name="round_robin",
    height=170,
    boxes=(
        *_ends(70),
        Box(text="editor", x=_SECOND + 20, y=70),
        Box(text="critic", x=_FOURTH - 20, y=70),
    ),
    arrows=(
        Arrow(start="request", end="editor"),
        Arrow(start="editor", end="critic", label="the conversation so far", bend=14),
        Arrow(start="critic", end="editor", label="the conversation so far", bend=14),
        Arrow(start="critic", end="answer", label="last turn"),
    ),
)
RANDOM: Final = Drawing(
    name="random",
    height=170,
    boxes=(
        *_ends(85),
        Box(text="a draw", x=_SECOND, y=85),
        Box(text="concise", x=_FOURTH - 30, y=35),
        Box(text="guided", x=_FOURTH - 30, y=135, faint=True),
    ),
    arrows=(
        Arrow(start="request", end="a draw"),
        Arrow(start="a draw", end="concise", label="weight 9"),
        Arrow(start="a draw", end="guided", label="weight 1", faint=True),
        Arrow(start="concise", end="answer"),
    ),
)
PLAN_EXECUTE: Final = Drawing(
    name="plan_execute",
    height=260,
    boxes=(
        Box(text="request", x=_LEFT, y=60, round=True),
        Box(text="planner", x=_SECOND, y=60),
        Box(text="step 1", x=_MIDDLE + 60, y=30),
        Box(text="step 2", x=_MIDDLE + 60, y=100),
        Box(text="step 3", x=_FOURTH + 110, y=65),
        Box(text="answer", x=_LEFT, y=190, round=True),
    ),
    arrows=(
        Arrow(start="request", end="planner"),
        Arrow(start="planner", end="step 1"),
        Arrow(start="planner", end="step 2"),
        Arrow(start="step 1", end="step 3"),
        Arrow(start="step 2", end="step 3"),
        Arrow(start="step 3", end="planner", label="all results: finish, or plan again", bend=92),
        Arrow(start="planner", end="answer"),
    ),
)
MANUAL: Final = Drawing(
    name="manual",
    height=190,
    boxes=(
        *_ends(95),
        Box(text="a person", x=_SECOND + 10, y=95, round=True),
        Box(text="plumbing", x=_FOURTH - 50, y=30),
        Box(text="electrics", x=_FOURTH - 50, y=160),
    ),
    arrows=(
        Arrow(start="request", end="a person"),
        Arrow(start="a person", end="plumbing", label="chooses", bend=12),
        Arrow(start="plumbing", end="a person", bend=12),
        Arrow(start="a person", end="electrics", bend=12),
        Arrow(start="electrics", end="a person", label="", bend=12),
        Arrow(start="a person", end="answer", label="finishes"),
    ),
)
FLOWS: Final = (HANDOFF, ROUTER, SEQUENTIAL, PARALLEL, SWARM, ROUND_ROBIN, RANDOM, PLAN_EXECUTE, MANUAL)
