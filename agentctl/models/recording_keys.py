"""What makes two model calls the same: agent, messages, tool names and schema, with what varies levelled out.

Call ids are numbered in order of appearance, and arguments compared as JSON. In the loose key, times, run
ids, UUIDs and paths of kept texts are the same wherever they stand.
"""

from __future__ import annotations

import json
import re
from typing import Final

from agentctl.jsontypes import Json, digest
from agentctl.models.messages import Message
from agentctl.models.recording import Sent

_VOLATILE: Final = (
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?(?![\d:])"), "<time>"),
    (re.compile(r"\b[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"), "<uuid>"),
    (re.compile(r"\b\d{8}-\d{6}-[A-Za-z0-9._-]+-[a-z0-9]{4}\b"), "<run>"),
    (re.compile(r"\[the whole text is kept in [^\]\n]*\]"), "[the whole text is kept]"),
)


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
    numbers: dict[str, int] = {}
    for message in messages:
        for call in message.calls:
            numbers.setdefault(call.id, len(numbers) + 1)
    return [_message(message, numbers, loose=loose) for message in messages]


def _message(message: Message, numbers: dict[str, int], *, loose: bool) -> Json:
    calls: list[Json] = [
        [numbers[call.id], call.name, _level(same_arguments(call.arguments), loose=loose)]
        for call in message.calls
    ]
    number = numbers.get(message.call_id, 0)
    return [message.role, _level(message.text, loose=loose), calls, number, message.error]


def _level(value: Json, *, loose: bool) -> Json:
    if not loose:
        return value
    if isinstance(value, str):
        for pattern, instead in _VOLATILE:
            value = pattern.sub(instead, value)
        return value
    if isinstance(value, dict):
        return {key: _level(item, loose=True) for key, item in value.items()}
    return [_level(item, loose=True) for item in value] if isinstance(value, list) else value
