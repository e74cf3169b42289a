"""A checked script as JSON into its frozen turns. It takes only what the schema has passed."""

from __future__ import annotations

import json
import re
from typing import Final, get_args

from agentctl.errors import ModelErrorKind
from agentctl.jsontypes import Json, JsonObject, as_list, as_number, as_object, as_text, as_whole
from agentctl.models.messages import Finish, Usage
from agentctl.models.script_turns import ScriptedCall, ScriptedError, Turn, When, Where

_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_KINDS: Final[tuple[ModelErrorKind, ...]] = get_args(ModelErrorKind)
_FINISHES: Final[tuple[Finish, ...]] = get_args(Finish)
_PLACES: Final[tuple[Where, ...]] = get_args(Where)


def read_turn(value: Json, *, index: int, line: int) -> Turn:
    """One turn; a plain string is its text. Raises `re.error` for a bad `regex`."""
    if isinstance(value, str):
        return Turn(index=index, line=line, text=value)
    found = as_object(value)
    repeat = found.get("repeat", 1)
    return Turn(
        index=index,
        line=line,
        text=_text(found),
        calls=tuple(_call(as_object(call)) for call in as_list(found.get("calls"))),
        error=_error(as_object(found["error"])) if "error" in found else None,
        delay=_seconds(found.get("delay")),
        cut=as_whole(found.get("cut")) or None,
        pace=_seconds(found.get("pace")),
        usage=_usage(as_object(found.get("usage"))),
        cost_usd=as_number(found.get("cost_usd")),
        priced="cost_usd" not in found,
        finish=next((finish for finish in _FINISHES if finish == found.get("finish")), None),
        when=_when(as_object(found["when"])) if "when" in found else None,
        repeat=None if repeat is True else as_whole(repeat),
    )


def _text(found: JsonObject) -> str:
    written = found.get("text", "")
    return written if isinstance(written, str) else json.dumps(written, ensure_ascii=False)


def _call(found: JsonObject) -> ScriptedCall:
    raw = found.get("raw")
    written = json.dumps(found.get("arguments", {}), ensure_ascii=False)
    return ScriptedCall(
        name=as_text(found.get("name")),
        arguments=raw if isinstance(raw, str) else written,
        id=as_text(found.get("id")),
    )


def _error(found: JsonObject) -> ScriptedError:
    status, times = found.get("status"), found.get("times")
    headers = as_object(found.get("headers"))
    return ScriptedError(
        kind=next((kind for kind in _KINDS if kind == found.get("kind")), None),
        status=as_whole(status) if status is not None else None,
        message=as_text(found.get("message")),
        headers={name: str(value) for name, value in headers.items()},
        times=as_whole(times) if times is not None else None,
        after=as_whole(found.get("after")),
    )


def _usage(found: JsonObject) -> Usage:
    counts = {key: as_whole(value) for key, value in found.items()}
    return Usage(**counts, counted=True)


def _when(found: JsonObject) -> When:
    regex = found.get("regex")
    return When(
        contains=_texts(found.get("contains")),
        lacks=_texts(found.get("lacks")),
        regex=re.compile(regex, re.DOTALL) if isinstance(regex, str) else None,
        where=next((place for place in _PLACES if place == found.get("in")), "all"),
    )


def _texts(value: Json) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(as_text(item) for item in as_list(value))


def _seconds(value: Json) -> float:
    if isinstance(value, str):
        digits = value.rstrip("smh")
        return float(digits) * _UNITS[value.removeprefix(digits)]
    return as_number(value) or 0.0
