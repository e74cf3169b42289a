"""A team run once for a test: in memory, with everything there is to know about how it went."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from agentctl.api.equip import Equipment, equip
from agentctl.api.outputs import with_value
from agentctl.api.replays import Replay
from agentctl.api.running import Manners, carry_on
from agentctl.diagnostics import Report
from agentctl.engine.people import Ask
from agentctl.engine.replayed import at_once
from agentctl.journal.memory import MemoryJournal
from agentctl.journal.records import Record
from agentctl.journal.summary import RunView, summarise
from agentctl.jsontypes import Json, JsonObject
from agentctl.models.model import Model
from agentctl.models.offline.model import OfflineModel
from agentctl.models.replay import ReplayModel
from agentctl.models.retrying import Retrying
from agentctl.models.script import ScriptModel, UnusedTurn
from agentctl.spec.read import team_environ
from agentctl.spec.resolve import resolve_inputs, with_inputs
from agentctl.spec.team import Team


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """`unused` are the turns that no model took, by the script's file. `paused` is for how many seconds the
    run's models had to wait before they were asked again, which a script's does in no time.
    """

    view: RunView
    paused: float
    header: JsonObject
    records: tuple[Record, ...]
    unused: Mapping[str, tuple[UnusedTurn, ...]]


async def rehearse(
    team: Team,
    question: str,
    *,
    inputs: Mapping[str, Json],
    ask: Ask,
    replay: Replay | None = None,
) -> Rehearsal:
    """Raises AgentctlError for what keeps the run from starting."""
    given = resolve_inputs(team, inputs)
    equipment = equip(with_inputs(team, given), Report(), team_environ(team.folder, os.environ))
    local = all(map(_is_local, equipment.models.values()))
    equipment = replace(equipment, models={name: _quick(model) for name, model in equipment.models.items()})
    if replay is not None:
        equipment = replace(equipment, models=replay.models(equipment.models))
    header: JsonObject = {
        "run_id": "test",
        "team": team.root.name,
        "path": team.path,
        "folder": str(team.folder),
        "request": question,
        "inputs": given,
    }
    journal = MemoryJournal()
    pauses: list[float] = []

    def listen(event: JsonObject) -> None:
        wait = event.get("wait_s")
        if event.get("ev") == "model.retrying" and isinstance(wait, int | float):
            pauses.append(wait)

    manners = Manners(ask=ask, listen=listen, replay=replay)
    await carry_on(header, equipment, journal, replace(manners, pause=at_once) if local else manners)
    view = with_value(summarise(header, journal.records, live=False), equipment.crew.outputs)
    return Rehearsal(
        view=view,
        paused=sum(pauses),
        header=header,
        records=tuple(journal.records),
        unused=dict(_unused(equipment)),
    )


def _is_local(model: Model) -> bool:
    """Whether it answers out of itself, so that nobody is spared by waiting."""
    return isinstance(_inner(model), ScriptModel | ReplayModel | OfflineModel)


def _quick(model: Model) -> Model:
    """A script's failures are waited for in no time, and always for as long."""
    scripted = isinstance(model, Retrying) and isinstance(model.inner, ScriptModel)
    return model.unhurried_by(at_once) if isinstance(model, Retrying) and scripted else model


def _inner(model: Model) -> Model:
    return model.inner if isinstance(model, Retrying) else model


def _unused(equipment: Equipment) -> Iterator[tuple[str, tuple[UnusedTurn, ...]]]:
    for model in equipment.models.values():
        script = _inner(model)
        if isinstance(script, ScriptModel):
            yield str(script.file), tuple(script.unused())


def script_files(team: Team) -> set[str]:
    """The scripts that the team's models may be asked from."""
    models = [agent.model for agent in team.agents() if agent.model is not None]
    return {
        str(Path(os.path.normpath(model.folder / model.id.removeprefix("script:"))))
        for model in models
        if model.id.startswith("script:")
    }
