"""The arguments of a call as a model wrote them into an object, or what is wrong with them in its words.

What has one meaning is read so: nothing and `null` are `{}`, JSON inside a string is JSON. Broken JSON is
repaired only for a tool that may be run twice, only where it is not known to be cut, and only into what
the tool accepts; that it was repaired stands in the record. What has two meanings (a key with two values)
or none in JSON (NaN) is told to the model.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final, cast

from agentctl.jsontypes import Json, JsonObject
from agentctl.models.sound import sound_json
from agentctl.tools.tool import Tool

_PREVIEW: Final = 200
_LONGEST_REPAIR: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """`problem` says why the call is not made; `note` what was done to make them readable."""

    value: JsonObject
    problem: str | None = None
    note: str = ""


def read_arguments(raw: str, tool: Tool | None, *, cut: bool) -> Arguments:
    """`cut`: the reply ended at its length limit, so that these may not be whole."""
    value = parse_arguments(raw)
    if tool is None:
        return Arguments(value=value if not isinstance(value, str) else {})
    if isinstance(value, str):
        repaired = _repaired(raw, tool) if tool.idempotent and not cut and not _parses(raw) else None
        if repaired is None:
            return Arguments(value={}, problem=value)
        return Arguments(value=repaired, note=f"the arguments were repaired; they were written {_short(raw)}")
    problem = tool.check(value)
    if problem is None:
        return Arguments(value=value)
    opened = {name: _opened(each) for name, each in value.items()}
    if opened != value and tool.check(opened) is None:
        return Arguments(value=opened, note="arguments that were JSON in a text were read as JSON")
    return Arguments(value=value, problem=problem)


def parse_arguments(raw: str) -> JsonObject | str:
    """The arguments as an object, or what is wrong with them. Empty text and `null` mean none."""
    if raw.strip() in ("", "null"):
        return {}
    try:
        value = _opened(sound_json(raw))
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        return f"The arguments are not valid JSON ({why}); the call was not made. They began: {_short(raw)}"
    if not isinstance(value, dict):
        return f"The arguments must be a JSON object; the call was not made. They were: {_short(raw)}"
    return cast("JsonObject", value)


def _opened(value: Json) -> Json:
    """What a text holds that is an object or list written as JSON; anything else as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return sound_json(value)
    except (ValueError, RecursionError):
        return value


def _repaired(raw: str, tool: Tool) -> JsonObject | None:
    if len(raw) > _LONGEST_REPAIR or not raw.lstrip().startswith("{") or not _is_whole(raw):
        return None
    from json_repair import repair_json

    try:
        value = repair_json(raw, return_objects=True, skip_json_loads=True)
    except Exception:  # the library's own faults over text that is no JSON
        return None
    fits = isinstance(value, dict) and value and tool.check(cast("JsonObject", value)) is None
    return cast("JsonObject", value) if fits else None


def _is_whole(raw: str) -> bool:
    """Whether nothing but closing brackets is missing at the end: half a value is never completed."""
    return raw.rstrip().endswith("}") or any(_parses(raw + end) for end in ("}", "}}", "]}", "]}}", "}]}"))


def _parses(raw: str) -> bool:
    try:
        json.loads(raw)
    except (ValueError, RecursionError):
        return False
    return True


def _short(text: str) -> str:
    return text if len(text) <= _PREVIEW else text[:_PREVIEW] + "…"
