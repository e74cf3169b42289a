"""A `ModelRequest` as the offline model reads it: who asked what, what others said, which results came.

The engine marks what other agents said as `[name] text`; everything else from the user is a request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from agentctl.models.messages import Message, ModelRequest, ToolCall

_MARKED: Final = re.compile(r"^\[([A-Za-z_][A-Za-z0-9_-]{0,47})\] (.*)$", re.DOTALL)
_PLAIN: Final = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2212: "-"}
_FILLER: Final = "Continue."


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    agent: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A tool's result with the call that it answers."""

    call: ToolCall
    text: str
    error: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """`requests` are oldest first; `said` are other agents' words, `own` the agent's earlier answers.

    `results` answer the last turn, and are empty once anybody spoke after them; `past` are all results.
    `note` is what the agent that passed control said last, if somebody did.
    """

    instructions: str
    requests: tuple[str, ...]
    said: tuple[Said, ...]
    own: tuple[str, ...]
    results: tuple[Result, ...]
    past: tuple[Result, ...]
    note: Said | None
    call_ids: frozenset[str]

    @property
    def request(self) -> str:
        """What is asked now: the last request, empty if there is none."""
        return self.requests[-1] if self.requests else ""

    def sources(self, part: str) -> tuple[str, ...]:
        """Where values are looked for: the part first, then everything said, newest first."""
        said = [one.text for one in reversed(self.said)]
        texts = [part, *reversed(self.requests), *said, *(result.text for result in reversed(self.past))]
        return tuple(dict.fromkeys(text for text in texts if text))


def read_talk(request: ModelRequest) -> Talk:
    """Curved quotes and long dashes are read as the plain ones."""
    messages = tuple(replace(one, text=one.text.translate(_PLAIN)) for one in request.messages)
    users = [message.text for message in messages if message.role == "user"]
    marked = [_said(text) for text in users]
    calls = {call.id: call for message in messages for call in message.calls}
    past = [_result(message, calls) for message in messages if message.role == "tool"]
    last = marked[-1] if marked and messages[-1].role == "user" else None
    return Talk(
        instructions="\n".join(message.text for message in messages if message.role == "system"),
        requests=tuple(_requests(users, marked)),
        said=tuple(said for said in marked if said),
        own=tuple(one.text for one in messages if one.role == "assistant" and one.text.strip()),
        results=_latest(messages, calls),
        past=tuple(past),
        note=last,
        call_ids=frozenset(calls),
    )


def _requests(users: Sequence[str], marked: Sequence[Said | None]) -> list[str]:
    pairs = zip(users, marked, strict=True)
    return [text for text, said in pairs if said is None and text.strip() and text != _FILLER]


def _said(text: str) -> Said | None:
    match = _MARKED.match(text)
    return Said(agent=match.group(1), text=match.group(2)) if match else None


def _result(message: Message, calls: Mapping[str, ToolCall]) -> Result:
    unknown = ToolCall(id=message.call_id, name="", arguments="{}")
    call = calls.get(message.call_id, unknown)
    return Result(call=call, text=message.text, error=message.error)


def _latest(messages: Sequence[Message], calls: Mapping[str, ToolCall]) -> tuple[Result, ...]:
    found: list[Result] = []
    for message in reversed(messages):
        if message.role != "tool":
            break
        found.append(_result(message, calls))
    return tuple(reversed(found))


def same_call(call: ToolCall) -> tuple[str, str]:
    """What two calls have in common that do the same."""
    return call.name, _same(call.arguments)


def _same(arguments: str) -> str:
    try:
        return json.dumps(json.loads(arguments or "{}"), sort_keys=True)
    except ValueError:
        return arguments
