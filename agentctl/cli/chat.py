"""`agentctl chat TEAM`."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from typing import Annotated

import typer

from agentctl.api.conversations import newest_of, questions_up_to
from agentctl.api.looking import open_run, recorded_events
from agentctl.cli.conversation import Conversation
from agentctl.cli.messages import TypedLines, piped_line
from agentctl.cli.options import (
    AsJson,
    Events,
    Inputs,
    MaxCost,
    MaxTime,
    Models,
    Quiet,
    RunsDir,
    TeamPath,
    Yes,
    max_cost,
    max_time,
    read_inputs,
    read_models,
)
from agentctl.cli.stdin_lines import StdinLines
from agentctl.cli.work import Ask, Listener, Manner, Start, told_to_programs
from agentctl.errors import UsageError
from agentctl.journal.summary import RunView
from agentctl.jsontypes import JsonObject


def add(app: typer.Typer) -> None:
    app.command("chat")(chat)


def chat(
    team: TeamPath,
    after: Annotated[
        str | None,
        typer.Option("--after", metavar="RUN", help="Go on with the conversation that ended with that run."),
    ] = None,
    last: Annotated[
        bool, typer.Option("--last", help="Go on with the conversation of the team's newest run.")
    ] = False,
    inputs: Inputs = None,
    models: Models = None,
    yes: Yes = False,
    most: MaxCost = None,
    longest: MaxTime = None,
    runs_dir: RunsDir = None,
    as_json: AsJson = False,
    events: Events = False,
    quiet: Quiet = False,
) -> int:
    """Talk with a team: each message is a run that follows the last, with its answer on stdout.

    A run that was not finished is gone on with first. Limits are those of each turn. Without a terminal
    every line of stdin is a message, and the first turn without an answer ends it with its exit code.
    """
    with told_to_programs(as_json=as_json, events=events):
        if as_json and events:
            raise UsageError("--json and --events exclude each other", hint="--events ends with the result")
        turns = _Turns(
            team=team,
            inputs=read_inputs(inputs or ()),
            models=read_models(models or ()),
            yes=yes,
            max_cost=max_cost(most),
            max_time=max_time(longest),
            runs_dir=runs_dir,
        )
        from agentctl.api.team import load_team
        from agentctl.render.terminal import interactive, print_text

        name = load_team(team, models=turns.models).name  # before anybody types a question
        before = _before(after, last=last, team=name, runs_dir=runs_dir)

    lines, talking = StdinLines(), interactive(machine=False)

    def manner(earlier: list[JsonObject]) -> Manner:
        return Manner(
            as_json=as_json,
            events=events,
            quiet=quiet,
            runs_dir=runs_dir,
            resumable=not talking,  # by /resume, which is told
            earlier=earlier,
            lines=lines,
        )

    if talking and not quiet:
        print_text(f"chat with {name}: /help says how, Ctrl-D leaves", sys.stderr)
    asked = questions_up_to(before.run_id, runs_dir=runs_dir) if before else []
    read = TypedLines(lines, asked) if talking else piped_line
    return Conversation(turns, manner, read, talking=talking).carry_on(before)


def _before(after: str | None, *, last: bool, team: str, runs_dir: str | None) -> RunView | None:
    if after is not None and last:
        raise UsageError(f"--after {after} and --last exclude each other", hint="give one of the two")
    if after is not None:
        return open_run(after, runs_dir=runs_dir)
    return newest_of(team, runs_dir=runs_dir) if last else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turns:
    """The runs of a conversation, all with the options of the command."""

    team: str
    inputs: dict[str, str]
    models: dict[str, str]
    yes: bool
    max_cost: float | None
    max_time: float | None
    runs_dir: str | None

    def ask(self, question: str, after: str | None) -> Start:
        async def start(listen: Listener, ask: Ask | None) -> RunView:
            from agentctl.api.runs import run  # only now, so that help and wrong usage stay fast

            return await run(
                self.team,
                question,
                inputs=self.inputs,
                models=self.models,
                runs_dir=self.runs_dir,
                after=after,
                max_cost=self.max_cost,
                max_time=self.max_time,
                approve_all=self.yes,
                ask=ask,
                on_event=listen,
            )

        return start

    def go_on(self, run_id: str) -> tuple[Start, list[JsonObject]]:
        async def start(listen: Listener, ask: Ask | None) -> RunView:
            from agentctl.api.runs import resume

            return await resume(
                run_id,
                runs_dir=self.runs_dir,
                max_cost=self.max_cost,
                max_time=self.max_time,
                approve_all=self.yes,
                ask=ask,
                on_event=listen,
            )

        return start, list(recorded_events(run_id, runs_dir=self.runs_dir))

    def command(self, run_id: str) -> str:
        where = ["--runs-dir", self.runs_dir] if self.runs_dir else []
        return shlex.join(["agentctl", "chat", self.team, "--after", run_id, *where])
