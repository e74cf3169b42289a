"""`agentctl run TEAM [QUESTION]`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from agentctl.api.looking import recorded_events
from agentctl.api.targets import STDOUT, check_recording, check_target
from agentctl.cli.options import (
    AsJson,
    Events,
    Inputs,
    MaxCost,
    MaxTime,
    Models,
    Output,
    Quiet,
    RunsDir,
    TeamPath,
    Yes,
    max_cost,
    max_time,
    read_inputs,
    read_models,
)
from agentctl.cli.question import read_question
from agentctl.cli.work import Ask, Listener, Manner, carry_out, told_to_programs
from agentctl.errors import UsageError
from agentctl.journal.summary import RunView
from agentctl.jsontypes import JsonObject

if TYPE_CHECKING:
    from agentctl.api.replays import Missing, Replay, Tools


def add(app: typer.Typer) -> None:
    app.command("run")(run)


def run(
    team: TeamPath,
    question: Annotated[
        str | None,
        typer.Argument(metavar="QUESTION", help="What to ask; without it, or as `-`, stdin is read."),
    ] = None,
    inputs: Inputs = None,
    models: Models = None,
    run_id: Annotated[
        str | None,
        typer.Option(
            "--run-id", metavar="ID", help="The run's id; the same id and request give the recorded result."
        ),
    ] = None,
    after: Annotated[
        str | None, typer.Option("--after", metavar="RUN", help="Ask a follow-up to that run.")
    ] = None,
    yes: Yes = False,
    ephemeral: Annotated[bool, typer.Option("--ephemeral", help="Write nothing; no resume.")] = False,
    plan_only: Annotated[
        bool, typer.Option("--plan-only", help="Print the plan of a plan_execute team, and stop.")
    ] = False,
    record: Annotated[
        str | None,
        typer.Option("--record", metavar="FILE", help="Write what was asked and answered to FILE, as YAML."),
    ] = None,
    replay: Annotated[
        str | None,
        typer.Option(
            "--replay", metavar="RUN|FILE", help="Answer from that run or recording instead of asking."
        ),
    ] = None,
    replay_tools: Annotated[
        Literal["recorded", "live"],
        typer.Option("--replay-tools", help="Where results of tools come from in a replay."),
    ] = "recorded",
    replay_missing: Annotated[
        Literal["error", "live"],
        typer.Option("--replay-missing", help="What becomes of a call that was not recorded."),
    ] = "error",
    most: MaxCost = None,
    longest: MaxTime = None,
    runs_dir: RunsDir = None,
    output: Output = None,
    as_json: AsJson = False,
    events: Events = False,
    quiet: Quiet = False,
) -> int:
    """Run a team on a question. The answer goes to stdout, everything else to stderr."""
    from agentctl.spec.find import find_team  # only now, so that help stays fast

    with told_to_programs(as_json=as_json, events=events):
        file = find_team(Path(team))  # before anybody types a question
        if record is not None:
            check_recording(record, team=file)
        if output is not None and output != STDOUT:
            check_target(output, "the answer", teams=[file])
        played = _replay(replay, runs_dir, replay_tools, replay_missing)
        asked = played.recording.question if played and question is None else read_question(question)
        given, chosen = read_inputs(inputs or ()), read_models(models or ())
        dearest, time = max_cost(most), max_time(longest)

        async def start(listen: Listener, ask: Ask | None) -> RunView:
            from agentctl.api.runs import run as run_team  # only now, so that help and wrong usage stay fast

            return await run_team(
                team,
                asked,
                inputs=given,
                models=chosen,
                run_id=run_id,
                runs_dir=runs_dir,
                durable=not ephemeral,
                plan_only=plan_only,
                on_event=listen,
                ask=ask,
                max_cost=dearest,
                max_time=time,
                after=after,
                approve_all=yes,
                record=record,
                replay=played,
            )

        manner = Manner(
            as_json=as_json,
            events=events,
            quiet=quiet,
            output=output,
            runs_dir=runs_dir,
            resumable=not (ephemeral or plan_only),
            earlier=_recorded(run_id, runs_dir),
            run_id=lambda: _begun(run_id, runs_dir),
        )
        return carry_out(start, manner)


def _begun(run_id: str | None, runs_dir: str | None) -> str:
    """The run of that id, once it is there."""
    from agentctl.journal.finding import find_runs_dir

    explicit = Path(runs_dir) if runs_dir is not None else None
    folder = find_runs_dir(Path.cwd(), explicit, os.environ, creating=True)
    return run_id if run_id is not None and (folder / run_id / "run.json").exists() else ""


def _recorded(run_id: str | None, runs_dir: str | None) -> Iterator[JsonObject]:
    """What is on record of the run of that id, if it is one that goes on, so that the rest can be told."""
    if _begun(run_id, runs_dir):
        yield from recorded_events(run_id, runs_dir=runs_dir)


def _replay(named: str | None, runs_dir: str | None, tools: Tools, missing: Missing) -> Replay | None:
    if named is None:
        if (tools, missing) != ("recorded", "error"):
            raise UsageError("there is nothing to replay", hint="name a run or a recording with --replay")
        return None
    from agentctl.api.replays import find_replay

    return asyncio.run(find_replay(named, runs_dir=runs_dir, tools=tools, missing=missing))
