"""A checked script as JSON into its frozen turns. It takes only what the schema has passed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final, get_args

from agentctl.errors import ModelErrorKind
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.models.messages import Finish, Usage
from agentctl.models.script_turns import ScriptedCall, ScriptedError, Turn, When, Where

_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_KINDS: Final[tuple[ModelErrorKind, ...]] = get_args(ModelErrorKind)
_FINISHES: Final[tuple[Finish, ...]] = get_args(Finish)
_PLACES: Final[tuple[Where, ...]] = get_args(Where)
_BY_STATUS: Final[Mapping[int, ModelErrorKind]] = {
    401: "auth",
    402: "quota",
    403: "permission",
    404: "not_found",
    408: "server",
    409: "server",
    429: "rate_limit",
}


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
        cut=_whole(found.get("cut")) or None,
        pace=_seconds(found.get("pace")),
        usage=_usage(as_object(found.get("usage"))),
        cost_usd=_number(found.get("cost_usd")),
        priced="cost_usd" not in found,
        finish=next((finish for finish in _FINISHES if finish == found.get("finish")), None),
        when=_when(as_object(found["when"])) if "when" in found else None,
        repeat=None if repeat is True else _whole(repeat),
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
    status = found.get("status")
    kind = next((kind for kind in _KINDS if kind == found.get("kind")), None)
    times = found.get("times")
    return ScriptedError(
        kind=kind or _kind_of(_whole(status)),
        status=_whole(status) if status is not None else None,
        message=as_text(found.get("message")),
        retry_after=_retry_after(as_object(found.get("headers"))),
        times=_whole(times) if times is not None else None,
        after=_whole(found.get("after")),
    )


def _kind_of(status: int) -> ModelErrorKind:
    return _BY_STATUS.get(status, "server" if status >= 500 else "bad_request")


def _retry_after(headers: Mapping[str, Json]) -> float | None:
    if "retry-after-ms" in headers:
        return float(str(headers["retry-after-ms"])) / 1000
    written = headers.get("retry-after")
    return None if written is None else float(str(written))


def _usage(found: JsonObject) -> Usage:
    return Usage(**{key: _whole(value) for key, value in found.items()})


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
    return _number(value) or 0.0


def _number(value: Json) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _whole(value: Json) -> int:
    return int(value) if isinstance(value, int | float) else 0
