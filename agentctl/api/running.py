"""From a run's header and team to its end: the one place where engine, journal, tools and models meet."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from agentctl.api.equip import Equipment
from agentctl.api.overrides import agents_limits, stated_bounds, stated_limits, with_bounds
from agentctl.api.own_team import run_inputs
from agentctl.engine.functions import World
from agentctl.engine.people import Ask
from agentctl.engine.recorder import Listener, Recorder
from agentctl.engine.revisions import REVISION
from agentctl.engine.run import Order, Run
from agentctl.engine.session import take_signals, work
from agentctl.engine.task import Said
from agentctl.journal.journal import Journal
from agentctl.journal.records import FORMAT, Record
from agentctl.journal.redact import Redactor
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text

if TYPE_CHECKING:
    from agentctl.api.replays import Replay


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """How this process takes part: who is asked, who listens, which limits the command sets, for the run by
    `<limit>` and for one agent by `<agent>.<limit>`.

    With `replay`, what was recorded is answered instead of asked. `pause` passes seconds between attempts.
    Only a `resumable` run tells how to go on.
    """

    ask: Ask | None = None
    listen: Listener | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    runs_dir: Path | None = None
    replay: Replay | None = None
    resumable: bool = True
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep


async def carry_on(
    header: JsonObject,
    equipment: Equipment,
    journal: Journal,
    manners: Manners,
    revisions: Sequence[tuple[str, JsonObject]] = (),
) -> Record:
    """Works on a run until its next end. Closes the journal and the models, whatever happens.

    `revisions` are (step, data) of what a person changed, put on record before anything is done.
    """
    recorder = Recorder(journal, manners.listen)
    run_id = as_text(header.get("run_id"))
    try:
        _begin(recorder, run_id, manners)
        await take_signals(recorder)
        for step, data in revisions:
            await recorder.record(REVISION, step, data)
        world = replace(world_of(header, equipment, journal), pause=manners.pause)
        ask = manners.ask
        if manners.replay is not None:
            world, ask = manners.replay.world(world), manners.replay.ask(ask)
        order = order_of(header, journal.records)
        ended = await work(
            lambda: Run(order, world, recorder, ask), recorder, _command(header, manners, journal)
        )
    finally:
        try:
            await equipment.close()
        finally:
            await journal.close()
    recorder.emit(
        {"ev": "run.finished", "status": ended.ev.partition(".")[2], "answer": ended.data.get("answer")}
    )
    return ended


def world_of(header: JsonObject, equipment: Equipment, journal: Journal) -> World:
    """What the functions of the run reach, as its records leave it."""
    bounds = stated_bounds(journal.records)
    return World(
        crew=replace(equipment.crew, team=with_bounds(equipment.crew.team, bounds)),
        models=equipment.models,
        functions=equipment.functions,
        inputs=run_inputs(header, journal.records),
        state=_state(journal),
        redact=Redactor(equipment.secrets.values()).redact,
        spill=journal.spill,
        spilled=journal.spilled,
        keep=journal.keep,
    )


def order_of(header: JsonObject, records: Sequence[Record]) -> Order:
    """What the run is to do, with the limits that commands have set for it."""
    return Order(
        run_id=as_text(header.get("run_id")),
        request=as_text(header.get("request")),
        earlier=tuple(Said.from_json(said) for said in as_list(header.get("earlier"))),
        overrides=stated_limits(records),
        by_agent=agents_limits(records),
        plan_only=header.get("plan_only") is True,
    )


def _begin(recorder: Recorder, run_id: str, manners: Manners) -> None:
    """A start, which rides along with what must be synced next."""
    data: dict[str, Json] = {"agentctl": version("agentctl"), "run_id": run_id}
    if manners.limits:
        data["limits"] = dict(manners.limits)
    if recorder.journal.records:
        recorder.record("run.resumed", data=data)
    else:
        recorder.record("run.started", data={**data, "format": FORMAT})


def _state(journal: Journal) -> dict[str, Json]:
    """What tools share, as the recorded changes left it, in the journal's order."""
    state: dict[str, Json] = {}
    for record in journal.records:
        if record.ev == "tool.completed":
            state.update(as_object(record.data.get("state")))
    return state


def _command(
    header: JsonObject, manners: Manners, journal: Journal
) -> Callable[[str, Mapping[str, Json], int], str]:
    """The command that answers a question, or goes on after a limit, ready to paste."""

    def command(step: str, request: Mapping[str, Json], open_questions: int) -> str:
        kind = as_text(request.get("kind"))
        places = [as_text(choice) for choice in as_list(request.get("choices"))]
        words = ["agentctl", "resume", as_text(header.get("run_id"))]
        if manners.runs_dir is not None:
            words += ["--runs-dir", str(manners.runs_dir)]
        if kind == "limit" and not manners.resumable:
            return ""
        if kind == "limit":
            more = as_text(request.get("more")).split()
            return shlex.join([*words, *(more or ["--with", _team_path(header, journal)])])
        if kind == "in_doubt":
            return shlex.join([*words, "--skip", step])  # of the two, the one that does nothing twice
        if open_questions > 1:
            words += ["--step", step]
        if kind == "question":
            return shlex.join([*words, "--answer", "TEXT"])
        if kind == "approve":
            return shlex.join([*words, "--approve"])
        return shlex.join([*words, "--choose", places[0] if places else ""])

    return command


def _team_path(header: JsonObject, journal: Journal) -> str:
    """The team file that the run goes by: its own, or the one that it was last edited with."""
    edited = [record.data for record in journal.records if record.ev == REVISION and "path" in record.data]
    return as_text((edited[-1] if edited else header).get("path"))
