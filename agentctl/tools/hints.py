"""Replaces the type hints that pydantic does not take on this Python by ones of the same meaning.

Before Python 3.12 that is `typing.TypedDict`, for which `typing_extensions` has the equal.
"""

from __future__ import annotations

import functools
import operator
import sys
import types
import typing
from typing import Annotated, Any, get_args, get_origin


def supported(hint: object) -> object:
    """`hint`, or what says the same in a way that pydantic understands."""
    return hint if sys.version_info >= (3, 12) else _replaced(hint, ())


def _replaced(hint: object, inside: tuple[object, ...]) -> object:
    if typing.is_typeddict(hint) and type(hint).__module__ == "typing":
        return hint if hint in inside else _equal_typed_dict(hint, (*inside, hint))
    arguments = get_args(hint)
    if not arguments or get_origin(hint) is typing.Literal:
        return hint
    if get_origin(hint) is Annotated:
        first = _replaced(arguments[0], inside)
        return hint if first is arguments[0] else Annotated[(first, *arguments[1:])]
    replaced = tuple(_replaced(argument, inside) for argument in arguments)
    if all(new is old for new, old in zip(replaced, arguments, strict=True)):
        return hint
    return _rebuilt(hint, replaced)


def _rebuilt(hint: object, arguments: tuple[object, ...]) -> object:
    origin: Any = get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        members: tuple[Any, ...] = arguments
        return functools.reduce(operator.or_, members) if len(members) > 1 else origin[members[0]]
    return origin[arguments]


def _equal_typed_dict(found: Any, inside: tuple[object, ...]) -> object:
    import typing_extensions

    make: Any = typing_extensions.TypedDict
    fields = {
        name: _field(hint, name in found.__required_keys__, inside)
        for name, hint in typing.get_type_hints(found, include_extras=True).items()
    }
    equal = make(found.__name__, fields)
    equal.__doc__, equal.__module__ = found.__doc__, found.__module__
    return equal


def _field(hint: object, required: bool, inside: tuple[object, ...]) -> object:
    """The hint overrules `required`: what postponed annotations say, `TypedDict` does not see."""
    stated = get_origin(hint)
    if stated in (typing.Required, typing.NotRequired):
        required, hint = stated is typing.Required, get_args(hint)[0]
    kind: Any = _replaced(hint, inside)
    return typing.Required[kind] if required else typing.NotRequired[kind]
