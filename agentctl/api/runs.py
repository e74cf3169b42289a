"""Runs: started, resumed, answered. What the commands do, and what programs call."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from agentctl.api.answers import Reply, going_on, is_answered, leave_answers
from agentctl.api.equip import Equipment, equip, require_known, team_secrets
from agentctl.api.literals import kept_text, typed_secrets
from agentctl.api.looking import Look, as_path, look, run_folder, view_of
from agentctl.api.outputs import recorded_value, with_value
from agentctl.api.overrides import raised, require_bounded
from agentctl.api.own_team import own_team, run_inputs
from agentctl.api.running import Manners, carry_on
from agentctl.api.targets import check_recording
from agentctl.api.teams import read
from agentctl.diagnostics import Report
from agentctl.engine.people import Ask
from agentctl.engine.recorder import Listener
from agentctl.errors import RunInUse, UsageError
from agentctl.journal.directory import create_run
from agentctl.journal.directory import open_run as take_up
from agentctl.journal.file import FileJournal
from agentctl.journal.finding import find_runs_dir
from agentctl.journal.header import read_header
from agentctl.journal.memory import MemoryJournal
from agentctl.journal.records import Record
from agentctl.journal.redact import Redactor
from agentctl.journal.result import write_result
from agentctl.journal.summary import RunView, run_json, summarise
from agentctl.jsontypes import Json, JsonObject, as_object, digest
from agentctl.spec.overrides import with_models
from agentctl.spec.read import team_environ
from agentctl.spec.resolve import dump_team, resolve_inputs, with_inputs
from agentctl.spec.strategies import PlanExecute
from agentctl.spec.team import Agent, Team

if TYPE_CHECKING:
    from agentctl.api.replays import Replay
    from agentctl.api.revising import Wish
    from agentctl.api.team import Team as Loaded


async def run(
    team: str | Path | Loaded,
    question: str,
    *,
    inputs: Mapping[str, Json] | None = None,
    models: Mapping[str, str] | None = None,
    run_id: str | None = None,
    runs_dir: str | Path | None = None,
    durable: bool = True,
    plan_only: bool = False,
    after: str | None = None,
    record: str | Path | None = None,
    replay: Replay | str | Path | None = None,
    max_cost: float | None = None,
    max_time: float | None = None,
    approve_all: bool = False,
    ask: Ask | None = None,
    on_event: Listener | None = None,
) -> RunView:
    """Runs a team on a question.

    `models` gives the model id by agent, `""` for every agent. `max_cost` is in USD, `max_time` in
    seconds. `durable=False` writes nothing, and so does `plan_only`, with which the answer is the first plan
    of a `plan_execute` team, as JSON text; nothing of it is carried out. `record` names the file to which
    the run's recording goes, `replay` the file or run that answers in place of models and tools
    (`find_replay` opens one with choices). A `run_id` that is there already gives its recorded result, or
    goes on with it. Raises AgentctlError for what keeps the run from starting, such as a `record` that is
    there and no recording; how a run ended, well or not, is in the view.
    """
    if not question.strip():
        raise UsageError("the question is empty", hint='give one: agentctl run TEAM "…"')
    if run_id is not None and not durable:
        raise UsageError(
            "--run-id has no effect with --ephemeral: nothing is written that the id could name",
            hint="leave one of the two out",
        )
    report = Report()
    if isinstance(replay, str | Path):
        from agentctl.api.replays import find_replay  # only where something is replayed

        replay = await find_replay(str(replay), runs_dir=runs_dir)
    resolved = _read(team, report, _models(models, replay))
    if record is not None:
        check_recording(record, team=resolved.path)
    if plan_only:
        _must_plan(resolved.root, run_id)
    environ = team_environ(resolved.folder, os.environ)
    secrets = team_secrets(resolved, environ)
    redactor = Redactor([*secrets.values(), *typed_secrets(resolved)])
    given = as_object(redactor.redact(resolve_inputs(resolved, inputs or {})))
    whole = with_inputs(resolved, given)
    starts = replay is None and not plan_only
    equipment = _replayed(equip(whole, report, environ, starts=starts), replay)
    folder = find_runs_dir(Path.cwd(), as_path(runs_dir), os.environ, creating=True)
    manners = replace(_manners(ask, on_event, max_cost, max_time, approve_all, runs_dir), replay=replay)
    text = kept_text(resolved, secrets)
    header: JsonObject = {
        **_header(resolved, dump_team(resolved), redactor.text(question), given, _earlier(after, runs_dir)),
        **_marks(replay, typed=text.typed, plan_only=plan_only),
    }
    if plan_only or not durable:
        return await _ephemeral(whole, header, equipment, manners, record)
    return await _in_a_directory(folder, run_id, whole, header, text.text, equipment, manners, record)


async def _in_a_directory(
    folder: Path,
    run_id: str | None,
    team: Team,
    header: JsonObject,
    text: str,
    equipment: Equipment,
    manners: Manners,
    record: str | Path | None,
) -> RunView:
    """A run of its own, or what becomes of the one that is there already by that id."""
    place = create_run(
        folder, run_id=run_id, team=team.root.name, header=header, team_yaml=text, now=datetime.now(UTC)
    )
    if not place.created:
        await equipment.close()
        _must_be_same(read_header(place.path), header, place.run_id)
        return await _again(place.path, manners, record)
    kept, journal = read_header(place.path), take_up(place.path)
    await carry_on(kept, equipment, journal, manners)
    if record is not None:
        await _record(team, kept, journal.records, record)
    view = with_value(_told(place.path, kept, journal), equipment.crew.outputs)
    return await _with_late_answers(place.path, view, manners)


async def resume(
    run_id: str | None = None,
    *,
    runs_dir: str | Path | None = None,
    replies: Sequence[Reply] = (),
    wish: Wish | None = None,
    max_cost: float | None = None,
    max_time: float | None = None,
    max_tokens: int | None = None,
    max_turns: int | None = None,
    max_tool_calls: int | None = None,
    max_handoffs: int | None = None,
    max_steps: int | None = None,
    approve_all: bool = False,
    ask: Ask | None = None,
    on_event: Listener | None = None,
) -> RunView:
    """Continues a run (the newest one without an id), first answering what it waits for.

    A finished run gives its result and calls nothing, unless a `wish` revises it. An answer to a run that
    another process works on is left for that process; without an answer such a run raises RunInUse.
    """
    path = run_folder(run_id, runs_dir=runs_dir)
    manners = _manners(ask, on_event, max_cost, max_time, approve_all, runs_dir)
    more = {
        "tokens": max_tokens,
        "turns": max_turns,
        "tool_calls": max_tool_calls,
        "max_handoffs": max_handoffs,
        "max_steps": max_steps,
    }
    found = look(path)  # once: it reads the whole journal
    view = found.view
    manners = _raising(manners, more, view)
    from agentctl.api.revising import Wish, with_reruns

    wish, answers = with_reruns(wish or Wish(), view, replies)
    if answers:
        found = leave_answers(path, answers)
        if found.view.status == "running" and not wish.anything:
            return found.view
    try:
        return await _resumed(path, found, manners, wish)
    except RunInUse:
        if not answers or wish.anything:
            raise
        return going_on(look(path).view)  # somebody took the run up since, and with it the answer


async def _ephemeral(
    team: Team, header: JsonObject, equipment: Equipment, manners: Manners, record: str | Path | None
) -> RunView:
    journal = MemoryJournal()
    whole: JsonObject = {**header, "run_id": "ephemeral", "team": team.root.name}
    await carry_on(whole, equipment, journal, replace(manners, resumable=False))
    if record is not None:
        await _record(team, whole, journal.records, record)
    return with_value(summarise(whole, journal.records, live=False), equipment.crew.outputs)


async def _again(path: Path, manners: Manners, record: str | Path | None) -> RunView:
    """The result of a run that is there already, or that it comes to."""
    view = await _resumed(path, look(path), manners)
    if record is not None:
        from agentctl.api.replays import record_run

        await record_run(path, Path(record))
    return view


async def _record(team: Team, header: JsonObject, records: Sequence[Record], file: str | Path) -> None:
    from agentctl.api.recordings import recorded, write_recording

    write_recording(await recorded(team, header, records, path=str(file)), team, Path(file))


def _read(team: str | Path | Loaded, report: Report, models: Mapping[str, str] | None) -> Team:
    """What a file says now, or what it said when the team was loaded."""
    if isinstance(team, str | Path):
        return read(team, report, models=models)
    report.found += team.report.found
    report.sources.update(team.report.sources)
    return with_models(team.spec, models) if models else team.spec


def _models(models: Mapping[str, str] | None, replay: Replay | None) -> Mapping[str, str] | None:
    """Without live models, the recording stands in for each, so that no key is needed."""
    require_known(models or {})
    if replay is None or replay.missing == "live":
        return models
    if models:
        raise UsageError(
            "--model has no effect on a run that is replayed",
            hint="leave it out, or ask models what was not recorded with --replay-missing live",
        )
    return {"": replay.model}


def _replayed(equipment: Equipment, replay: Replay | None) -> Equipment:
    return equipment if replay is None else replace(equipment, models=replay.models(equipment.models))


async def _resumed(path: Path, found: Look, manners: Manners, wish: Wish | None = None) -> RunView:
    return await _with_late_answers(path, await _worked_on(path, found, manners, wish), manners)


async def _with_late_answers(path: Path, view: RunView, manners: Manners) -> RunView:
    """Whoever answers a run that is worked on relies on its being taken. So once the run is let go, this
    process looks again, and goes on with an answer that came behind its last look."""
    while view.status == "waiting":
        found = look(path)
        if not is_answered(found):
            return view
        try:
            view = await _worked_on(path, found, replace(manners, limits={}))
        except RunInUse:
            return going_on(look(path).view)
    return view


async def _worked_on(path: Path, found: Look, manners: Manners, wish: Wish | None = None) -> RunView:
    from agentctl.api.replays import Replay
    from agentctl.api.revising import Wish, revise

    wish = wish or Wish()
    header, view = found.header, found.view
    edited, again = wish.edited(run_inputs(header, found.journal.records)), wish.steps(view)
    if view.status == "completed" and not wish.anything:
        return recorded_value(view, own_team(path, header, Report(), keys=False)) if view.has_output else view
    journal = take_up(path, known=found.journal)
    report = Report()
    try:
        if edited is not None:
            team, report = edited.whole, edited.report
        else:
            team = with_inputs(own_team(path, header, report), run_inputs(header, journal.records))
        require_bounded(manners.limits, team)
        replay = Replay.from_json(header.get("replay"))
        environ = team_environ(team.folder, os.environ)
        equipment = _replayed(equip(team, report, environ, starts=replay is None), replay)
    except BaseException:
        await journal.close()
        raise
    try:
        revisions = await revise(
            path, header, journal, equipment, manners, edited=edited, again=again, agree=wish.agree
        )
    except BaseException:
        await equipment.close()
        await journal.close()
        raise
    await carry_on(header, equipment, journal, replace(manners, replay=replay), revisions)
    return with_value(_told(path, header, journal, found), equipment.crew.outputs)


def _told(path: Path, header: JsonObject, journal: FileJournal, before: Look | None = None) -> RunView:
    """The run's result, also left beside its journal for whoever reads files; what was summed up `before` the
    journal was taken up is not summed up again."""
    if before is None or before.journal is not journal.found:
        view = summarise({**header, "run_id": path.name}, journal.records, live=False)
    else:
        before.summary.take_all(journal.records[before.summary.taken :])
        view = before.summary.view(live=False)
    write_result(path, run_json(view))
    return view


def _header(
    team: Team, team_text: str, request: str, inputs: JsonObject, earlier: Sequence[Json]
) -> dict[str, Json]:
    header: dict[str, Json] = {
        "path": team.path,
        "folder": str(team.folder),
        "hash": digest(team_text),
        "request": request,
        "inputs": inputs,
    }
    return {**header, "earlier": list(earlier)} if earlier else header


def _marks(replay: Replay | None, *, typed: bool, plan_only: bool) -> JsonObject:
    """What a header says of a run that is not like every other."""
    marks: dict[str, Json] = {"typed": True} if typed else {}
    if replay is not None:
        marks["replay"] = replay.as_json()
    return {**marks, "plan_only": True} if plan_only else marks


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


def _must_plan(root: Agent, run_id: str | None) -> None:
    if not isinstance(root.strategy, PlanExecute):
        how = f'its strategy is "{root.strategy.type}"' if root.strategy else "it has no agents"
        raise UsageError(
            f'agent "{root.name}" makes no plan: {how}',
            hint="leave out --plan-only, or set `strategy: plan_execute`",
        )
    if run_id is not None:
        raise UsageError(
            "--plan-only and --run-id exclude each other",
            hint="a plan alone is no run that could be found again",
        )


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
    limits: dict[str, float] = {}
    if max_cost is not None:
        limits["cost_usd"] = max_cost
    if max_time is not None:
        limits["time"] = max_time
    manners = Manners(ask=ask, listen=listen, limits=limits, runs_dir=as_path(runs_dir))
    return replace(manners, ask=_approving(ask)) if approve_all else manners


def _raising(manners: Manners, more: Mapping[str, int | None], view: RunView) -> Manners:
    """The limits that a resume sets are for the agent whose limit the run had reached, else for the run."""
    stated = dict(manners.limits) | {name: value for name, value in more.items() if value is not None}
    reached = (view.error or {}) if view.status == "limit" else {}
    return replace(manners, limits=raised(stated, reached, view.team))


def _approving(ask: Ask | None) -> Ask:
    async def answer(question: JsonObject) -> Json:
        if question.get("kind") == "approve" and not question.get("guardrail"):
            return {"approve": True, "by": "--yes"}
        return await ask(question) if ask is not None else None

    return answer
