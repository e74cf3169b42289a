"""The parts of a recording in the form in which they stand in its file, and back.

What is usual is left out, so that a person reads what was said; `arguments` stand as JSON, and as `raw`
text where they are none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, get_args

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text, canonical
from agentctl.models.messages import Finish, Message, Reply, Role, ToolCall, Usage
from agentctl.models.recording import RecordedCall, RecordedTool, Recording
from agentctl.models.recording_keys import same_arguments

FORMAT: Final = 1
_NEAR: Final = 20
"""How many calls of the same agent before one are looked at for being what it goes on from."""
_ROLES: Final[tuple[Role, ...]] = get_args(Role)
_FINISHES: Final[tuple[Finish, ...]] = get_args(Finish)
_USAGE: Final = ("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")


def recording_json(recording: Recording) -> JsonObject:
    """Sorted by step, so that the order in which branches ended changes nothing."""
    calls = sorted(map(_numbered, recording.calls), key=lambda call: step_order(call.step))
    schemas = _schemas(calls)
    tools = sorted(recording.tools, key=lambda tool: step_order(tool.step))
    found: dict[str, Json] = {
        "recording": FORMAT,
        "team": recording.team,
        "question": recording.question,
        "calls": _calls(calls, {canonical(schema): name for name, schema in schemas.items()}),
        "tools": [_tool(tool) for tool in tools],
        "draws": dict(sorted(recording.draws.items())),
        "listings": dict(sorted(recording.listings.items())),
        "answers": dict(sorted(recording.answers.items())),
        "schemas": schemas,
    }
    return {key: value for key, value in found.items() if value not in ([], {})}


def step_order(step: str) -> list[tuple[int, int, str]]:
    """Sorts `turn-10` after `turn-9`, and an execution's own turns before those of whom it delegates to."""
    parts: list[tuple[int, int, str]] = []
    for part in step.split("/"):
        parts.append((0 if part.startswith("turn-") else 1, 0, ""))
        for word in re.split("[-.~]", part):
            number = int(word) if word.isascii() and word.isdigit() else 0
            parts.append((0, number, "" if number else word))
    return parts


def message_from(value: JsonObject) -> Message:
    return Message(
        role=next((role for role in _ROLES if role == value.get("role")), "user"),
        text=as_text(value.get("text")),
        calls=_calls_from(value.get("calls")),
        call_id=as_text(value.get("call_id")),
        error=value.get("error") is True,
    )


def reply_from(value: JsonObject) -> Reply:
    calls = _calls_from(value.get("calls"))
    cost = value.get("cost_usd")
    stated = next((finish for finish in _FINISHES if finish == value.get("finish")), None)
    return Reply(
        text=as_text(value.get("text")),
        calls=calls,
        finish=stated or ("calls" if calls else "stop"),
        model=as_text(value.get("model")),
        usage=Usage.from_json(value.get("usage")),
        cost_usd=float(cost) if isinstance(cost, int | float) else None,
    )


def _numbered(call: RecordedCall) -> RecordedCall:
    """With ids of tool calls by number, so that a recording made anew differs in what was said alone."""
    made = [each for message in call.sent.messages for each in message.calls] + list(call.reply.calls)
    ids: dict[str, str] = {}
    for each in made:
        ids.setdefault(each.id, f"call_{len(ids) + 1}")

    def named(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
        return tuple(replace(each, id=ids[each.id]) for each in calls)

    messages = tuple(
        replace(message, calls=named(message.calls), call_id=ids.get(message.call_id, message.call_id))
        for message in call.sent.messages
    )
    reply = replace(call.reply, calls=named(call.reply.calls))
    return replace(call, sent=replace(call.sent, messages=messages), reply=reply)


def _schemas(calls: Sequence[RecordedCall]) -> dict[str, JsonObject]:
    """Each shape of answer once, named after the first agent that was asked for it."""
    found: dict[str, JsonObject] = {}
    for call in calls:
        if call.sent.schema is not None and call.sent.schema not in found.values():
            agent = call.sent.agent
            taken = sum(name.rpartition("-")[0] == agent for name in found)
            found[f"{agent}-{taken + 1}"] = call.sent.schema
    return found


def _calls(calls: Sequence[RecordedCall], schemas: Mapping[str, str]) -> list[Json]:
    """Each with all that was sent, or with what was added since the call that it continues."""
    written: list[Json] = []
    earlier: list[RecordedCall] = []
    for call in calls:
        own = [each for each in earlier if each.sent.agent == call.sent.agent][-_NEAR:]
        before = next((each for each in reversed(own) if _continues(call, each)), None)
        written.append(_call(call, before, schemas))
        earlier.append(call)
    return written


def _continues(call: RecordedCall, earlier: RecordedCall) -> bool:
    if earlier.error is not None or len(call.sent.messages) <= len(earlier.sent.messages):
        return False
    said = (
        *earlier.sent.messages,
        Message(role="assistant", text=earlier.reply.text, calls=earlier.reply.calls),
    )
    began = call.sent.messages[: len(said)]
    return [_message(message) for message in began] == [_message(message) for message in said]


def _call(call: RecordedCall, before: RecordedCall | None, schemas: Mapping[str, str]) -> JsonObject:
    known = len(before.sent.messages) + 1 if before else 0
    found: dict[str, Json] = {"step": call.step, "agent": call.sent.agent}
    if before is not None:
        found["continues"] = before.step
    found["sent"] = [_message(message) for message in call.sent.messages[known:]]
    if call.sent.tools:
        found["tools"] = list(call.sent.tools)
    if call.sent.schema is not None:
        found["schema"] = schemas[canonical(call.sent.schema)]
    if call.error is not None:
        return {**found, "error": call.error}
    found["reply"] = _reply(call.reply)
    if len(call.pieces) > 1:
        found["pieces"] = list(call.pieces)
    return found


def _message(message: Message) -> JsonObject:
    found: dict[str, Json] = {"role": message.role}
    if message.call_id:
        found["call_id"] = message.call_id
    if message.error:
        found["error"] = True
    if message.text or not message.calls:
        found["text"] = message.text
    if message.calls:
        found["calls"] = [_tool_call(call) for call in message.calls]
    return found


def _reply(reply: Reply) -> JsonObject:
    found: dict[str, Json] = {}
    if reply.text or not reply.calls:
        found["text"] = reply.text
    if reply.calls:
        found["calls"] = [_tool_call(call) for call in reply.calls]
    if reply.finish != ("calls" if reply.calls else "stop"):
        found["finish"] = reply.finish
    usage = reply.usage.as_json()
    counted: JsonObject = {key: usage[key] for key in _USAGE if usage.get(key)}
    return {
        **found,
        "model": reply.model,
        **({"usage": counted} if counted else {}),
        "cost_usd": reply.cost_usd,
    }


def _tool_call(call: ToolCall) -> JsonObject:
    arguments = same_arguments(call.arguments)
    if isinstance(arguments, dict):
        return {"id": call.id, "name": call.name, "arguments": arguments}
    return {"id": call.id, "name": call.name, "raw": call.arguments}


def _tool(tool: RecordedTool) -> JsonObject:
    found: dict[str, Json] = {
        "step": tool.step,
        "agent": tool.agent,
        "tool": tool.tool,
        "arguments": tool.arguments,
        "result": tool.text,
    }
    if tool.error:
        found["error"] = True
    if tool.fatal:
        found["fatal"] = True
    return {**found, "state": tool.state} if tool.state else found


def _calls_from(value: Json) -> tuple[ToolCall, ...]:
    return tuple(_call_from(as_object(call)) for call in as_list(value))


def _call_from(value: JsonObject) -> ToolCall:
    raw = value.get("raw")
    written = json.dumps(value.get("arguments", {}), ensure_ascii=False)
    return ToolCall(
        id=as_text(value.get("id")),
        name=as_text(value.get("name")),
        arguments=raw if isinstance(raw, str) else written,
    )
