"""What the models of a recorded run were sent, found by walking through its records again.

The journal holds what was sent as a hash only. Nothing is asked, called or written by the walk.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from agentctl.api.equip import Equipment, equip
from agentctl.api.overrides import stated_bounds, stated_limits, with_bounds
from agentctl.api.own_team import run_inputs
from agentctl.diagnostics import Report
from agentctl.engine.pause import Paused
from agentctl.engine.recorder import Recorder
from agentctl.engine.retrace import RetracingWorld
from agentctl.engine.run import Order, Run
from agentctl.engine.task import Said
from agentctl.errors import AgentctlError
from agentctl.journal.memory import MemoryJournal
from agentctl.journal.records import Record
from agentctl.jsontypes import JsonObject, as_list, as_text
from agentctl.spec.overrides import with_models
from agentctl.spec.read import team_environ
from agentctl.spec.team import Team

_LONGEST: Final = 20.0
"""Seconds for walking through a run again: nothing is done, so that it takes milliseconds."""


async def sent_to_models(
    team: Team, header: JsonObject, records: Sequence[Record]
) -> Mapping[str, JsonObject]:
    """The arguments of every model call of the run, by the hash on record, as far as they can be traced.

    A second walk knows of no failed delegation, and so comes by what was asked in those that a parent
    absorbed or tried again.
    """
    modest = with_models(team, {"": "offline"})  # none is asked, and a key or a script may be gone by now
    equipment = equip(modest, Report(), team_environ(team.folder, os.environ))
    known = [record for record in records if record.ev != "execution.failed"]
    try:
        asked = await _walk(equipment, header, records, records)
        if len(known) < len(records):
            asked = {**await _walk(equipment, header, records, known), **asked}
    finally:
        await equipment.close()
    return asked


async def _walk(
    equipment: Equipment, header: JsonObject, records: Sequence[Record], known: Sequence[Record]
) -> dict[str, JsonObject]:
    world = RetracingWorld(
        crew=replace(equipment.crew, team=with_bounds(equipment.crew.team, stated_bounds(records))),
        models=equipment.models,
        functions=equipment.functions,
        inputs=run_inputs(header, records),
        state={},
        redact=lambda value: value,
        spill=lambda name, _text: name,
        failures={record.step: record.data for record in records if record.ev.endswith(".failed")},
    )
    order = Order(
        run_id=as_text(header.get("run_id")),
        request=as_text(header.get("request")),
        earlier=tuple(Said.from_json(said) for said in as_list(header.get("earlier"))),
        overrides=stated_limits(records),
    )
    try:
        async with asyncio.timeout(_LONGEST):
            await Run(order, world, Recorder(MemoryJournal(records=known))).answer()
    except (AgentctlError, Paused, TimeoutError):
        pass  # the walk ends where the records do
    return world.asked
