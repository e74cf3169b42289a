"""What makes two model calls the same: agent, messages, tool names and schema, with what varies levelled out.

Calls are numbered in the order they were made, and arguments compared as JSON. In the loose key, times, run
ids and UUIDs are the same in results of tools and replies of models, and paths of kept texts everywhere.
"""

from __future__ import annotations

import json
import re
from typing import Final, TypeAlias

from agentctl.jsontypes import Json, digest
from agentctl.models.messages import Message, ToolCall
from agentctl.models.recording import Sent

_Patterns: TypeAlias = tuple[tuple[re.Pattern[str], str], ...]
_ALWAYS: Final[_Patterns] = (
    (re.compile(r"\[the whole text is kept in [^\]\n]*\]"), "[the whole text is kept]"),
)
"""What the engine writes into any message."""
_MADE: Final[_Patterns] = (
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?(?![\d:])"), "<time>"),
    (re.compile(r"\b[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"), "<uuid>"),
    (re.compile(r"\b\d{8}-\d{6}-[A-Za-z0-9._-]+-[a-z0-9]{4}\b"), "<run>"),
    *_ALWAYS,
)
"""What tools and models make anew each time. A time that somebody asks about is what they ask."""


def exact_key(sent: Sent) -> str:
    return digest(_whole(sent, loose=False))


def loose_key(sent: Sent) -> str:
    return digest(_whole(sent, loose=True))


def levelled(sent: Sent) -> list[Json]:
    """Every message as loose keys compare it."""
    return _messages(sent.messages, loose=True)


def same_arguments(raw: str) -> Json:
    """Arguments as JSON where they are that, else their text."""
    try:
        value: Json = json.loads(raw or "{}")
    except ValueError:
        return raw
    return value


def _whole(sent: Sent, *, loose: bool) -> Json:
    return [sent.agent, _messages(sent.messages, loose=loose), list(sent.tools), sent.schema]


def _messages(messages: tuple[Message, ...], *, loose: bool) -> list[Json]:
    numbers = _Numbers()
    return [_message(message, numbers, loose=loose) for message in messages]


class _Numbers:
    """Calls by the order in which they were made, whatever their ids.

    A result belongs to the first open call of its id, and where none has it, as after an id was edited, to
    the first open call there is.
    """

    def __init__(self) -> None:
        self._made = 0
        self._open: dict[int, str] = {}

    def made(self, call: ToolCall) -> int:
        self._made += 1
        self._open[self._made] = call.id
        return self._made

    def answered(self, call_id: str) -> int:
        """0 where there is no call that it could answer."""
        own = (number for number, identity in self._open.items() if identity == call_id)
        number = next(own, next(iter(self._open), 0))
        self._open.pop(number, None)
        return number


def _message(message: Message, numbers: _Numbers, *, loose: bool) -> Json:
    varies = _MADE if loose and message.role in ("tool", "assistant") else _ALWAYS if loose else ()
    calls: list[Json] = [
        [numbers.made(call), call.name, _level(same_arguments(call.arguments), varies)]
        for call in message.calls
    ]
    number = numbers.answered(message.call_id) if message.role == "tool" else 0
    return [message.role, _level(message.text, varies), calls, number, message.error]


def _level(value: Json, varies: _Patterns) -> Json:
    if not varies:
        return value
    if isinstance(value, str):
        for pattern, instead in varies:
            value = pattern.sub(instead, value)
        return value
    if isinstance(value, dict):
        return {key: _level(item, varies) for key, item in value.items()}
    return [_level(item, varies) for item in value] if isinstance(value, list) else value
