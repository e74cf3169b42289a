"""What typer has to say about a wrong command line, as one headline and what was most likely meant."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeAlias, runtime_checkable

from agentctl.diagnostics import nearest
from agentctl.errors import AgentctlError, UsageError

_NOT_ONE_OF: Final = re.compile(r"'([^']*)' is not one of (.+)")
_MEANT: Final = re.compile(r"\.? (?:Did you mean (.+)\?|\(Possible options: (.+)\))$")
_NO_OPTION: Final = re.compile(r"No such option: (\S+)")
_NO_COMMAND: Final = re.compile(r"No such command '(.*)'", re.DOTALL)
_EXTRA: Final = re.compile(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", re.DOTALL)
_VALUE: Final = re.compile(r"Invalid value for '[^']*'(?: \(env var: '[^']*'\))?: (.*)", re.DOTALL)
_NO_NUMBER: Final = re.compile(r"'(.*)' is not a valid (float|int|integer)(?: range)?", re.DOTALL)
_OUT_OF_RANGE: Final = re.compile(r"(\S+) is not in the range x>=(\S+)")
_QUOTED_BY_SHELL: Final = re.compile(r"[\"$`\\!]")

Words: TypeAlias = tuple[str, str | None]
"""The headline, and the hint where it is not what was meant or where help is."""


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
    near = _meant(message)
    message = _MEANT.sub("", message)
    command = getattr(getattr(error, "ctx", None), "command_path", "agentctl")
    said, hint = _words(message, error)
    hint = hint or (f"did you mean {near}?" if near else f"see `{command} --help`")
    return UsageError(said, hint=hint)


def _words(message: str, error: object) -> Words:
    for pattern, words in _KINDS.items():
        found = pattern.fullmatch(message)
        if found is not None:
            return words(found, error)
    return f"{message[:1].lower()}{message[1:]}", None


def _no_option(found: re.Match[str], _error: object) -> Words:
    return f"there is no option '{found[1]}'", None


def _no_command(found: re.Match[str], error: object) -> Words:
    """Of a command that has commands of its own."""
    context = getattr(error, "ctx", None)
    path = getattr(context, "command_path", "agentctl")
    known = list(getattr(getattr(context, "command", None), "commands", {}))
    near = nearest(found[1], known)
    whole = f"{path} {found[1]}".removeprefix("agentctl ")
    listed = ", ".join(f"`{path} {name}`" for name in known)
    return (
        f"there is no command '{whole}'",
        f"did you mean `{path} {near}`?" if near else f"there are {listed}",
    )


def _extra(found: re.Match[str], error: object) -> Words:
    """Mostly a question without quotes, of which the shell makes an argument a word."""
    context = getattr(error, "ctx", None)
    given: Mapping[str, object] = getattr(context, "params", {})
    path, team, question = (
        getattr(context, "command_path", "agentctl"),
        given.get("team"),
        given.get("question"),
    )
    if not isinstance(question, str):
        return f"'{found[1]}' is one argument too many", None
    whole = f"{question} {found[1]}"
    quoted = shlex.quote(whole) if _QUOTED_BY_SHELL.search(whole) else f'"{whole}"'
    return (
        f"the question ends at '{question}', and '{found[1]}' is left over",
        f"put it in quotes: {path} {shlex.quote(str(team))} {quoted}",
    )


def _value(found: re.Match[str], error: object) -> Words:
    """The option, or the variable that the value came from, by name; what it is to be, in its own words."""
    name, wanted = _named(error)
    number, low = _NO_NUMBER.fullmatch(found[1]), _OUT_OF_RANGE.fullmatch(found[1])
    if number is not None:
        kind = "number" if number[2] == "float" else "whole number"
        return f"{name} '{number[1]}' is not a {kind}", wanted
    if low is not None:
        return f"{name} '{low[1]}' is less than {low[2]}", wanted
    choice = _NOT_ONE_OF.fullmatch(found[1])
    if choice is not None:
        return f"{name} {choice[0]}", None
    return f"{name}: {found[1]}", wanted


def _named(error: object) -> tuple[str, str | None]:
    context, parameter = getattr(error, "ctx", None), getattr(error, "param", None)
    metavar, text = getattr(parameter, "metavar", None), getattr(parameter, "help", None)
    options = [name for name in getattr(parameter, "opts", []) if name.startswith("-")]
    option = max(options, key=len, default=metavar or "the value")
    source = context.get_parameter_source(parameter.name) if context and parameter else None
    by_variable = getattr(source, "name", "") == "ENVIRONMENT"
    wanted = None
    if options and metavar and text:
        wanted = f"write it as {option} {metavar}: {text[:1].lower()}{text[1:]}".rstrip(".")
    return (str(getattr(parameter, "envvar", option)) if by_variable else option), wanted


_KINDS: Final[Mapping[re.Pattern[str], Callable[[re.Match[str], object], Words]]] = {
    _NO_OPTION: _no_option,
    _NO_COMMAND: _no_command,
    _EXTRA: _extra,
    _VALUE: _value,
}


def _meant(message: str) -> str | None:
    """The nearest of what the message lists, in quotes."""
    listed = _MEANT.search(message)
    if listed is not None:
        return f"'{re.split(r', ', listed[1] or listed[2])[0].strip(chr(39))}'"
    choice = _NOT_ONE_OF.search(message)
    near = nearest(choice[1], re.findall(r"'([^']*)'", choice[2])) if choice else None
    return f"'{near}'" if near else None
