"""Runs: started, resumed, answered. What the commands do, and what programs call."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from agentctl.api.answers import Reply, leave_answers
from agentctl.api.equip import Equipment, equip, team_secrets
from agentctl.api.looking import as_path, run_folder, view_of
from agentctl.api.running import Manners, carry_on
from agentctl.api.teams import broken, read
from agentctl.diagnostics import Report
from agentctl.engine.people import Ask
from agentctl.engine.recorder import Listener
from agentctl.errors import UsageError
from agentctl.journal.directory import create_run
from agentctl.journal.directory import open_run as take_up
from agentctl.journal.finding import find_runs_dir
from agentctl.journal.header import read_header
from agentctl.journal.header import read_team as team_text
from agentctl.journal.memory import MemoryJournal
from agentctl.journal.redact import Redactor
from agentctl.journal.result import write_result
from agentctl.journal.summary import RunView, run_json, summarise
from agentctl.jsontypes import Json, JsonObject, as_object, as_text, digest
from agentctl.spec.read import read_team, team_environ
from agentctl.spec.resolve import dump_team, resolve_inputs, with_inputs
from agentctl.spec.team import LimitName, Team


async def run(
    team: str | Path,
    question: str,
    *,
    inputs: Mapping[str, str] | None = None,
    models: Mapping[str, str] | None = None,
    run_id: str | None = None,
    runs_dir: str | Path | None = None,
    durable: bool = True,
    after: str | None = None,
    max_cost: float | None = None,
    max_time: float | None = None,
    approve_all: bool = False,
    ask: Ask | None = None,
    on_event: Listener | None = None,
) -> RunView:
    """Runs a team on a question.

    `models` gives the model id by agent, `""` for every agent. `max_cost` is in USD, `max_time` in
    seconds. `durable=False` writes nothing. A `run_id` that is there already gives its recorded result,
    or goes on with it. Raises AgentctlError for what keeps the run from starting; how a run ended, well
    or not, is in the view.
    """
    if not question.strip():
        raise UsageError("the question is empty", hint='give one: agentctl run TEAM "…"')
    report = Report()
    resolved = read(team, report, models=models)
    environ = team_environ(resolved.folder, os.environ)
    secrets = team_secrets(resolved, environ)
    redactor = Redactor(secrets.values())
    given = as_object(redactor.redact(resolve_inputs(resolved, inputs or {})))
    equipment = equip(with_inputs(resolved, given), report, environ)
    folder = find_runs_dir(Path.cwd(), as_path(runs_dir), os.environ, creating=True)
    manners = _manners(ask, on_event, max_cost, max_time, approve_all, runs_dir)
    header = _header(resolved, redactor.text(question), given, _earlier(after, runs_dir))
    if not durable:
        return await _ephemeral(resolved, header, equipment, manners)
    place = create_run(
        folder,
        run_id=run_id,
        team=resolved.root.name,
        header=header,
        team_yaml=_without_secrets(dump_team(resolved), secrets),
        now=datetime.now(UTC),
    )
    if not place.created:
        await equipment.close()
        _must_be_same(read_header(place.path), header, place.run_id)
        return await _resumed(place.path, manners)
    await carry_on(read_header(place.path), equipment, take_up(place.path), manners)
    return _told(place.path)


async def resume(
    run_id: str | None = None,
    *,
    runs_dir: str | Path | None = None,
    replies: Sequence[Reply] = (),
    max_cost: float | None = None,
    max_time: float | None = None,
    approve_all: bool = False,
    ask: Ask | None = None,
    on_event: Listener | None = None,
) -> RunView:
    """Continues a run (the newest one without an id), first answering what it waits for.

    A finished run gives its result and calls nothing. An answer to a run that another process works on
    is left for that process; without an answer such a run raises RunInUse.
    """
    path = run_folder(run_id, runs_dir=runs_dir)
    manners = _manners(ask, on_event, max_cost, max_time, approve_all, runs_dir)
    if replies:
        leave_answers(path, view_of(path), replies)
        if view_of(path).status == "running":
            return view_of(path)
    return await _resumed(path, manners)


async def _ephemeral(team: Team, header: JsonObject, equipment: Equipment, manners: Manners) -> RunView:
    journal = MemoryJournal()
    whole: JsonObject = {**header, "run_id": "ephemeral", "team": team.root.name}
    await carry_on(whole, equipment, journal, manners)
    return summarise(whole, journal.records, live=False)


async def _resumed(path: Path, manners: Manners) -> RunView:
    view = view_of(path)
    if view.status == "completed":
        return view
    header = read_header(path)
    journal = take_up(path)
    report = Report()
    try:
        team = with_inputs(_own_team(path, header, report), as_object(header.get("inputs")))
        equipment = equip(team, report, team_environ(team.folder, os.environ))
    except BaseException:
        await journal.close()
        raise
    await carry_on(header, equipment, journal, manners)
    return _told(path)


def _told(path: Path) -> RunView:
    """The run's result, also left beside its journal for whoever reads files."""
    view = view_of(path)
    write_result(path, run_json(view))
    return view


def _without_secrets(text: str, secrets: Mapping[str, str]) -> str:
    """A key that stands in the team file through a variable is read from that variable again on resume."""
    for variable, value in sorted(secrets.items(), key=lambda item: -len(item[1])):
        text = text.replace(value, f"${{{variable}}}")
    return text


def _own_team(path: Path, header: JsonObject, report: Report) -> Team:
    """The team as it was resolved for the run; its modules come from where the team file stood."""
    recorded = Path(as_text(header.get("folder")))
    folder = recorded if recorded.is_dir() else Path.cwd()
    text = team_text(path, header)
    team = read_team(text, environ=os.environ, report=report, shown="team.yaml", folder=folder)
    if team is None or report.errors:
        raise broken(report, str(path / "team.yaml"))
    return team


def _header(team: Team, request: str, inputs: JsonObject, earlier: Sequence[Json]) -> dict[str, Json]:
    header: dict[str, Json] = {
        "path": team.path,
        "folder": str(team.folder),
        "hash": digest(dump_team(team)),
        "request": request,
        "inputs": inputs,
    }
    return {**header, "earlier": list(earlier)} if earlier else header


def _earlier(after: str | None, runs_dir: str | Path | None) -> list[Json]:
    """The question and answer of the run that this one follows, with what stood before those."""
    if after is None:
        return []
    path = run_folder(after, runs_dir=runs_dir)
    view = view_of(path)
    if view.status != "completed":
        raise UsageError(
            f'run "{path.name}" has no answer to follow up: it is {view.status}',
            hint=f"finish it first: agentctl resume {path.name}",
        )
    before = read_header(path).get("earlier")
    question: JsonObject = {"agent": "", "text": view.request, "before": True}
    answer: JsonObject = {"agent": view.agent, "text": view.answer, "before": True}
    return [*(before if isinstance(before, list) else []), question, answer]


def _must_be_same(recorded: JsonObject, asked: JsonObject, run_id: str) -> None:
    for key, name in (("request", "request"), ("inputs", "inputs")):
        if recorded.get(key) != asked.get(key):
            raise UsageError(
                f'run "{run_id}" is there already, with another {name}',
                hint="use another --run-id, or ask the same",
            )


def _manners(
    ask: Ask | None,
    listen: Listener | None,
    max_cost: float | None,
    max_time: float | None,
    approve_all: bool,
    runs_dir: str | Path | None,
) -> Manners:
    limits: dict[LimitName, float] = {}
    if max_cost is not None:
        limits["cost_usd"] = max_cost
    if max_time is not None:
        limits["time"] = max_time
    manners = Manners(ask=ask, listen=listen, limits=limits, runs_dir=as_path(runs_dir))
    return replace(manners, ask=_approving(ask)) if approve_all else manners


def _approving(ask: Ask | None) -> Ask:
    async def answer(question: JsonObject) -> Json:
        if question.get("kind") == "approve":
            return {"approve": True}
        return await ask(question) if ask is not None else None

    return answer
