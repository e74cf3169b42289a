"""JSON as this project types it: the recursive alias, one canonical text, one hash, one encoder.

`to_json` turns whatever a tool returns into JSON and never raises; everything else here takes JSON already.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence, Sized
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, TypeAlias
from uuid import UUID

if TYPE_CHECKING:
    from hashlib import _Hash

Json: TypeAlias = "None | bool | int | float | str | Sequence[Json] | Mapping[str, Json]"
JsonObject: TypeAlias = Mapping[str, Json]

_DEEPEST: Final = 100
_MOST_ITEMS: Final = 100_000
_LONGEST_INT: Final = 14_000
"""In bits; Python writes no more than 4,300 digits in decimals, which are a little more."""


def canonical(value: Json) -> str:
    """The one text of a JSON value: sorted keys, no white space, non-ASCII kept."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def same_json(one: Json, other: Json) -> bool:
    """Whether two values are the same JSON: 25 is 25.0, and neither is `true`."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same_json(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same_json, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


class Grown(list["Json"]):
    """A list that goes on where its earlier copies ended, so that `digest` hashes only what is new in it.

    What was hashed once must not be changed; a copy that is changed otherwise than at its end is made anew.
    """

    def __init__(self, items: Iterable[Json] = ()) -> None:
        super().__init__(items)
        self._hashed: dict[str, tuple[int, _Hash]] = {}
        """By the text before the list: how many items the hash holds, and the hash. Shared by all copies."""

    def copy(self) -> Grown:
        found = Grown(self)
        found._hashed = self._hashed
        return found

    def hash_behind(self, before: str) -> _Hash:
        """The hash of `before` and of this list's canonical text, to go on with."""
        count, state = self._hashed.get(before, (0, None))
        if state is None or count > len(self):
            count, state = 0, hashlib.sha256(_bytes(f"{before}["))
        else:
            state = state.copy()
        new = ",".join(canonical(item) for item in self[count:])
        state.update(_bytes(f",{new}" if count and new else new))
        self._hashed[before] = (len(self), state.copy())
        state.update(b"]")
        return state


def digest(value: Json) -> str:
    """First 32 hex digits of the SHA-256 of `canonical(value)`."""
    if isinstance(value, Mapping) and value:
        first, *rest = sorted(value)
        grown = value[first]
        if isinstance(grown, Grown):
            state = grown.hash_behind(f"{{{canonical(first)}:")
            after = canonical({key: value[key] for key in rest})
            state.update(_bytes(f",{after[1:]}" if rest else "}"))
            return state.hexdigest()[:32]
    return hashlib.sha256(_bytes(canonical(value))).hexdigest()[:32]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def as_object(value: Json) -> JsonObject:
    """`value` if it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: Json) -> Sequence[Json]:
    """`value` if it is an array, else an empty one."""
    return value if isinstance(value, list | tuple) else ()


def as_text(value: Json) -> str:
    """`value` if it is a string, else the empty string."""
    return value if isinstance(value, str) else ""


def as_texts(value: Json) -> tuple[str, ...]:
    """The items of `value` as texts if it is an array, else none."""
    return tuple(as_text(item) for item in as_list(value))


def as_number(value: Json) -> float | None:
    """`value` if it is a number, which `true` is not."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def as_whole(value: Json) -> int:
    """`value` without its fraction if it is a number, else 0."""
    return int(value) if isinstance(value, int | float) else 0


def to_json(value: object) -> Json:
    """Encodes any Python value as JSON; what has no JSON form becomes its `repr`. Never raises.

    Whole numbers that Python does not write in decimals become hexadecimal text, durations ISO 8601; of a
    collection without a length at most 100,000 items are taken, and what contains itself says so there.
    """
    return _encode(value, ())


def _encode(value: object, within: tuple[int, ...]) -> Json:
    """`within` are the ids of the values that hold this one."""
    if len(within) > _DEEPEST:
        return "<nested too deeply>"
    if value is None or isinstance(value, bool):
        return value
    if id(value) in within:
        return "<contains itself>"
    try:
        simple = _scalar(value)
        return simple[0] if simple is not None else _compound(value, (*within, id(value)))
    except Exception:  # a __str__, __repr__, property or iterator of foreign code may raise anything
        return f"<{type(value).__name__}>"


def _scalar(value: object) -> tuple[Json] | None:
    if isinstance(value, Enum):
        return (_encode(value.value, (id(value),)),)
    if isinstance(value, str):
        return (str(value).encode("utf-8", "replace").decode("utf-8"),)
    if isinstance(value, int):
        return (int(value) if value.bit_length() <= _LONGEST_INT else hex(value),)
    if isinstance(value, float):
        return (float(value) if math.isfinite(value) else None,)
    if isinstance(value, datetime | date | time):
        return (value.isoformat(),)
    if isinstance(value, timedelta):
        seconds = value.total_seconds()
        return (f"{'-' if seconds < 0 else ''}PT{Decimal(str(abs(seconds))).normalize():f}S",)
    if isinstance(value, Decimal | UUID | PurePath):
        return (str(value),)
    if isinstance(value, bytes | bytearray | memoryview):
        return (f"base64:{base64.b64encode(bytes(value)).decode('ascii')}",)
    return None


def _compound(value: object, within: tuple[int, ...]) -> Json:
    dump = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        return _encode(dump(mode="python"), within)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: _encode(getattr(value, field.name), within) for field in fields}
    if isinstance(value, Mapping):
        return _object(value, within)
    if isinstance(value, set | frozenset):
        items = [_encode(item, within) for item in value]
        return sorted(items, key=canonical)
    if isinstance(value, Iterable) and not isinstance(value, type):
        if isinstance(value, Sized):
            return [_encode(item, within) for item in value]
        items = [_encode(item, within) for item in islice(value, _MOST_ITEMS + 1)]
        return [*items[:_MOST_ITEMS], "<and more>"] if len(items) > _MOST_ITEMS else items
    return repr(value).encode("utf-8", "replace").decode("utf-8")


def formless(value: object) -> str | None:
    """What in a value has no JSON form, so that `to_json` gives words for it: a type's name, or None."""
    return _formless(value, ())


def _formless(value: object, within: tuple[int, ...]) -> str | None:
    if value is None or isinstance(value, bool):
        return None
    if id(value) in within or len(within) > _DEEPEST:
        return f"{type(value).__name__} in itself"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    try:
        parts = () if _scalar(value) is not None else _parts(value)
        found = (_formless(part, (*within, id(value))) for part in parts or ())
        return type(value).__name__ if parts is None else next((name for name in found if name), None)
    except Exception:  # as above
        return type(value).__name__


def _parts(value: object) -> Iterable[object] | None:
    """Whatever `_compound` goes into and can go into again."""
    if isinstance(value, type):
        return None
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return (dump(mode="python"),)
    if dataclasses.is_dataclass(value):
        return [getattr(value, field.name) for field in dataclasses.fields(value)]
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, Iterable) and isinstance(value, Sized) else None


def _object(value: Mapping[object, object], within: tuple[int, ...]) -> dict[str, Json]:
    """Keys as text; those that would be the same text are told apart by their `repr`."""
    found: dict[str, Json] = {}
    for key, item in value.items():
        encoded = _encode(key, ())
        name = encoded if isinstance(encoded, str) else canonical(encoded)
        found[repr(key) if name in found else name] = _encode(item, within)
    return found
