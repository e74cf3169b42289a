"""What is sent to a model, made to fit its window: the oldest tool results shortened first, with the long
texts of the calls that they answer. Instructions, requests, answers and the last exchange stay whole.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from agentctl.jsontypes import Json, canonical
from agentctl.models.messages import Message, ModelRequest, ToolCall

_BYTES_A_TOKEN: Final = 3.5
"""Cautious: English has about 4, and other scripts have 3 bytes a character and about as many a token."""
_ROOM: Final = 0.95
_KEPT: Final = 200
_LONG: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """`shortened` counts the results that were."""

    request: ModelRequest
    shortened: int = 0


def fitted(request: ModelRequest, window: int | None) -> Fitted:
    """The request with as many results shortened as its model's `window` (tokens) asks for.

    Where the window is not known, or nothing more can be shortened, it is sent as it is.
    """
    if window is None or _characters(request) <= window * _ROOM:  # a token has a character at least
        return Fitted(request=request)
    over = _tokens(request) - window * _ROOM
    messages = list(request.messages)
    shortened = 0
    for place in _older_results(messages):
        if over <= 0:
            break
        saved = _shorten(messages, place)
        over -= saved / _BYTES_A_TOKEN
        shortened += saved > 0
    return Fitted(request=replace(request, messages=tuple(messages)), shortened=shortened)


def smallest(request: ModelRequest) -> Fitted:
    """The request with every result shortened that may be, for a model that found it too long."""
    messages = list(request.messages)
    shortened = sum(_shorten(messages, place) > 0 for place in _older_results(messages))
    return Fitted(request=replace(request, messages=tuple(messages)), shortened=shortened)


def _older_results(messages: Sequence[Message]) -> list[int]:
    """Places of the tool results before the last exchange, the oldest first."""
    turns = [place for place, message in enumerate(messages) if message.calls]
    last = turns[-1] if turns else 0
    return [place for place, message in enumerate(messages[:last]) if message.role == "tool"]


def _shorten(messages: list[Message], place: int) -> int:
    """Shortens a result and its call in place; bytes saved."""
    result = messages[place]
    before = len(result.text.encode("utf-8", "replace"))
    messages[place] = replace(result, text=_cut(result.text))
    saved = before - len(messages[place].text.encode("utf-8", "replace"))
    for at in range(place - 1, -1, -1):
        call = next((call for call in messages[at].calls if call.id == result.call_id), None)
        if call is not None:
            return saved + _shorten_call(messages, at, call)
    return saved


def _shorten_call(messages: list[Message], at: int, call: ToolCall) -> int:
    """Not where the provider signed the turn, which must come back as it was."""
    turn = messages[at]
    if turn.opaque or len(call.arguments) <= _LONG:
        return 0
    try:
        value: Json = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return 0
    if not isinstance(value, dict):
        return 0
    cut = {key: _cut(each) if isinstance(each, str) else each for key, each in value.items()}
    shorter = replace(call, arguments=canonical(cut))
    messages[at] = replace(turn, calls=tuple(shorter if each is call else each for each in turn.calls))
    return max(len(call.arguments) - len(shorter.arguments), 0)


def _cut(text: str) -> str:
    if len(text) <= _LONG:
        return text
    left_out = len(text) - _KEPT
    return f"{text[:_KEPT]}… [{left_out:,} more characters were left out to save room]"


def _characters(request: ModelRequest) -> int:
    return sum(len(text) for text in _texts(request))


def _tokens(request: ModelRequest) -> float:
    return sum(len(text.encode("utf-8", "replace")) for text in _texts(request)) / _BYTES_A_TOKEN


def _texts(request: ModelRequest) -> list[str]:
    texts = [message.text for message in request.messages]
    texts += [call.arguments for message in request.messages for call in message.calls]
    texts += [f"{tool.name}{tool.description}{canonical(tool.parameters)}" for tool in request.tools]
    return texts if request.schema is None else [*texts, canonical(request.schema)]
