"""`agentctl resume RUN`."""

from __future__ import annotations

from typing import Annotated

import typer

from agentctl.api.answers import Reply
from agentctl.api.looking import recorded_events, run_folder
from agentctl.cli.options import (
    AsJson,
    Events,
    Last,
    MaxCost,
    MaxHandoffs,
    MaxSteps,
    MaxTime,
    MaxTokens,
    MaxToolCalls,
    MaxTurns,
    Output,
    Quiet,
    RunId,
    RunsDir,
    max_cost,
    max_time,
    read_inputs,
    read_models,
    which_run,
)
from agentctl.cli.work import Ask, Listener, Manner, carry_out, told_to_programs
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
    always: Annotated[
        bool,
        typer.Option("--always", help="With --approve: so may every later call of that tool in this run."),
    ] = False,
    answer: Annotated[
        str | None, typer.Option("--answer", metavar="TEXT", help="The answer to what an agent asks.")
    ] = None,
    rerun: Annotated[
        list[str] | None,
        typer.Option("--rerun", metavar="STEP", help="Make that call again, whatever became of it."),
    ] = None,
    skip: Annotated[
        list[str] | None, typer.Option("--skip", metavar="STEP", help="Let that call rest as it is.")
    ] = None,
    retry: Annotated[
        str | None,
        typer.Option(
            "--retry",
            metavar="EXECUTION",
            help="Try one delegation again, by its id in `show` or its agent, under the same decision.",
        ),
    ] = None,
    edited: Annotated[
        str | None,
        typer.Option(
            "--with", metavar="TEAM", help="Go on with an edited team; what is done again is listed first."
        ),
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", metavar="NAME=VALUE", help="With --with: an input of the edited team."),
    ] = None,
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--model", metavar="[AGENT=]ID", help="With --with: the model of every agent, or of one."
        ),
    ] = None,
    yes: Annotated[
        bool,
        typer.Option(
            "--yes",
            help="Approve every tool call that needs it; with --with: agree to what is listed, to no call.",
        ),
    ] = False,
    most: MaxCost = None,
    longest: MaxTime = None,
    tokens: MaxTokens = None,
    turns: MaxTurns = None,
    tool_calls: MaxToolCalls = None,
    handoffs: MaxHandoffs = None,
    plan_steps: MaxSteps = None,
    runs_dir: RunsDir = None,
    output: Output = None,
    as_json: AsJson = False,
    events: Events = False,
    quiet: Quiet = False,
) -> int:
    """Continue a run that crashed, was interrupted, failed, reached a limit, or waits for an answer.

    What is finished is kept, and paid for once. --rerun, --retry and --with revise a run, also a finished
    one: what they change is done again, and whatever follows from it. A limit that is raised is raised for
    the agent whose limit the run had reached, else for the run.
    """
    with told_to_programs(as_json=as_json, events=events):
        which = which_run(run, last=last)
        replies = [
            *_answer(
                step, choose=choose, finish=finish, approve=approve, deny=deny, answer=answer, always=always
            ),
            *(Reply(kind="rerun", step=name) for name in rerun or ()),
            *(Reply(kind="skip", step=name) for name in skip or ()),
        ]
        dearest, time = max_cost(most), max_time(longest)
        if models and edited is None:
            raise UsageError("--model has no effect without --with", hint="name the edited team: --with TEAM")
        if inputs and edited is None:
            raise UsageError(
                "--input has no effect without --with: a run keeps the inputs that it began with",
                hint="name the edited team: --with TEAM",
            )
        chosen, given = read_models(models or ()), read_inputs(inputs or ())

        async def start(listen: Listener, ask: Ask | None) -> RunView:
            from agentctl.api.revising import Wish  # only now, so that help and wrong usage stay fast
            from agentctl.api.runs import resume as resume_run

            return await resume_run(
                which,
                runs_dir=runs_dir,
                replies=replies,
                wish=Wish(team=edited, models=chosen, inputs=given, agree=yes, retry=retry),
                max_cost=dearest,
                max_time=time,
                max_tokens=tokens,
                max_turns=turns,
                max_tool_calls=tool_calls,
                max_handoffs=handoffs,
                max_steps=plan_steps,
                approve_all=yes and edited is None,
                ask=ask,
                on_event=listen,
            )

        which = run_folder(which, runs_dir=runs_dir).name  # the newest may be another one when it ends
        manner = Manner(
            as_json=as_json,
            events=events,
            quiet=quiet,
            output=output,
            runs_dir=runs_dir,
            earlier=recorded_events(which, runs_dir=runs_dir),
            run_id=lambda: which,
        )
        return carry_out(start, manner)


def _answer(
    step: str | None,
    *,
    choose: str | None,
    finish: bool,
    approve: bool,
    deny: str | None,
    answer: str | None,
    always: bool,
) -> list[Reply]:
    found = [Reply(kind="choose", text=choose, step=step)] if choose is not None else []
    found += [Reply(kind="finish", step=step)] if finish else []
    found += [Reply(kind="approve", step=step, always=always)] if approve else []
    found += [Reply(kind="deny", text=deny, step=step)] if deny is not None else []
    found += [Reply(kind="answer", text=answer, step=step)] if answer is not None else []
    if always and not approve:
        raise UsageError("--always says nothing without --approve", hint="add --approve")
    if len(found) > 1:
        given = " and ".join(f"--{reply.kind}" for reply in found)
        raise UsageError(f"{given} exclude each other", hint="answer one question at a time")
    if step is not None and not found:
        raise UsageError(
            f"--step '{step}' has no answer", hint="add --choose, --finish, --approve, --deny or --answer"
        )
    return found
