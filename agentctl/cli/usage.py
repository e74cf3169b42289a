"""What typer has to say about a wrong command line, as one headline and what was most likely meant."""

from __future__ import annotations

import re
from typing import Final, Protocol, runtime_checkable

from agentctl.diagnostics import nearest
from agentctl.errors import AgentctlError, UsageError

_NOT_ONE_OF: Final = re.compile(r"'([^']*)' is not one of (.+)")
_MEANT: Final = re.compile(r"\.? (?:Did you mean (.+)\?|\(Possible options: (.+)\))$")


@runtime_checkable
class _WrongUsage(Protocol):
    """What typer raises for a wrong command line, whichever of its releases is installed."""

    exit_code: int

    def format_message(self) -> str: ...


def wrong_usage(error: BaseException) -> UsageError | None:
    """What is wrong with the command line, where that is what the error says."""
    if isinstance(error, AgentctlError) or not isinstance(error, _WrongUsage):
        return None
    message = error.format_message().strip().rstrip(".")
    context = getattr(error, "ctx", None)
    command = getattr(context, "command_path", "agentctl")
    near = _meant(message)
    message = _MEANT.sub("", message)
    hint = f"did you mean {near}?" if near else f"see `{command} --help`"
    return UsageError(message[:1].lower() + message[1:], hint=hint)


def _meant(message: str) -> str | None:
    """The nearest of what the message lists, in its own quotes."""
    listed = _MEANT.search(message)
    if listed is not None:
        return re.split(r", ", listed[1] or listed[2])[0]
    choice = _NOT_ONE_OF.search(message)
    near = nearest(choice[1], re.findall(r"'([^']*)'", choice[2])) if choice else None
    return f"'{near}'" if near else None
