"""Calls that a model wrote as text instead of making them: recognised only where the text is nothing else.

The forms are those that models are known to slip into: a `<tool_call>` with JSON, a fence or the whole
text with `{"name": …, "arguments": …}`, `<function=NAME>` with parameters, and Mistral's `[TOOL_CALLS]`.
Every call must name a tool that was offered; otherwise the text is an answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from agentctl.jsontypes import Json, JsonObject, canonical
from agentctl.models.messages import Reply, ToolCall, ToolSpec
from agentctl.models.sound import sound_json

_TAGGED: Final = re.compile(r"<(tool_call|function_call)>\s*(.*?)\s*</\1>", re.DOTALL)
_MARKED: Final = re.compile(r"\[TOOL_CALLS\]\s*(?=[\[{])")
_NAMED: Final = re.compile(
    r"\[TOOL_CALLS\]\s*([\w.-]+)\s*(?:\[CALL_ID\]\s*[\w.-]*\s*)?(?:\[ARGS\])?\s*(?=\{)"
)
_FENCED: Final = re.compile(r"```(?:json|tool_call|tool_code|xml)?[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
_FUNCTION: Final = re.compile(r"<function=([^>\s]+)>\s*(.*?)\s*</function>", re.DOTALL)
_PARAMETER: Final = re.compile(r"<parameter=([^>\s]+)>\s*?\n?(.*?)\n?</parameter>", re.DOTALL)
_ARGUMENTS: Final = ("arguments", "parameters")


def with_written_calls(reply: Reply, offered: Sequence[ToolSpec], turn: int) -> Reply:
    """The reply with the calls that its text is, if it is nothing else; else as it is."""
    text = reply.text.strip()
    if reply.calls or not offered or not text.startswith(("<", "{", "[", "`")):
        return reply
    names = {spec.name for spec in offered}
    found = _calls(text)
    if not found or any(name not in names for name, _ in found):
        return reply
    calls = tuple(
        ToolCall(id=f"written_{turn}_{number}", name=name, arguments=arguments)
        for number, (name, arguments) in enumerate(found, start=1)
    )
    finish = reply.finish if reply.finish == "length" else "calls"
    return replace(reply, text="", calls=calls, finish=finish, opaque={})


def _calls(text: str) -> list[tuple[str, str]]:
    """(name, arguments as text) of each call, if the text is made of calls alone."""
    for form in (_TAGGED, _FENCED, _FUNCTION):
        pieces = list(form.finditer(text))
        if pieces and not form.sub("", text).strip():
            found = [call for piece in pieces for call in _piece(piece)]
            return found if len(found) >= len(pieces) else []
    marked = _MARKED.match(text)
    if marked:
        return [call for part in _MARKED.split(text) if part for call in _from_json(part)]
    return list(_from_json(text)) or list(_from_named(text))


def _from_named(text: str) -> Iterator[tuple[str, str]]:
    """`[TOOL_CALLS]NAME{…}`, several one behind the other, as Mistral's newer models write."""
    parts = _NAMED.split(text)
    names, bodies = parts[1::2], [body.strip() for body in parts[2::2]]
    if names and not parts[0].strip() and all(body.endswith("}") for body in bodies):
        yield from zip(names, bodies, strict=True)


def _piece(piece: re.Match[str]) -> list[tuple[str, str]]:
    if piece.re is _FUNCTION:
        return list(_from_function(piece[1], piece[2]))
    body = piece[2] if piece.re is _TAGGED else piece[1]
    inner = _FUNCTION.fullmatch(body.strip())
    return list(_from_function(inner[1], inner[2]) if inner else _from_json(body))


def _from_json(text: str) -> Iterator[tuple[str, str]]:
    """`{"name": …, "arguments": {…}}`, or a list of such; nothing where a single one is anything else."""
    try:
        value = sound_json(text)
    except (ValueError, RecursionError):
        return
    items = value if isinstance(value, list) else [value]
    calls = [_named(item) for item in items]
    if calls and all(calls):
        yield from (call for call in calls if call is not None)


def _named(item: Json) -> tuple[str, str] | None:
    if not isinstance(item, dict) or not isinstance(item.get("name"), str):
        return None
    keys = item.keys() - {"name", "id", "type"}
    given = [key for key in _ARGUMENTS if key in item]
    if len(given) != 1 or keys != set(given):
        return None
    arguments = item[given[0]]
    if isinstance(arguments, str):
        return item["name"], arguments
    return (item["name"], canonical(arguments)) if isinstance(arguments, dict) else None


def _from_function(name: str, body: str) -> Iterator[tuple[str, str]]:
    """Parameters in tags of their own, or one JSON object."""
    parameters = list(_PARAMETER.finditer(body))
    if parameters and not _PARAMETER.sub("", body).strip():
        values: JsonObject = {found[1]: _value(found[2].strip()) for found in parameters}
        yield name, canonical(values)
    elif body.startswith("{") and body.endswith("}"):
        yield name, body
    elif not body:
        yield name, "{}"


def _value(text: str) -> Json:
    """A number, truth value, list or object as JSON has it; any other text is itself."""
    try:
        found: Json = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found
