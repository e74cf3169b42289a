"""`agentctl resume RUN`."""

from __future__ import annotations

from typing import Annotated

import typer

from agentctl.api.answers import Reply
from agentctl.api.looking import recorded_events
from agentctl.cli.options import (
    AsJson,
    Events,
    Last,
    MaxCost,
    MaxTime,
    Output,
    Quiet,
    RunId,
    RunsDir,
    Yes,
    max_cost,
    max_time,
    which_run,
)
from agentctl.cli.work import Ask, Listener, Manner, carry_out
from agentctl.errors import UsageError
from agentctl.journal.summary import RunView


def add(app: typer.Typer) -> None:
    app.command("resume")(resume)


def resume(
    run: RunId = None,
    last: Last = False,
    step: Annotated[
        str | None,
        typer.Option("--step", metavar="STEP", help="Which question is answered, where several are open."),
    ] = None,
    choose: Annotated[
        str | None, typer.Option("--choose", metavar="NAME", help="The agent that goes next.")
    ] = None,
    finish: Annotated[bool, typer.Option("--finish", help="No agent goes next: the run ends.")] = False,
    approve: Annotated[bool, typer.Option("--approve", help="The call may be made.")] = False,
    deny: Annotated[
        str | None, typer.Option("--deny", metavar="REASON", help="The call may not be made, and why.")
    ] = None,
    rerun: Annotated[
        list[str] | None,
        typer.Option("--rerun", metavar="STEP", help="Make that call again, whatever became of it."),
    ] = None,
    skip: Annotated[
        list[str] | None, typer.Option("--skip", metavar="STEP", help="Let that call rest as it is.")
    ] = None,
    yes: Yes = False,
    most: MaxCost = None,
    longest: MaxTime = None,
    runs_dir: RunsDir = None,
    output: Output = None,
    as_json: AsJson = False,
    events: Events = False,
    quiet: Quiet = False,
) -> int:
    """Continue a run that crashed, was interrupted, failed, reached a limit, or waits for an answer."""
    which = which_run(run, last=last)
    replies = [
        *_answer(step, choose=choose, finish=finish, approve=approve, deny=deny),
        *(Reply(kind="rerun", step=name) for name in rerun or ()),
        *(Reply(kind="skip", step=name) for name in skip or ()),
    ]
    dearest, time = max_cost(most), max_time(longest)

    async def start(listen: Listener, ask: Ask | None) -> RunView:
        from agentctl.api.runs import resume as resume_run  # only now, so that help and wrong usage stay fast

        return await resume_run(
            which,
            runs_dir=runs_dir,
            replies=replies,
            max_cost=dearest,
            max_time=time,
            approve_all=yes,
            ask=ask,
            on_event=listen,
        )

    earlier = recorded_events(which, runs_dir=runs_dir)
    manner = Manner(
        as_json=as_json, events=events, quiet=quiet, output=output, runs_dir=runs_dir, earlier=earlier
    )
    return carry_out(start, manner)


def _answer(
    step: str | None, *, choose: str | None, finish: bool, approve: bool, deny: str | None
) -> list[Reply]:
    found = [Reply(kind="choose", text=choose, step=step)] if choose is not None else []
    found += [Reply(kind="finish", step=step)] if finish else []
    found += [Reply(kind="approve", step=step)] if approve else []
    found += [Reply(kind="deny", text=deny, step=step)] if deny is not None else []
    if len(found) > 1:
        given = " and ".join(f"--{reply.kind}" for reply in found)
        raise UsageError(f"{given} exclude each other", hint="answer one question at a time")
    if step is not None and not found:
        raise UsageError(f"--step '{step}' has no answer", hint="add --choose, --finish, --approve or --deny")
    return found
