"""What went wrong, as a person is told it on stderr, and the exit code that goes with it."""

from __future__ import annotations

import errno
import json
import sys
import traceback
from contextlib import suppress
from typing import Final

from agentctl.cli.streams import CLOSED_PIPE, abandon_streams
from agentctl.errors import AgentctlError, TeamError
from agentctl.jsontypes import JsonObject

INTERRUPTED: Final = 130
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Of what is written without a name: files have one, and nothing that stderr does not take is told."""
_BUG_HINT: Final = "this is a mistake in agentctl: please report it with what `--debug` prints"


def report_failure(error: BaseException, *, debug: bool) -> int:
    """Says on stderr what ended the command; a traceback, without local variables, only with `debug`."""
    if isinstance(error, BrokenPipeError):
        abandon_streams()
        return CLOSED_PIPE
    if debug:
        traceback.print_exception(error)
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, AgentctlError):
        return _tell(error)
    if isinstance(error, OSError):
        abandon_streams()
        return _say(_os_problem(error), None)
    return _say(f"{type(error).__name__}: {error}", _BUG_HINT)


def tell_error(error: AgentctlError) -> None:
    """`{"error": {code, message, hint?}}` on stdout, in place of what a program asked for.

    What is wrong with a team file stands beside it as `validate --format json` has it.
    """
    told: JsonObject = {"error": error.as_json()}
    if isinstance(error, TeamError):
        from agentctl.render.diagnostics_json import diagnostics_json

        told = {**told, **diagnostics_json(error.report)}
    with suppress(OSError):
        print(json.dumps(told), flush=True)


def _tell(error: AgentctlError) -> int:
    if isinstance(error, TeamError) and error.report.found:
        from agentctl.cli.reports import show_report

        show_report(error.report, sys.stderr)
    else:
        _say(error.message, error.hint)
    return error.exit_code


def _say(message: str, hint: str | None) -> int:
    from agentctl.render.ending import problem
    from agentctl.render.terminal import print_lines

    print_lines(problem(message, hint), sys.stderr)
    return 1


def _os_problem(error: OSError) -> str:
    reason = error.strerror or str(error)
    if error.filename:
        return f"'{error.filename}': {reason}"
    if error.errno in _FULL:
        return f"cannot write to stdout: {reason}"
    return f"cannot write or read: {reason}"
