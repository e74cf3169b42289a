"""Reads a function's parameters with their evaluated type hints, or says what no model could fill.

It knows nothing of JSON Schema: what a hint means there is the next stage's business.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, get_args, get_origin

from agentctl.tools.problems import Fault
from agentctl.tools.tool import ToolContext
from agentctl.tools.wording import exception_text

NOTHING: Final = inspect.Parameter.empty


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """`hint` is evaluated, `Annotated` kept; `default` is `NOTHING` where there is none.

    `number` counts from 0 within the function. `context` marks a parameter that the runtime fills.
    """

    name: str
    number: int
    hint: object
    default: object = NOTHING
    positional: bool = False
    context: bool = False


def read_parameters(function: Callable[..., object], text: str) -> tuple[Parameter, ...] | list[Fault]:
    """Every parameter in order, or all that is wrong. `text` is how the team file names the function."""
    try:
        signature = inspect.signature(function)
    except Exception as error:  # also what a `__signature__` of its own raises
        message = f'"{text}" does not say which parameters it takes: {exception_text(error)}'
        return [_fault(message, "wrap it in a function with `def` and type hints")]
    scope = scope_of(function)
    read = [_read(each, number, scope, text) for number, each in enumerate(signature.parameters.values())]
    faults = [each for each in read if isinstance(each, Fault)]
    return faults or tuple(each for each in read if isinstance(each, Parameter))


def _read(found: inspect.Parameter, number: int, scope: dict[str, Any], text: str) -> Parameter | Fault:
    if found.kind in (found.VAR_POSITIONAL, found.VAR_KEYWORD):
        return _variadic(found, text)
    hint: object = _hint_of_default(found.default)
    if found.annotation is not NOTHING:
        try:
            hint = evaluated(found.annotation, scope)
        except Exception as error:  # an annotation is an expression and may raise anything
            return _unreadable(found, error, text)
    elif found.default is NOTHING:
        return _unannotated(found, text)
    return Parameter(
        name=found.name,
        number=number,
        hint=hint,
        default=found.default,
        positional=found.kind is found.POSITIONAL_ONLY,
        context=_is_context(hint),
    )


def scope_of(function: Callable[..., object]) -> dict[str, Any]:
    """The global names that the function's annotations were written with."""
    plain: object = function
    while isinstance(plain, functools.partial):
        plain = plain.func
    if isinstance(plain, type):
        return vars(sys.modules[plain.__module__]) if plain.__module__ in sys.modules else {}
    if not isinstance(plain, types.FunctionType | types.MethodType):
        plain = getattr(type(plain), "__call__", plain)  # noqa: B004  the function is wanted, not whether
    return getattr(inspect.unwrap(plain), "__globals__", {}) if callable(plain) else {}


def evaluated(annotation: object, scope: dict[str, Any]) -> object:
    def holder() -> None: ...

    holder.__annotations__ = {"it": annotation}
    return typing.get_type_hints(holder, globalns=scope, include_extras=True)["it"]


def _hint_of_default(default: object) -> object:
    return type(default) if isinstance(default, bool | int | float | str | list | dict) else Any


def _is_context(hint: object) -> bool:
    if get_origin(hint) is Annotated:
        return _is_context(get_args(hint)[0])
    if get_origin(hint) in (typing.Union, types.UnionType):
        return any(_is_context(member) for member in get_args(hint))
    return hint is ToolContext


def _variadic(found: inspect.Parameter, text: str) -> Fault:
    stars = "*" if found.kind is found.VAR_POSITIONAL else "**"
    return _fault(
        f'"{text}" takes "{stars}{found.name}", which a model cannot be told how to fill',
        "name each parameter, with its type; a decorator that hides them needs `functools.wraps`",
    )


def _unannotated(found: inspect.Parameter, text: str) -> Fault:
    if found.name in ("self", "cls"):
        return _fault(
            f'"{text}" is a method without its object: its parameter "{found.name}" has no value',
            "make it a `@staticmethod`, or name the method of an object, as in `module:object.method`",
        )
    return _fault(
        f'parameter "{found.name}" of "{text}" has neither a type hint nor a default',
        f"write its type, such as `{found.name}: str`",
    )


def _unreadable(found: inspect.Parameter, error: Exception, text: str) -> Fault:
    missing = error.name if isinstance(error, NameError) else None
    message = f'the type hint of parameter "{found.name}" of "{text}" cannot be evaluated'
    if missing:
        return _fault(
            f'{message}: "{missing}" is not defined in its module',
            f'import "{missing}" at the top of the module, not only under `TYPE_CHECKING` or in a function',
        )
    return _fault(f"{message}: {exception_text(error)}", "write a type that Python can evaluate")


def _fault(message: str, hint: str) -> Fault:
    return Fault(code="tool-signature", message=message, hint=hint)
