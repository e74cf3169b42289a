"""`agentctl show RUN`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from typing import Annotated, Final

import typer

from agentctl.api.looking import follow as follow_run
from agentctl.api.looking import open_run, run_folder
from agentctl.cli.options import AsJson, Last, RunId, RunsDir, which_run
from agentctl.diagnostics import nearest
from agentctl.errors import UsageError
from agentctl.journal.signals import strangers
from agentctl.journal.summary import ExecutionView, RunView
from agentctl.jsontypes import JsonObject
from agentctl.render.events_json import json_text
from agentctl.render.show_execution import show_execution
from agentctl.render.show_run import show_run
from agentctl.render.terminal import print_lines, width_of

_LISTED: Final = 20


def add(app: typer.Typer) -> None:
    app.command("show")(show)


def show(
    run: RunId = None,
    last: Last = False,
    execution: Annotated[
        str | None,
        typer.Option("--execution", metavar="ID", help="One execution in full, by its id or its agent."),
    ] = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Watch the run until it ends.")] = False,
    html: Annotated[
        str | None,
        typer.Option(
            "--html", metavar="FILE", help="Write all of it to FILE, a page for a browser; `-` is stdout."
        ),
    ] = None,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="Print a Mermaid flowchart.")] = False,
    runs_dir: RunsDir = None,
    as_json: AsJson = False,
) -> int:
    """Show what happened in a run: who was chosen from whom and why, each model turn and tool call."""
    _one_form(
        {
            "--execution": None if as_json else execution,
            "--follow": follow,
            "--html": html,
            "--mermaid": mermaid,
            "--json": as_json,
        }
    )
    which = which_run(run, last=last)
    if follow:
        which = run_folder(which, runs_dir=runs_dir).name  # the newest may be another one when it ends
        _follow(which, runs_dir)
    view = open_run(which, runs_dir=runs_dir)
    if as_json:
        print(json_text(_told(view, execution, runs_dir)))
    elif mermaid:
        from agentctl.render.show_mermaid import show_mermaid

        print(show_mermaid(view), end="")
    elif html is not None:
        _write_page(view, html, runs_dir)
    elif execution is not None:
        found = _find(view, execution)
        print_lines(show_execution(view, found, _sent(view, runs_dir)), sys.stdout)
    else:
        print_lines(show_run(view, width=width_of(sys.stdout), runs_dir=runs_dir), sys.stdout)
        for path in strangers(run_folder(view.run_id, runs_dir=runs_dir)):
            print(f"'{path}' is no answer and is never taken: remove it", file=sys.stderr)
    return 0


def _one_form(stated: dict[str, str | bool | None]) -> None:
    given = [name for name, value in stated.items() if value not in (None, False)]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} exclude each other", hint="give one of them")


def _told(view: RunView, execution: str | None, runs_dir: str | None) -> JsonObject:
    from agentctl.render.show_json import execution_json, show_json

    if execution is None:
        return show_json(view)
    return execution_json(view, _find(view, execution), _sent(view, runs_dir))


def _follow(run: str, runs_dir: str | None) -> None:
    from agentctl.cli.following import follow_to_the_end

    follow_to_the_end(follow_run(run, runs_dir=runs_dir))


def _sent(view: RunView, runs_dir: str | None) -> Mapping[str, Sequence[JsonObject]]:
    from agentctl.api.sent import sent_messages

    with redirect_stdout(sys.stderr):  # what modules of the team print when they are imported
        return sent_messages(view.run_id, runs_dir=runs_dir)


def _write_page(view: RunView, file: str, runs_dir: str | None) -> None:
    from agentctl.api.targets import STDOUT, check_target
    from agentctl.api.written import write_target
    from agentctl.render.show_html import show_html

    if file == STDOUT:
        print(show_html(view, _sent(view, runs_dir)), end="")
        return
    check_target(file, "the page")
    write_target(file, show_html(view, _sent(view, runs_dir)), "the page")
    print(f"wrote '{file}'", file=sys.stderr)


def _find(view: RunView, wanted: str) -> ExecutionView:
    """By id, else the newest of that agent."""
    for found in reversed(view.executions):
        if wanted == found.id:
            return found
    for found in reversed(view.executions):
        if wanted == found.agent:
            return found
    near = nearest(wanted, [name for one in view.executions for name in (one.id, one.agent)])
    listed = ", ".join(one.id for one in view.executions[:_LISTED])
    hint = f"did you mean '{near}'?" if near else f"its executions are: {listed}"
    raise UsageError(f"run '{view.run_id}' has no execution '{wanted}'", hint=hint)
