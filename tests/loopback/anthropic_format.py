"""An `Answer` in Anthropic's messages protocol: whole, or as its events."""

from __future__ import annotations

import json
from collections.abc import Iterator

from agentctl.jsontypes import Json, JsonObject, as_object, canonical
from loopback.openai_format import call_text
from loopback.replies import Answer

_REASONS = {"length": "max_tokens", "content_filter": "refusal", "stop": "end_turn", "tool_calls": "tool_use"}
SIGNATURE = "c2lnbmVkIGJ5IHRoZSBsb29wYmFjaw=="


def whole(answer: Answer) -> JsonObject:
    return {
        **_head(answer),
        "content": _blocks(answer),
        "stop_reason": _reason(answer),
        "usage": _usage(answer),
    }


def events(answer: Answer) -> Iterator[str]:
    """The data of each event; its name is the `type` in it."""
    start: JsonObject = {**_head(answer), "content": [], "usage": {**_usage(answer), "output_tokens": 1}}
    yield canonical({"type": "message_start", "message": start})
    for i, value in enumerate(_blocks(answer)):
        block = as_object(value)
        yield canonical({"type": "content_block_start", "index": i, "content_block": _opened(block)})
        for delta in _deltas(block, answer.piece):
            yield canonical({"type": "content_block_delta", "index": i, "delta": delta})
        yield canonical({"type": "content_block_stop", "index": i})
    closing: JsonObject = {"stop_reason": _reason(answer), "stop_sequence": None}
    yield canonical({"type": "message_delta", "delta": closing, "usage": _usage(answer)})
    yield canonical({"type": "message_stop"})


def _head(answer: Answer) -> dict[str, Json]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "loopback-model",
        "stop_sequence": None,
    }


def _blocks(answer: Answer) -> list[Json]:
    blocks: list[Json] = []
    if answer.thinking:
        blocks.append({"type": "thinking", "thinking": answer.thinking, "signature": SIGNATURE})
    if answer.text:
        blocks.append({"type": "text", "text": answer.text})
    for i, call in enumerate(answer.calls):
        identity = call.id or f"toolu_{i}"
        arguments = json.loads(call_text(call) or "{}")
        blocks.append({"type": "tool_use", "id": identity, "name": call.name, "input": arguments})
    return blocks


def _opened(block: JsonObject) -> JsonObject:
    empty: JsonObject = {"text": "", "thinking": "", "signature": "", "input": {}}
    return {key: empty.get(key, value) for key, value in block.items()}


def _deltas(block: JsonObject, size: int) -> Iterator[JsonObject]:
    if block["type"] == "text":
        yield from ({"type": "text_delta", "text": piece} for piece in _pieces(str(block["text"]), size))
    elif block["type"] == "thinking":
        for piece in _pieces(str(block["thinking"]), size):
            yield {"type": "thinking_delta", "thinking": piece}
        yield {"type": "signature_delta", "signature": block["signature"]}
    else:
        for piece in _pieces(canonical(block["input"]), size):
            yield {"type": "input_json_delta", "partial_json": piece}


def _usage(answer: Answer) -> JsonObject:
    """`cache` in an answer's usage is what Anthropic says beside the tokens that it read and wrote."""
    counted = answer.usage or {}
    return {
        "input_tokens": counted.get("prompt_tokens", 0),
        "output_tokens": counted.get("completion_tokens", 0),
        **as_object(counted.get("cache")),
    }


def _reason(answer: Answer) -> str:
    finish = answer.finish or ("tool_calls" if answer.calls else "stop")
    return _REASONS.get(finish, finish)


def _pieces(text: str, size: int) -> Iterator[str]:
    return (text[at : at + size] for at in range(0, len(text), size))
