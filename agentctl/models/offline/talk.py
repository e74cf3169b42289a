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
from agentctl.models.offline.parts import sentences

_MARKED: Final = re.compile(r"^\[([A-Za-z_][A-Za-z0-9_-]{0,47})\] (.*)$", re.DOTALL)
_PLAIN: Final = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x201E: '"', 0x2010: "-", 0x2011: "-",
                 0x2013: "-", 0x2212: "-"}  # fmt: skip
_FILLER: Final = "Continue."
_OWN: Final = "@"


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
    """`requests` are oldest first, the last is what is asked now; `said` are other agents' words since then,
    `earlier` those before it, `reported` those since the agent's own first text, and `own` its texts.

    `results` answer the last turn, and are empty once anybody spoke after them; `past` are all results.
    `note` is what another agent said last, if nobody spoke after it. `answering` says that the last request
    follows a question back, `prompted` that it follows the agent's own words.
    """

    instructions: str
    requests: tuple[str, ...]
    said: tuple[Said, ...]
    earlier: tuple[Said, ...]
    reported: tuple[Said, ...]
    own: tuple[str, ...]
    results: tuple[Result, ...]
    past: tuple[Result, ...]
    note: Said | None
    answering: bool
    prompted: bool
    call_ids: frozenset[str]

    @property
    def request(self) -> str:
        """What is asked now, empty if there is nothing."""
        return self.requests[-1] if self.requests else ""

    def sources(self, part: str) -> tuple[str, ...]:
        """Where values are looked for: the part first, then everything said, newest first."""
        said = [stated(one.text) for one in reversed((*self.earlier, *self.said))]
        results = [stated(result.text) for result in reversed(self.past)]
        texts = [part, *reversed(self.requests), *said, *results]
        return tuple(dict.fromkeys(text for text in texts if text))


_ASKED_BACK: Final = re.compile(
    r"(?:(?<=[.!?]\s)|(?<=\n)|^)(?:Which|For [^\n]*?: which|Is it about|What can I do)\b[^\n]*?\?(?=\s|$)"
)


def stated(text: str) -> str:
    """What a text states, without what it asks: a word of a question, or of an example in it, is no fact."""
    if "?" not in text:
        return text
    kept = [one for one in sentences(_ASKED_BACK.sub("", text)) if not one.rstrip().endswith("?")]
    return " ".join(kept).strip()


def read_talk(request: ModelRequest) -> Talk:
    """Curved quotes and long dashes are read as the plain ones."""
    messages = tuple(replace(one, text=one.text.translate(_PLAIN)) for one in request.messages)
    spoken = [_spoken(one, request.agent) for one in messages if one.role in ("user", "assistant")]
    spoken = [one for one in spoken if one.text.strip() not in ("", _FILLER)]
    asked = max((place for place, one in enumerate(spoken) if not one.agent), default=-1)
    before = spoken[asked - 1] if asked > 0 else None
    first_own = next((place for place, one in enumerate(spoken) if one.agent == _OWN), len(spoken))
    calls = {call.id: call for message in messages for call in message.calls}
    return Talk(
        instructions="\n".join(message.text for message in messages if message.role == "system"),
        requests=tuple(one.text for one in spoken if not one.agent),
        said=_others(spoken[asked + 1 :]),
        earlier=_others(spoken[: max(asked, 0)]),
        reported=_others(spoken[first_own:]),
        own=tuple(one.text for one in spoken if one.agent == _OWN),
        results=_latest(messages, calls),
        past=tuple(_result(message, calls) for message in messages if message.role == "tool"),
        note=next(iter(_others(spoken[-1:])), None),
        answering=before is not None and before.text.rstrip().endswith("?"),
        prompted=before is not None and before.agent == _OWN,
        call_ids=frozenset(calls),
    )


def _spoken(message: Message, agent: str) -> Said:
    """A request has no agent; what is marked as the agent's own words is an order to it, not an answer."""
    if message.role == "assistant":
        return Said(agent=_OWN, text=message.text)
    said = _said(message.text)
    if said is None:
        return Said(agent="", text=message.text)
    return Said(agent=_OWN, text="") if said.agent == agent else said


def _others(spoken: Sequence[Said]) -> tuple[Said, ...]:
    return tuple(one for one in spoken if one.agent not in ("", _OWN))


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
