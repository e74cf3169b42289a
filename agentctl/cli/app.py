"""One command line: streams, the command, its exit code. Nothing that fails leaves as a traceback.

It imports no command and nothing of the product but the errors until it knows which command is meant.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Annotated, Final

import typer

from agentctl.cli.commands import ELSEWHERE, HELP, add_commands, command_of
from agentctl.cli.failures import report_failure, tell_error
from agentctl.cli.streams import flush_streams, prepare_streams
from agentctl.cli.usage import wrong_usage
from agentctl.diagnostics import nearest
from agentctl.errors import AgentctlError, UsageError

_RUNS_DIR: Final = "--runs-dir"
_DEBUG = "--debug"
_RUNNING = ("run", "resume", "chat")
_COMPLETE = "_AGENTCTL_COMPLETE"
"""Set by the completion scripts, to the name of their shell."""
_COMPLETION = ("--install-completion", "--show-completion")
_JSON = {"--json", "--format=json"}


def run_command(arguments: list[str]) -> int:
    """The exit code of one command line; `arguments` are without the program's name."""
    prepare_streams()
    shell = os.environ.get(_COMPLETE)
    if shell:
        from agentctl.cli.completing import print_completions

        return print_completions(shell, arguments, os.environ)
    debug = _take_debug(arguments)
    try:
        code = _invoke(arguments or ["--help"])
        flush_streams()
    except (Exception, KeyboardInterrupt) as error:  # the last resort: whatever it is, it is reported
        usage = wrong_usage(error)
        _name_place(usage or error, arguments)
        _tell_programs(usage or error, arguments, begun=usage is None)
        code = report_failure(usage or error, debug=debug)
    return code


def _name_place(error: BaseException, arguments: Sequence[str]) -> None:
    """A command that is advised is one that finds the runs which this one was told of."""
    words = [
        word
        for argument in takewhile(lambda word: word != "--", arguments)
        for word in argument.split("=", 1)
    ]
    given = [value for option, value in pairwise(words) if option == _RUNS_DIR]
    if given and isinstance(error, AgentctlError) and error.hint:
        from agentctl.render.onward import in_place

        error.hint = in_place(error.hint, given[-1])


def _tell_programs(error: BaseException, arguments: Sequence[str], *, begun: bool) -> None:
    """What went wrong, for whoever asked for JSON. A run that has `begun` tells its end by itself."""
    words = list(takewhile(lambda word: word != "--", arguments))
    as_json, events = not _JSON.isdisjoint([*words, *map("=".join, pairwise(words))]), "--events" in words
    if not isinstance(error, AgentctlError) or not (as_json or events):
        return
    if command_of(arguments) not in _RUNNING:
        tell_error(error)
    elif not begun:
        from agentctl.cli.work import tell_programs

        tell_programs(error, as_json=as_json, events=events)


def _take_debug(arguments: list[str]) -> bool:
    """Removes `--debug` from wherever it stands before `--`."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    kept = [argument for argument in arguments[:end] if argument != _DEBUG]
    found = len(kept) < end
    arguments[:end] = kept
    return found


def _invoke(arguments: list[str]) -> int:
    if arguments[0] in _COMPLETION:
        from agentctl.cli.completion import completion

        return completion(*arguments)
    command = command_of(arguments)
    if command == "help":
        return _invoke([*(argument for argument in arguments if argument != "help"), "--help"])
    if command is not None and command not in HELP:
        near = ELSEWHERE.get(command) or nearest(command, HELP)
        hint = f"did you mean `agentctl {near}`?" if near else "`agentctl --help` lists the commands"
        raise UsageError(f"there is no command '{command}'", hint=hint)
    root = typer.main.get_command(_app(arguments))
    try:
        with root.make_context("agentctl", arguments) as context:
            result = root.invoke(context)
    except typer.Exit as left:
        return left.exit_code
    return result if isinstance(result, int) else 0


def _app(arguments: Sequence[str]) -> typer.Typer:
    app = typer.Typer(
        name="agentctl",
        callback=_agentctl,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        pretty_exceptions_show_locals=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    add_commands(app, arguments)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        from agentctl.cli.version import version

        print(f"agentctl {version()}")
        raise typer.Exit


def _agentctl(  # `--version` is acted on by its callback, the others before the command line is taken apart
    version: Annotated[
        bool,
        typer.Option("--version", "-V", is_eager=True, callback=_print_version, help="Print the version."),
    ] = False,
    debug: Annotated[
        bool, typer.Option(_DEBUG, help="Show a traceback when something fails; may stand anywhere.")
    ] = False,
    install_completion: Annotated[
        bool,
        typer.Option(
            "--install-completion", help="Install completion for this shell, or the one named after it."
        ),
    ] = False,
    show_completion: Annotated[
        bool,
        typer.Option(
            "--show-completion", help="Print that script, for this shell or the one named after it."
        ),
    ] = False,
) -> None:
    """Run a durable team of language-model agents from one YAML file."""
