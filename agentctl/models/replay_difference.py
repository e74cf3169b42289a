"""What sets a request apart from the nearest recorded one, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agentctl.jsontypes import Json, canonical
from agentctl.models.messages import Message
from agentctl.models.recording import RecordedCall, Sent
from agentctl.models.recording_keys import levelled

_BEFORE: Final = 30
_SHOWN: Final = 160


def difference(sent: Sent, recorded: Sequence[RecordedCall]) -> str:
    """Names the nearest recorded call of the agent and shows both sides of the first thing that differs."""
    own = [call for call in recorded if call.sent.agent == sent.agent]
    if not own:
        others = ", ".join(sorted({call.sent.agent for call in recorded})) or "nobody"
        return f"it holds no call of this agent (calls of: {others})"
    now = levelled(sent)
    near = max(own, key=lambda call: _alike(now, levelled(call.sent)))
    where = f"{near.step}, line {near.line}" if near.line else near.step
    return f'the nearest is "{where}"; {_first_difference(sent, near.sent)}'


def _alike(now: list[Json], then: list[Json]) -> tuple[int, int]:
    same = next(
        (i for i, (a, b) in enumerate(zip(now, then, strict=False)) if a != b), min(len(now), len(then))
    )
    return same, -abs(len(now) - len(then))


def _first_difference(now: Sent, then: Sent) -> str:
    ours, theirs = levelled(now), levelled(then)
    for number, (one, other) in enumerate(zip(ours, theirs, strict=False), start=1):
        if one != other:
            return _sides(
                f"message {number}", _told(then.messages[number - 1]), _told(now.messages[number - 1])
            )
    if len(ours) != len(theirs):
        return f"{len(theirs)} messages were sent then, {len(ours)} now; {_rest(now, then)}"
    if now.tools != then.tools:
        return _sides("the tools offered", ", ".join(then.tools) or "none", ", ".join(now.tools) or "none")
    return _sides("the schema of the answer", canonical(then.schema), canonical(now.schema))


def _rest(now: Sent, then: Sent) -> str:
    longer, word = (now, "now") if len(now.messages) > len(then.messages) else (then, "then")
    first = longer.messages[min(len(now.messages), len(then.messages))]
    return f"only {word}: {_cut(_told(first), 0)}"


def _sides(what: str, then: str, now: str) -> str:
    at = next(
        (i for i, (a, b) in enumerate(zip(then, now, strict=False)) if a != b), min(len(then), len(now))
    )
    return f"{what} differs\n  recorded: {_cut(then, at)}\n  sent now: {_cut(now, at)}"


def _told(message: Message) -> str:
    calls = [f"{call.name}({call.arguments})" for call in message.calls]
    return f"{message.role}: " + " ".join([message.text, *calls] if message.text else calls)


def _cut(text: str, at: int) -> str:
    """The part around the place where two texts part, on one line."""
    start = max(0, at - _BEFORE)
    shown = text[start : start + _SHOWN]
    return ("…" if start else "") + " ".join(shown.split()) + ("…" if start + _SHOWN < len(text) else "")
