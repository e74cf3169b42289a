"""Whether a function that a team file names elsewhere than under `tools` takes what it will be given.

It knows nothing of who calls it: a `Usage` says with what, and in which words a person is told so.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, get_args, get_origin

from agentctl.tools.parameters import evaluated, scope_of
from agentctl.tools.problems import Fault

_METHOD: Final = ("self", "cls")
_KINDS: Final = (str, int, float, bool, bytes, list, dict, tuple, set)
_WORDS: Final = {str: "text", list: "a list", dict: "a mapping"}
_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One argument: `name` is what its parameter may be called, `words` what it is."""

    name: str
    words: str
    kind: type[str] | type[list[object]] | type[dict[str, object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """One place that calls a function: `where` is how a person knows it, such as "`by`".

    The last `optional` arguments are left out for a function that does not take them. `returns` says what
    is wanted back, `unfit` are types that can never be it.
    """

    where: str
    given: tuple[Given, ...]
    returns: str
    unfit: tuple[type, ...]
    optional: int = 0


def class_fault(text: str) -> Fault:
    return Fault(
        code="not-callable",
        message=f'"{text}" is a class, not a function',
        hint="name a function, or the method of an object, as in `module:object.method`",
    )


def usage_faults(function: Callable[..., object], text: str, usage: Usage) -> list[Fault]:
    """What keeps the function from being called so; `text` is how the team file names it."""
    if isinstance(function, type):
        return [class_fault(text)]
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        message = f'"{text}" yields, and {usage.where} needs {usage.returns} returned'
        return [_fault(message, "write `return` instead of `yield`")]
    try:
        signature = inspect.signature(function)
    except Exception:  # what does not tell its parameters, as some written in C, is left to the call
        return []
    found = list(signature.parameters.values())
    wrong = _count(found, text, usage)
    if wrong is not None:
        return [wrong]
    scope = scope_of(function)
    return [*_mistyped(found, scope, text, usage), *_unfit(signature, scope, text, usage)]


def taken(function: Callable[..., object], usage: Usage) -> int:
    """How many of the arguments the function is given."""
    least = len(usage.given) - usage.optional
    try:
        found = list(inspect.signature(function).parameters.values())
    except Exception:  # as above
        return least
    return max(least, min(_most(found), len(usage.given)))


def _count(found: Sequence[inspect.Parameter], text: str, usage: Usage) -> Fault | None:
    needed = [each for each in found if each.default is each.empty and each.kind in _POSITIONAL]
    named = [each for each in found if each.default is each.empty and each.kind is each.KEYWORD_ONLY]
    most, least = len(usage.given), len(usage.given) - usage.optional
    told = f"{usage.where} calls it with {_listed(usage)}"
    if needed and needed[0].name in _METHOD and len(needed) > least:
        message = f'"{text}" is a method without its object: its parameter "{needed[0].name}" has no value'
        return _fault(
            message,
            "make it a `@staticmethod`, or name the method of an object, as in `module:object.method`",
        )
    if named:
        message = f'parameter "{named[0].name}" of "{text}" can only be given by name, and {told}'
        rest = "" if _most(found) >= least else f": write {_definition(text, usage)}, without the `*`"
        hint = (
            f'give "{named[0].name}" a default, or take it out'
            if not rest
            else f"let it be given by place{rest}"
        )
        return _fault(message, hint)
    if len(needed) > most:
        extra = " and ".join(f'"{each.name}"' for each in needed[most:])
        message = f'"{text}" needs {_arguments(len(needed))}, and {told}'
        return _fault(message, f"write {_definition(text, usage)}, or give {extra} a default")
    if _most(found) < least:
        message = f'"{text}" takes {_arguments(_most(found))}, and {told}'
        return _fault(message, f"write {_definition(text, usage)}")
    return None


def _most(found: Sequence[inspect.Parameter]) -> int:
    """How many arguments by place it takes at most."""
    if any(each.kind is each.VAR_POSITIONAL for each in found):
        return 1_000
    return sum(each.kind in _POSITIONAL for each in found)


def _mistyped(
    found: Sequence[inspect.Parameter], scope: dict[str, typing.Any], text: str, usage: Usage
) -> Iterator[Fault]:
    by_place = [each for each in found if each.kind in _POSITIONAL]
    for parameter, given in zip(by_place, usage.given, strict=False):
        kinds = _kinds(parameter.annotation, scope)
        if kinds and given.kind not in kinds:
            declared = " | ".join(kind.__name__ for kind in kinds)
            message = (
                f'parameter "{parameter.name}" of "{text}" is declared as {declared}, and {usage.where} '
                f"gives it {given.words}: {_WORDS[given.kind]}"
            )
            yield _fault(message, f"write {_definition(text, usage)}")


def _unfit(
    signature: inspect.Signature, scope: dict[str, typing.Any], text: str, usage: Usage
) -> Iterator[Fault]:
    kinds = _kinds(signature.return_annotation, scope)
    if kinds and all(kind in usage.unfit for kind in kinds):
        declared = " | ".join("None" if kind is type(None) else kind.__name__ for kind in kinds)
        message = f'"{text}" is declared to return {declared}, and {usage.where} needs {usage.returns}'
        yield _fault(message, f"return {usage.returns}")


def _kinds(annotation: object, scope: dict[str, typing.Any]) -> list[type]:
    """The plain types that a hint allows; none where it allows anything that is not so plain."""
    if annotation is inspect.Parameter.empty:
        return []
    try:
        return _plain(evaluated(annotation, scope)) or []
    except Exception:  # an annotation is an expression and may raise anything; nobody reads it here
        return []


def _plain(hint: object) -> list[type] | None:
    if get_origin(hint) is Annotated:
        return _plain(get_args(hint)[0])
    if get_origin(hint) in (typing.Union, types.UnionType):
        members = [_plain(member) for member in get_args(hint)]
        return None if None in members else [kind for member in members if member for kind in member]
    base = get_origin(hint) or hint
    return [base] if isinstance(base, type) and base in (*_KINDS, type(None)) else None


def _arguments(number: int) -> str:
    return {0: "no arguments", 1: "1 argument"}.get(number, f"{number} arguments")


def _listed(usage: Usage) -> str:
    words = [given.words for given in usage.given]
    least = len(words) - usage.optional
    parts = [*words[:least], *(f"{word} if it takes it" for word in words[least:])]
    return f"{len(usage.given)}: {' and '.join(parts)}" if len(parts) > 1 else f"1: {parts[0]}"


def _definition(text: str, usage: Usage) -> str:
    name = text.rpartition(":")[2].rpartition(".")[2]
    return f"`def {name}({', '.join(given.name for given in usage.given)}):`"


def _fault(message: str, hint: str) -> Fault:
    return Fault(code="function-signature", message=message, hint=hint)
