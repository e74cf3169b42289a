"""What may come next on a command line, for a shell that completes it: (value, help) pairs.

The words come from the shell, the commands and options from typer; what stands for a value is for
`candidates`. Of the commands only the one that is named is imported.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import typer

from agentctl.cli.commands import HELP, add_commands, command_of

_LINE: Final = "_AGENTCTL_LINE"
_BREAKS: Final = "=:"
"""Bash takes what follows one of these for a word of its own."""
_ROOT: Final[Mapping[str, str]] = {
    "--help": "Show the help and exit.",
    "--version": "Print the version.",
    "--debug": "Show a traceback when something fails.",
    "--install-completion": "Install completion for a shell.",
    "--show-completion": "Print the completion script of a shell.",
}

Candidate: TypeAlias = tuple[str, str]


class Parameter(Protocol):
    """What typer says of an argument or option."""

    name: str | None
    opts: list[str]
    multiple: bool
    nargs: int
    param_type_name: str
    metavar: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the cursor stands: what the value is for, its beginning, and what was said before it.

    `arguments` are the positional ones so far, `options` the values of options by their long names.
    """

    command: str
    parameter: Parameter
    incomplete: str
    arguments: Sequence[str]
    options: Mapping[str, str]


def complete(shell: str, arguments: Sequence[str], environ: Mapping[str, str]) -> str:
    """The lines that the script of that shell reads: `value`, and `help` after a tab where it shows it."""
    line = environ.get(_LINE, "")
    words = _split(line) if shell == "bash" else list(arguments)
    *before, incomplete = words or [""]
    found = sorted(set(candidates_for(before, incomplete)))
    if shell == "bash":
        cut = 1 + max(incomplete.rfind(letter) for letter in _BREAKS)
        return "\n".join(value[cut:] for value, _ in found)
    return "\n".join(f"{value}\t{' '.join(text.split())}" if text else value for value, text in found)


def candidates_for(before: Sequence[str], incomplete: str) -> Iterator[Candidate]:
    """`before` are the whole words after the program's name."""
    command = command_of(before)
    if command is None:
        known = _shells() if before and before[-1].endswith("-completion") else {**HELP, **_ROOT}
        wanted = incomplete.startswith("-")
        options = ((name, text) for name, text in known.items() if name.startswith("-") == wanted)
        yield from (one for one in options if one[0].startswith(incomplete))
    elif command in HELP:
        yield from _of_command(command, before[before.index(command) + 1 :], incomplete)


def _shells() -> Mapping[str, str]:
    from agentctl.cli.completion_scripts import SCRIPTS

    return dict.fromkeys(SCRIPTS, "")


def _of_command(command: str, words: Sequence[str], incomplete: str) -> Iterator[Candidate]:
    app = typer.Typer(add_completion=False)
    add_commands(app, [command])
    found = getattr(typer.main.get_command(app), "commands", {})[command]
    below: Mapping[str, object] = getattr(found, "commands", {})
    if below and words and words[0] in below:
        command, found, words, below = f"{command} {words[0]}", below[words[0]], words[1:], {}
    parameters: Sequence[Parameter] = getattr(found, "params", ())
    taken = _Words(command, parameters, words, incomplete)
    if taken.at_argument:
        yield from ((name, _help(one)) for name, one in below.items() if name.startswith(incomplete))
    yield from taken.candidates()


def _help(found: object) -> str:
    return str(getattr(found, "help", "") or "").strip().partition("\n")[0]


class _Words:
    """The words of one command, taken apart as far as the cursor."""

    def __init__(
        self, command: str, parameters: Sequence[Parameter], words: Sequence[str], incomplete: str
    ) -> None:
        self._command = command
        self._incomplete = incomplete
        self._options = {name: one for one in parameters for name in one.opts if name.startswith("-")}
        self._positional = [one for one in parameters if one.param_type_name == "argument"]
        self._arguments: list[str] = []
        self._values: dict[str, str] = {}
        self._awaiting: Parameter | None = None
        self._plain = False
        for word in words:
            self._take(word)

    def _take(self, word: str) -> None:
        name, equals, value = word.partition("=")
        if self._awaiting is not None:
            self._values[max(self._awaiting.opts, key=len)] = word
            self._awaiting = None
        elif self._plain or not word.startswith("-") or word == "-":
            self._arguments.append(word)
        elif word == "--":
            self._plain = True
        elif name in self._options:
            option = self._options[name]
            self._values[max(option.opts, key=len)] = value
            self._awaiting = None if equals or _is_flag(option) else option

    @property
    def at_argument(self) -> bool:
        """Whether the next word is no option and no option's value."""
        return self._awaiting is None and (self._plain or not self._incomplete.startswith("-"))

    def candidates(self) -> Iterator[Candidate]:
        name, equals, value = self._incomplete.partition("=")
        if self._awaiting is not None:
            yield from self._for(self._awaiting, self._incomplete)
        elif self.at_argument:
            parameter = self._next_argument()
            if parameter is not None:
                yield from self._for(parameter, self._incomplete)
        elif equals and name in self._options:
            for found, text in self._for(self._options[name], value):
                yield f"{name}={found}", text
        else:
            yield from self._option_names()

    def _next_argument(self) -> Parameter | None:
        """The one that the next word is for; the last one may take any number."""
        place = len(self._arguments)
        if place < len(self._positional):
            return self._positional[place]
        last = self._positional[-1] if self._positional else None
        return last if last is not None and last.nargs == -1 else None

    def _option_names(self) -> Iterator[Candidate]:
        for name, option in self._options.items():
            given = max(option.opts, key=len) in self._values and not option.multiple
            short = len(name) == len("-x") and name != self._incomplete
            if name.startswith(self._incomplete) and not given and not short:
                yield name, _help(option)

    def _for(self, parameter: Parameter, incomplete: str) -> Iterator[Candidate]:
        from agentctl.cli.candidates import candidates

        place = Place(
            command=self._command,
            parameter=parameter,
            incomplete=incomplete,
            arguments=self._arguments,
            options=self._values,
        )
        return (one for one in candidates(place) if one[0].startswith(incomplete))


def _is_flag(parameter: Parameter) -> bool:
    return bool(getattr(parameter, "is_flag", False))


def _split(line: str) -> list[str]:
    """The words after the program's name as a shell reads them, the last one also where it is not closed."""
    for closing in ("", '"', "'"):
        try:
            words = shlex.split(line + closing)
        except ValueError:
            continue
        return words[1:] if closing or not line[-1:].isspace() else [*words[1:], ""]
    return line.split()[1:]


def print_completions(shell: str, arguments: Sequence[str], environ: Mapping[str, str]) -> int:
    """Nothing that fails may be shown in the middle of a command line: then there is nothing to offer."""
    try:
        text = complete(shell, arguments, environ)
    except Exception:  # the shell goes on without candidates
        return 1
    if text:
        sys.stdout.write(f"{text}\n")
    return 0
