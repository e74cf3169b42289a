"""Walks from a module to the function a team file names, and says what stands in its place otherwise."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Final

from agentctl.diagnostics import nearest
from agentctl.tools.import_faults import standard_library
from agentctl.tools.isolation import is_space_module, public_name
from agentctl.tools.problems import Fault
from agentctl.tools.wording import exception_text

STANDARD: Final = sys.stdlib_module_names


def pick(
    module: ModuleType, attributes: Sequence[str], text: str, *, guarded: bool
) -> Callable[..., object] | Fault:
    """The callable at `attributes` of `module`. `guarded` refuses what belongs to the standard library."""
    value: object = module
    for name in attributes:
        holder = value
        try:
            value = getattr(holder, name)
        except AttributeError:
            return _missing(holder, name, text)
        except Exception as error:  # a module's or class's own __getattr__
            message = f'"{text}" raised {exception_text(error)} when it was looked up'
            hint = "mend what looks it up, or name a plain function of the module"
            return Fault(code="import-failed", message=message, hint=hint)
        if guarded and isinstance(value, ModuleType) and _is_standard(value.__name__):
            return standard_library(text)
    if not callable(value):
        return _not_callable(value, text)
    if guarded and not is_space_module(module.__name__) and _is_standard(_home(value)):
        return standard_library(text)
    return _lambda(text) if _is_lambda(value) else value


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in STANDARD


def _home(value: object) -> str:
    plain = isinstance(value, FunctionType | BuiltinFunctionType | type)
    home = getattr(value, "__module__", None) if plain else None
    return home if isinstance(home, str) else ""


def _is_lambda(value: object) -> bool:
    while isinstance(value, partial):
        value = value.func
    return getattr(value, "__name__", "") == "<lambda>"


def _missing(holder: object, name: str, text: str) -> Fault:
    if isinstance(holder, ModuleType):
        called = f'module "{public_name(holder.__name__)}"'
        if getattr(holder, "__file__", None) is None and hasattr(holder, "__path__"):
            called = f'folder "{public_name(holder.__name__)}", which holds no Python code of its own,'
    else:
        holder_name = getattr(holder, "__name__", type(holder).__name__)
        called = f'"{holder_name}"'
    known = _functions(holder)
    close = nearest(name, known)
    listed = ", ".join(f'"{each}"' for each in known[:8])
    there = f"it has {listed}" if listed else "write it there, or name the module that has it"
    return Fault(
        code="attribute-missing",
        message=f'{called} has no "{name}"',
        hint=f'did you mean "{_with(text, name, close)}"?' if close else there,
    )


def _with(text: str, name: str, close: str) -> str:
    """The whole reference with the name that is meant."""
    module, colon, names = text.rpartition(":")
    parts = [close if part == name else part for part in names.split(".")]
    return f"{module}{colon}{'.'.join(parts)}"


def _functions(holder: object) -> list[str]:
    """The callables that `holder` defines itself, or failing those, any public name it has."""
    names = vars(holder) if hasattr(holder, "__dict__") else {}
    home = getattr(holder, "__name__", "")
    public = {name: value for name, value in names.items() if not name.startswith("_")}
    own = [
        name
        for name, value in public.items()
        if callable(value)
        and (not isinstance(holder, ModuleType) or getattr(value, "__module__", "") == home)
    ]
    return own or [name for name, value in public.items() if callable(value)]


def _not_callable(value: object, text: str) -> Fault:
    if isinstance(value, ModuleType):
        return Fault(
            code="not-callable",
            message=f'"{text}" is a module, not a function',
            hint=f'name the function in it: "{public_name(value.__name__)}:function"',
        )
    kind = type(value).__name__
    return Fault(
        code="not-callable",
        message=f'"{text}" is no function but a value of type "{kind}"',
        hint="name a function, or an object with a `__call__` method",
    )


def _lambda(text: str) -> Fault:
    return Fault(
        code="lambda",
        message=f'"{text}" is a lambda, which has neither type hints nor a description',
        hint="write it as a function with `def`, type hints and a docstring",
    )
