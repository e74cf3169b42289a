"""The lines of a stream as litellm is about to read them: put right, and listened to for what was counted.

A server that was asked for a stream and sent one whole completion is read as the stream that it would have
been. litellm makes up counts where a server gave none; what the server itself said is kept beside.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text, canonical
from agentctl.models.sse import parsed
from agentctl.models.tokens import is_count, usage_from

_COUNTS: Final = ("prompt_tokens", "completion_tokens")
_READ: Final = (*_COUNTS, "total_tokens")
_BYTES: Final = "aiter_bytes"
_LINES: Final = "streaming_response"


class Lines:
    """`whole` is a completion that is none of OpenAI's protocol, and that no stream was made of; `refusal`
    what a model said in declining, which litellm leaves out of streams.
    """

    def __init__(self, answer: Any) -> None:
        """Gets between litellm's stream and its lines, or those of the openai client under it."""
        self.whole: JsonObject | None = None
        self.refusal = ""
        self._answer = answer
        self._counted: JsonObject | None = None
        source = getattr(answer, "completion_stream", None)
        lines = getattr(source, _LINES, None)
        if isinstance(lines, AsyncIterator):
            setattr(source, _LINES, self._read(lines))
        response = getattr(source, "response", None)
        if hasattr(response, _BYTES):
            data = getattr(response, _BYTES)
            setattr(response, _BYTES, lambda: self._encoded(data()))

    def _decline(self, chunk: JsonObject) -> None:
        for choice in as_list(chunk.get("choices"))[:1]:
            self.refusal += as_text(as_object(as_object(choice).get("delta")).get("refusal"))

    def as_counted(self, piece: JsonObject) -> JsonObject:
        """The piece with no count that the server did not give."""
        if not piece.get("usage"):
            return piece
        if self._counted is None:
            given = any(
                getattr(chunk, "usage", None) for chunk in getattr(self._answer, "chunks", None) or ()
            )
            return piece if given else {**piece, "usage": None}
        usage = dict(as_object(piece["usage"]))
        for key in _COUNTS:
            if not is_count(self._counted.get(key)):
                usage[key] = None
        return {**piece, "usage": usage}

    async def _encoded(self, data: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        async for line in self._read(_decoded(data)):
            yield f"{line}\n".encode("utf-8", "replace")

    async def _read(self, lines: AsyncIterator[str]) -> AsyncIterator[str]:
        first = True
        async for line in lines:
            if first and line.lstrip().startswith("{"):
                rest = [line] + [each async for each in lines]
                for each in self._opened("\n".join(rest)):
                    yield each
                return
            first = first and not line.strip()
            yield self._heard(line)

    def _opened(self, text: str) -> Iterator[str]:
        completion = parsed(text) or {}
        if not completion.get("choices"):
            self.whole = completion if completion and not completion.get("error") else None
            yield from text.split("\n")
            return
        for chunk in _chunks(completion):
            yield from (self._heard(f"data: {canonical(chunk)}"), "")
        yield from ("data: [DONE]", "")

    def _heard(self, line: str) -> str:
        """The line, with 0 for each count that is none: litellm takes no stream that holds such."""
        if '"refusal"' in line:
            self._decline(parsed(line.partition(":")[2]) or {})
        if '"prompt_tokens"' not in line:
            return line
        chunk = parsed(line.partition(":")[2]) or {}
        usage = as_object(chunk.get("usage"))
        if "prompt_tokens" not in usage:
            return line
        self._counted = usage
        if all(isinstance(usage.get(key), int) for key in _READ):
            return line
        found = usage_from(usage)
        counts = dict(zip(_READ, (found.input, found.output, found.total), strict=True))
        return f"data: {canonical({**chunk, 'usage': {**usage, **counts}})}"


async def _decoded(data: AsyncIterator[bytes]) -> AsyncIterator[str]:
    rest = b""
    async for piece in data:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line.decode("utf-8", "replace")
    if rest:
        yield rest.decode("utf-8", "replace")


def whole_as_counted(completion: JsonObject) -> JsonObject:
    """A whole completion of litellm's, which has 0 where the server gave no count."""
    usage = as_object(completion.get("usage"))
    known = {key: usage.get(key) or None for key in _COUNTS}
    return {**completion, "usage": {**usage, **known} if any(known.values()) else None}


def _chunks(completion: JsonObject) -> Iterator[JsonObject]:
    """The pieces that a stream of this completion has at least: what was said, how it ended, what it took."""
    head: JsonObject = {**completion, "object": "chat.completion.chunk"}
    said: list[Json] = []
    ended: list[Json] = []
    for value in as_list(completion["choices"]):
        choice = as_object(value)
        message = as_object(choice.get("message"))
        calls = [
            {**as_object(call), "index": at} for at, call in enumerate(as_list(message.get("tool_calls")))
        ]
        delta: JsonObject = {**message, **({"tool_calls": calls} if calls else {})}
        place = {"index": choice.get("index", 0)}
        said.append({**place, "delta": delta, "finish_reason": None})
        ended.append({**place, "delta": {}, "finish_reason": choice.get("finish_reason")})
    yield {**head, "choices": said, "usage": None}
    yield {**head, "choices": ended, "usage": None}
    if completion.get("usage"):
        yield {**head, "choices": []}
