"""Neutral messages into OpenAI chat messages that the strictest provider accepts.

System text first; every call answered once, directly after its turn, in call order; no empty content;
a user or a tool last. What one model needs back is returned to that model alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.models.messages import Message, ToolCall
from agentctl.models.sound import sound_json

CONTINUE: Final = "Continue."
_NO_OUTPUT: Final = "(no output)"
_UNANSWERED: Final = "No result was recorded for this call; whether it took effect is unknown."
_PLAIN_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
_LONGEST_NAME: Final = 64
_LONGEST_MALFORMED: Final = 2000

ChatMessage = dict[str, Json]


def chat_messages(messages: Sequence[Message], *, model: str, also: str = "") -> list[ChatMessage]:
    """The messages as they are sent to `model`; `also` is appended to the system text."""
    systems = [message.text for message in messages if message.role == "system"]
    system = _clean("\n\n".join(part for part in (*systems, also) if part.strip()))
    conversation = _Conversation(model=model)
    rest = [message for message in messages if message.role != "system"]
    answers = _Answers(rest)
    for place, message in enumerate(rest):
        if message.role == "user":
            conversation.user(message.text)
        elif message.role == "assistant":
            conversation.assistant(message, list(answers.of(place)))
    for orphan in answers.left():
        conversation.user(f"Result of an earlier call:\n{orphan.text}")
    body = conversation.closed()
    return [{"role": "system", "content": system}, *body] if system else body


def called_names(messages: Sequence[Message]) -> list[str]:
    """The wire names of every tool that the history calls, in order of first use."""
    return list(dict.fromkeys(wire_name(call.name) for message in messages for call in message.calls))


def wire_name(name: str) -> str:
    """A name as providers accept it: letters, digits, `_` and `-`, 1 to 64 characters."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:_LONGEST_NAME] or "unknown"


def wire_arguments(text: str) -> str:
    """Arguments as an object's text: nothing and null are `{}`, what cannot be read is shown as it was."""
    try:
        value: Json = sound_json(text) if text.strip() else {}
    except (ValueError, RecursionError):
        value = text
    if value is None:
        return "{}"
    if isinstance(value, dict):
        return _clean(text) if text.strip() else "{}"
    return json.dumps({"malformed": _clean(text[:_LONGEST_MALFORMED])}, ensure_ascii=False)


class _Answers:
    """Finds for each call the one message that answers it, wherever in the history it stands."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = messages
        self._open = {place: message for place, message in enumerate(messages) if message.role == "tool"}

    def of(self, place: int) -> Iterator[tuple[ToolCall, str]]:
        """Each call of the assistant's message at `place` with the text that answers it."""
        calls = self._messages[place].calls
        end = self._same_ids_from(place)
        for call in calls:
            found = next(
                (at for at, message in self._open.items() if place < at < end and message.call_id == call.id),
                None,
            )
            yield call, _UNANSWERED if found is None else self._open.pop(found).text
        self._drop_repetitions(place, end)

    def left(self) -> list[Message]:
        """Results that answer no call of this history."""
        return [message for message in self._open.values() if message.text.strip()]

    def _same_ids_from(self, place: int) -> int:
        ids = {call.id for call in self._messages[place].calls}
        later = range(place + 1, len(self._messages))
        return next(
            (at for at in later if any(call.id in ids for call in self._messages[at].calls)),
            len(self._messages),
        )

    def _drop_repetitions(self, place: int, end: int) -> None:
        ids = {call.id for call in self._messages[place].calls}
        for at in [at for at, message in self._open.items() if place < at < end and message.call_id in ids]:
            del self._open[at]


@dataclass(slots=True, kw_only=True)
class _Conversation:
    model: str
    sent: list[ChatMessage] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)

    def user(self, text: str) -> None:
        if not text.strip():
            return
        if self.sent and self.sent[-1]["role"] == "user":
            self.sent[-1]["content"] = f"{self.sent[-1]['content']}\n\n{_clean(text)}"
        else:
            self.sent.append({"role": "user", "content": _clean(text)})

    def assistant(self, message: Message, answered: list[tuple[ToolCall, str]]) -> None:
        if not answered and not message.text.strip():
            return
        opaque = message.opaque if message.opaque.get("model") == self.model else {}
        self._make_way(opaque)
        text = self._joined(_clean(message.text))
        sent: ChatMessage = {"role": "assistant", "content": text or None}
        sent.update(as_object(opaque.get("message")))
        extras = as_list(opaque.get("calls"))
        named = [(self._id(call, bool(opaque)), call, answer) for call, answer in answered]
        if named:
            sent["tool_calls"] = [
                {**_call(identity, call), **(as_object(extras[i]) if i < len(extras) else {})}
                for i, (identity, call, _) in enumerate(named)
            ]
        self.sent.append(sent)
        self.sent.extend(
            {
                "role": "tool",
                "tool_call_id": identity,
                "content": _clean(answer) if answer.strip() else _NO_OUTPUT,
            }
            for identity, _, answer in named
        )

    def closed(self) -> list[ChatMessage]:
        """The conversation with a user or tool message last."""
        if not self.sent or self.sent[-1]["role"] == "assistant":
            self.sent.append({"role": "user", "content": CONTINUE})
        return self.sent

    def _make_way(self, opaque: JsonObject) -> None:
        """The assistant never begins, and never follows itself where signed text could not be merged."""
        signed = opaque or (self.sent and len(self.sent[-1]) > 2)
        if not self.sent or (self.sent[-1]["role"] == "assistant" and signed):
            self.sent.append({"role": "user", "content": CONTINUE})

    def _joined(self, text: str) -> str:
        if self.sent[-1]["role"] != "assistant":
            return text
        before = as_text(self.sent.pop()["content"])
        return "\n\n".join(part for part in (before, text) if part.strip())

    def _id(self, call: ToolCall, own: bool) -> str:
        """The call's id, or another where a provider might refuse it or has seen it before."""
        fits = _PLAIN_ID.fullmatch(call.id) or (own and call.id)
        identity = call.id if fits and call.id not in self.ids else f"call_{len(self.ids) + 1}"
        while identity in self.ids:
            identity += "_"
        self.ids.add(identity)
        return identity


def _call(identity: str, call: ToolCall) -> ChatMessage:
    function = {"name": wire_name(call.name), "arguments": wire_arguments(call.arguments)}
    return {"id": identity, "type": "function", "function": function}


def _clean(text: str) -> str:
    """Text without lone surrogates, which no HTTP body can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")
