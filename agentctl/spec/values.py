"""Single values out of nodes. What does not fit is left out silently: the schema has reported it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Final, TypeAlias, TypeVar

from agentctl.document.nodes import Array, Node, Object, Scalar, plain
from agentctl.jsontypes import JsonObject, as_object

_DURATION: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)?")
_SECONDS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, None: 1.0}
Word = TypeVar("Word", bound=str)
Get: TypeAlias = Callable[[str], "Node | None"]


def getter(node: Node | None) -> Get:
    """Looks up a key of a mapping; nothing is found where the node is none."""
    return node.get if isinstance(node, Object) else _nothing


def _nothing(_key: str) -> Node | None:
    return None


def text(node: Node | None) -> str | None:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None


def number(node: Node | None) -> float | None:
    value = node.value if isinstance(node, Scalar) else None
    return None if isinstance(value, bool) or not isinstance(value, int | float) else value


def whole(node: Node | None) -> int | None:
    """A whole number; `6.0` is one, as it is in JSON Schema."""
    value = number(node)
    return int(value) if value is not None and math.isfinite(value) and value == int(value) else None


def count(node: Node | None, default: int) -> int:
    """A whole number above 0."""
    value = whole(node)
    return default if value is None or value < 1 else value


def flag(node: Node | None, default: bool) -> bool:
    value = node.value if isinstance(node, Scalar) else None
    return value if isinstance(value, bool) else default


def choice(node: Node | None, words: tuple[Word, ...], default: Word) -> Word:
    """The one of `words` that the node is."""
    value = text(node)
    return next((word for word in words if word == value), default)


def duration(node: Node | None) -> float | None:
    """Seconds, from `500ms`, `30s`, `5m`, `2h` or a number of seconds."""
    written = text(node)
    if written is None:
        value = number(node)
        return None if value is None or value < 0 else float(value)
    found = _DURATION.fullmatch(written)
    return float(found[1]) * _SECONDS[found[2]] if found else None


def texts(node: Node | None) -> tuple[str, ...]:
    """The strings of a list."""
    return tuple(value for item in items(node) if (value := text(item)) is not None)


def items(node: Node | None) -> tuple[Node, ...]:
    return node.items if isinstance(node, Array) else ()


def mapping(node: Node | None) -> JsonObject:
    """The JSON object that a node is, else an empty one."""
    return as_object(plain(node)) if isinstance(node, Object) else {}


def member(node: Node | None, key: str) -> Node | None:
    """The value under `key`, where the node is a mapping that has one."""
    return getter(node)(key)
