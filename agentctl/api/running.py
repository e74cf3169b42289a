"""From a run's header and team to its end: the one place where engine, journal, tools and models meet."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from agentctl.api.equip import Equipment
from agentctl.engine.functions import World
from agentctl.engine.people import Ask
from agentctl.engine.recorder import Listener, Recorder
from agentctl.engine.run import Order, Run
from agentctl.engine.session import take_signals, work
from agentctl.engine.task import Said
from agentctl.journal.journal import Journal
from agentctl.journal.records import FORMAT, Record
from agentctl.journal.redact import Redactor
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.spec.team import LimitName

_LIMITS: Mapping[str, LimitName] = {
    "turns": "turns",
    "tool_calls": "tool_calls",
    "tokens": "tokens",
    "cost_usd": "cost_usd",
    "time": "time",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """How this process takes part: who is asked, who listens, which limits the command sets."""

    ask: Ask | None = None
    listen: Listener | None = None
    limits: Mapping[LimitName, float] = field(default_factory=dict)
    runs_dir: Path | None = None


async def carry_on(header: JsonObject, equipment: Equipment, journal: Journal, manners: Manners) -> Record:
    """Works on a run until its next end. Closes the journal and the models, whatever happens."""
    redactor = Redactor(equipment.secrets.values())
    recorder = Recorder(journal, manners.listen)
    run_id = as_text(header.get("run_id"))
    try:
        await _begin(recorder, run_id, manners)
        await take_signals(recorder)
        world = World(
            crew=equipment.crew,
            models=equipment.models,
            functions=equipment.functions,
            inputs=as_object(header.get("inputs")),
            state=_state(journal),
            redact=redactor.redact,
            spill=journal.spill,
        )
        order = Order(
            run_id=run_id,
            request=as_text(header.get("request")),
            earlier=tuple(Said.from_json(said) for said in as_list(header.get("earlier"))),
            overrides=_overrides(journal),
        )
        ended = await work(
            lambda: Run(order, world, recorder, manners.ask), recorder, _command(run_id, manners)
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


async def _begin(recorder: Recorder, run_id: str, manners: Manners) -> None:
    data: dict[str, Json] = {"agentctl": version("agentctl"), "run_id": run_id}
    if manners.limits:
        data["limits"] = {str(name): value for name, value in manners.limits.items()}
    if recorder.journal.records:
        await recorder.record("run.resumed", data=data)
    else:
        await recorder.record("run.started", data={**data, "format": FORMAT})


def _state(journal: Journal) -> dict[str, Json]:
    """What tools share, as the recorded changes left it, in the journal's order."""
    state: dict[str, Json] = {}
    for record in journal.records:
        if record.ev == "tool.completed":
            state.update(as_object(record.data.get("state")))
    return state


def _overrides(journal: Journal) -> dict[LimitName, float]:
    """Limits that this and earlier commands set, the latest word standing."""
    found: dict[LimitName, float] = {}
    for record in journal.records:
        for key, value in as_object(record.data.get("limits")).items():
            if record.ev.startswith("run.") and key in _LIMITS and isinstance(value, int | float):
                found[_LIMITS[key]] = float(value)
    return found


def _command(run_id: str, manners: Manners) -> Callable[[str, Mapping[str, Json], int], str]:
    """The command that answers a question, ready to paste."""

    def command(step: str, request: Mapping[str, Json], open_questions: int) -> str:
        kind = as_text(request.get("kind"))
        places = [as_text(choice) for choice in as_list(request.get("choices"))]
        words = ["agentctl", "resume", run_id]
        if manners.runs_dir is not None:
            words += ["--runs-dir", str(manners.runs_dir)]
        if kind == "in_doubt":
            return shlex.join([*words, "--rerun", step])
        if open_questions > 1:
            words += ["--step", step]
        if kind == "approve":
            return shlex.join([*words, "--approve"])
        return shlex.join([*words, "--choose", places[0] if places else ""])

    return command
