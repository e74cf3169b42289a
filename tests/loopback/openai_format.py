"""An `Answer` in OpenAI's chat-completions protocol: whole, or as the data of its events."""

from __future__ import annotations

from collections.abc import Iterator

from agentctl.jsontypes import Json, JsonObject, canonical
from loopback.replies import Answer, Call

_HEAD: JsonObject = {"id": "chatcmpl-1", "created": 1, "model": "loopback-model"}


def whole(answer: Answer) -> JsonObject:
    message: dict[str, Json] = {"role": "assistant", "content": answer.text, "refusal": answer.refusal}
    if answer.calls:
        message["tool_calls"] = [_call(i, call, call_text(call)) for i, call in enumerate(answer.calls)]
    choice: JsonObject = {
        "index": 0,
        "message": {**message, **answer.message},
        "finish_reason": _finish(answer),
    }
    found: JsonObject = {**_HEAD, "object": "chat.completion", "choices": [choice]}
    return found if answer.usage is None else {**found, "usage": answer.usage}


def events(answer: Answer, *, with_usage: bool) -> Iterator[str]:
    """The data of each event, in the order and shapes that OpenAI's servers use."""
    yield _chunk({"role": "assistant", "content": "", "refusal": None, **answer.message})
    for piece in _pieces(answer.text or "", answer.piece):
        yield _chunk({"content": piece})
    for piece in _pieces(answer.refusal or "", answer.piece):
        yield _chunk({"refusal": piece})
    for i, call in enumerate(answer.calls):
        yield from _call_chunks(i, call, answer)
    if answer.finish_mark:
        yield _chunk({}, finish=_finish(answer))
    if with_usage and answer.usage is not None:
        yield canonical({**_HEAD, "object": "chat.completion.chunk", "choices": [], "usage": answer.usage})
    if answer.done_mark:
        yield "[DONE]"


def call_text(call: Call) -> str:
    return call.arguments if isinstance(call.arguments, str) else canonical(call.arguments)


def _call_chunks(i: int, call: Call, answer: Answer) -> Iterator[str]:
    index: JsonObject = {"index": i} if answer.indexed else {}
    yield _chunk({"tool_calls": [{**_call(i, call, ""), **index}]})
    for piece in _pieces(call_text(call), answer.piece):
        yield _chunk({"tool_calls": [{**index, "function": {"arguments": piece}}]})


def _call(i: int, call: Call, arguments: str) -> JsonObject:
    identity = f"call_loop_{i}" if call.id is None else call.id
    function = {"name": call.name, "arguments": arguments}
    return {"id": identity, "type": "function", "function": function, **call.extra}


def _chunk(delta: JsonObject, *, finish: str | None = None) -> str:
    choice: JsonObject = {"index": 0, "delta": delta, "finish_reason": finish}
    return canonical({**_HEAD, "object": "chat.completion.chunk", "choices": [choice]})


def _finish(answer: Answer) -> str:
    return answer.finish or ("tool_calls" if answer.calls else "stop")


def _pieces(text: str, size: int) -> Iterator[str]:
    return (text[at : at + size] for at in range(0, len(text), size))
