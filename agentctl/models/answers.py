"""The pieces of a chat completion (streamed, or one whole) into one `Reply`.

Both ways take the same path: a whole completion is treated as a stream of one piece.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text, canonical
from agentctl.models.failures import model_error
from agentctl.models.messages import Finish, ModelRequest, Reply, ToolCall, Usage
from agentctl.models.opaque import Opaque
from agentctl.models.thinking import Thinking
from agentctl.models.tokens import usage_from

_FINISHES: Final[dict[str, Finish]] = {
    "length": "length",
    "max_tokens": "length",
    "content_filter": "refused",
    "refusal": "refused",
    "content_filtered": "refused",
    "guardrail_intervened": "refused",
    "safety": "refused",
    "prohibited_content": "refused",
    "blocklist": "refused",
    "spii": "refused",
    "recitation": "refused",
}


_LONGEST: Final = 400


@dataclass(slots=True, kw_only=True)
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""
    extra: dict[str, Json] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Assembly:
    """Collects pieces with `add`; `reply` gives what they make. `finished` once the model has ended."""

    text: str = ""
    refusal: str = ""
    finish: str = ""
    finished: bool = False
    any: bool = False
    usage: Usage | None = None
    calls: list[_Call] = field(default_factory=list)
    opaque: Opaque = field(default_factory=Opaque)
    thinking: Thinking = field(default_factory=Thinking)
    _at: dict[int, _Call] = field(default_factory=dict)

    def add(self, piece: JsonObject) -> str:
        """Takes one `chat.completion.chunk`; returns the text it adds."""
        counted = piece.get("usage")
        if counted:
            self.usage = usage_from(as_object(counted))
        choice = as_object(next(iter(as_list(piece.get("choices"))), None))
        if not choice:
            return ""
        self.any = True
        reason = as_text(choice.get("finish_reason"))
        if reason:
            self.finish, self.finished = reason, True
        return self._delta(as_object(choice.get("delta")))

    def add_whole(self, completion: JsonObject) -> str:
        """Takes a whole `chat.completion`; returns its text."""
        choices: list[Json] = []
        for choice in as_list(completion.get("choices")):
            message = as_object(as_object(choice).get("message"))
            numbered = [
                {**as_object(call), "index": i} for i, call in enumerate(as_list(message.get("tool_calls")))
            ]
            if choice:
                choices.append({**as_object(choice), "delta": {**message, "tool_calls": numbered}})
        added = self.add({**completion, "choices": choices})
        self.finished = self.any
        return added

    def reply(self, request: ModelRequest, model: str) -> Reply:
        """The reply; `ModelError` where the server sent no choice at all (`bad_response`), where its content
        policy ended it, or where the model will not give the shape that is asked for (`refused`)."""
        if not self.any:
            raise model_error("bad_response", model, "it holds no choice")
        self._refuse(model, shaped=request.schema is not None)
        written = [call for call in self.calls if call.name or call.arguments]
        calls = _identified(written, request)
        text = self.text + self.thinking.rest or self.refusal
        return Reply(
            text=text,
            calls=calls,
            finish=self._finish(bool(calls)),
            model=model,
            usage=self.usage or Usage(counted=False),
            opaque=self.opaque.kept(model, [call.extra for call in written]),
        )

    def _refuse(self, model: str, *, shaped: bool) -> None:
        """A reply that the provider's policy ended is no answer, not even by what there is of it; the words
        in which a model itself declines are one, except where a shape is asked for."""
        if _FINISHES.get(self.finish.lower()) == "refused":
            ended = "it ended the reply before its end" if self.text.strip() else "it let no reply through"
            said = f"; it said: {self.refusal.strip()}" if self.refusal.strip() else ""
            raise model_error("refused", model, f"{ended} (finish reason {self.finish}){said}")
        if shaped and self.refusal.strip() and not self.text.strip() and not self.calls:
            raise model_error("refused", model, f"the model declined: {self.refusal.strip()[:_LONGEST]}")

    def _finish(self, has_calls: bool) -> Finish:
        finish = _FINISHES.get(self.finish.lower(), "stop")
        if finish == "length":
            return finish
        if self.refusal and not has_calls:
            return "refused"
        return "calls" if has_calls else "stop"

    def _delta(self, delta: JsonObject) -> str:
        if delta.get("reasoning_content"):
            self.thinking.thought = True
        added = self.thinking.without(_plain_text(delta.get("content")))
        self.text += added
        self.refusal += as_text(delta.get("refusal"))
        self.opaque.add(delta)
        for piece in as_list(delta.get("tool_calls")):
            self._call_piece(as_object(piece))
        if delta.get("function_call"):
            self._call_piece({"index": 0, "function": delta["function_call"]})
        return added

    def _call_piece(self, piece: JsonObject) -> None:
        function = as_object(piece.get("function"))
        call = self._slot(piece.get("index"), as_text(piece.get("id")), as_text(function.get("name")))
        call.arguments += _arguments(function.get("arguments"))
        extra = {key: value for key, value in piece.items() if key not in _CALL_KEYS and value}
        call.extra.update(extra)

    def _slot(self, index: Json, identity: str, name: str) -> _Call:
        """The call that a piece belongs to: by index, by id where the index is missing, else the last."""
        call = self._at.get(index) if isinstance(index, int) else self._named(identity, name)
        fresh = call is None or (identity and call.id and identity != call.id and name)
        if call is None or fresh:
            call = _Call()
            self.calls.append(call)
        if isinstance(index, int):
            self._at[index] = call
        call.id = call.id or identity
        call.name = call.name or name
        return call

    def _named(self, identity: str, name: str) -> _Call | None:
        if identity:
            return next((call for call in self.calls if call.id == identity), None)
        return self.calls[-1] if self.calls and not name else None


_CALL_KEYS: Final = frozenset({"index", "id", "type", "function"})


def _plain_text(content: Json) -> str:
    """Content as text: a string, or the text parts of a list of parts."""
    if isinstance(content, str):
        return content
    parts = [as_object(part) for part in as_list(content)]
    return "".join(as_text(part.get("text")) for part in parts if part.get("type") == "text")


def _arguments(value: Json) -> str:
    """A piece of arguments; some servers send the object itself instead of its text."""
    if isinstance(value, str):
        return value
    return "" if value is None else canonical(value)


def _identified(calls: list[_Call], request: ModelRequest) -> tuple[ToolCall, ...]:
    """The calls, each with an id that is new in this conversation."""
    used = {call.id for message in request.messages for call in message.calls}
    found: list[ToolCall] = []
    for i, call in enumerate(calls):
        identity = call.id
        if not identity or identity in used:
            identity = f"call_{request.turn}_{i}"
        while identity in used:
            identity += "_"
        used.add(identity)
        found.append(ToolCall(id=identity, name=call.name, arguments=call.arguments))
    return tuple(found)
