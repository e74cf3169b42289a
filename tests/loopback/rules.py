"""The rules that every chat request must keep, the strictest provider's for each, as sentences."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ROLES: Final = frozenset({"system", "user", "assistant", "tool"})


def check_body(body: JsonObject) -> list[str]:
    """What is wrong with a chat-completions body."""
    messages = [as_object(message) for message in as_list(body.get("messages"))]
    return [*check_request(messages), *_check_tools(body, messages)]


def check_request(messages: Sequence[Mapping[str, Json]]) -> list[str]:
    """What is wrong with the messages of a chat-completions body; `[]` when nothing is."""
    broken = [*_check_roles(messages), *_check_calls(messages)]
    for at, message in enumerate(messages):
        content = message.get("content")
        if not (isinstance(content, str) and content.strip()) and not message.get("tool_calls"):
            broken.append(f"message {at} ({message.get('role')}) has no content")
        if content == "":
            broken.append(f"message {at} ({message.get('role')}) has empty content")
    return broken


def check_anthropic(body: JsonObject) -> list[str]:
    """What is wrong with a body of Anthropic's messages interface."""
    messages = [as_object(message) for message in as_list(body.get("messages"))]
    roles = [as_text(message.get("role")) for message in messages]
    broken = []
    if not roles or roles[0] != "user":
        broken.append("the first message is not the user's")
    if roles and roles[-1] != "user":
        broken.append("the last message is not the user's")
    if not isinstance(body.get("max_tokens"), int):
        broken.append("max_tokens is missing")
    open_ids: list[Json] = []
    has_calls = False
    for at, message in enumerate(messages):
        blocks = _blocks(message)
        answered = [block.get("tool_use_id") for block in blocks if block.get("type") == "tool_result"]
        if answered != open_ids:
            broken.append(f"message {at} answers {answered}, but {open_ids} were called")
        if any(block.get("type") == "text" and not as_text(block.get("text")).strip() for block in blocks):
            broken.append(f"message {at} has an empty text block")
        open_ids = [block.get("id") for block in blocks if block.get("type") == "tool_use"]
        has_calls = has_calls or bool(open_ids)
    if has_calls and not as_list(body.get("tools")):
        broken.append("the history holds calls but no tools are offered")
    return broken


def _blocks(message: JsonObject) -> list[JsonObject]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [as_object(block) for block in as_list(content)]


def _check_roles(messages: Sequence[Mapping[str, Json]]) -> list[str]:
    roles = [as_text(message.get("role")) for message in messages]
    broken = [f"message {at} has the role {role!r}" for at, role in enumerate(roles) if role not in _ROLES]
    if "system" in roles[1:]:
        broken.append("a system message does not stand first")
    rest = roles[1:] if roles[:1] == ["system"] else roles
    if not rest or rest[0] != "user":
        broken.append("the first message after the system text is not the user's")
    if rest and rest[-1] not in ("user", "tool"):
        broken.append(f"the last message is from the {rest[-1]}")
    pairs = itertools.pairwise(rest)
    broken += [f"two neighbouring {a} messages" for a, b in pairs if a == b and a in ("user", "assistant")]
    return broken


def _check_calls(messages: Sequence[Mapping[str, Json]]) -> list[str]:
    broken: list[str] = []
    seen: set[str] = set()
    awaited: list[str] = []
    for at, message in enumerate(messages):
        if message.get("role") == "tool":
            answered = as_text(message.get("tool_call_id"))
            if not awaited or answered != awaited.pop(0):
                broken.append(f"message {at} answers {answered!r}, which is not the next open call")
            continue
        broken += [f"call {identity!r} is not answered before message {at}" for identity in awaited]
        calls = [as_object(call) for call in as_list(message.get("tool_calls"))]
        awaited = [as_text(call.get("id")) for call in calls]
        broken += [
            f"call id {identity!r} is used twice" for identity in awaited if identity in seen or not identity
        ]
        seen.update(awaited)
        broken += [problem for call in calls for problem in _check_call(call)]
    return [*broken, *(f"call {identity!r} is never answered" for identity in awaited)]


def _check_call(call: JsonObject) -> list[str]:
    function = as_object(call.get("function"))
    name = as_text(function.get("name"))
    broken = [] if _NAME.fullmatch(name) else [f"a call has the name {name!r}"]
    try:
        arguments = json.loads(as_text(function.get("arguments")))
    except ValueError:
        arguments = None
    return (
        broken if isinstance(arguments, dict) else [*broken, f"the arguments of {name!r} are no JSON object"]
    )


def _check_tools(body: JsonObject, messages: Sequence[JsonObject]) -> list[str]:
    broken: list[str] = []
    tools = as_list(body.get("tools"))
    if "tools" in body and not tools:
        broken.append("tools is empty instead of left out")
    if any(message.get("tool_calls") for message in messages) and not tools:
        broken.append("the history holds calls but no tools are offered")
    names = [as_text(as_object(as_object(tool).get("function")).get("name")) for tool in tools]
    broken += [f"tool name {name!r} is out of bounds" for name in names if not _NAME.fullmatch(name)]
    if len(set(names)) < len(names):
        broken.append(f"a tool name stands twice in {names}")
    if tools and "response_format" in body:
        broken.append("a response format beside tools")
    if "tool_choice" in body and not tools:
        broken.append("a tool choice without tools")
    return broken
