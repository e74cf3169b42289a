"""What sets a request apart from the nearest recorded one, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agentctl.jsontypes import Json, as_list, as_text, canonical
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
            return _sides(f"message {number}", _told(other), _told(one))
    if len(ours) != len(theirs):
        return f"{len(theirs)} messages were sent then, {len(ours)} now; {_rest(ours, theirs)}"
    if now.tools != then.tools:
        return _sides("the tools offered", ", ".join(then.tools) or "none", ", ".join(now.tools) or "none")
    return _sides("the schema of the answer", canonical(then.schema), canonical(now.schema))


def _rest(now: Sequence[Json], then: Sequence[Json]) -> str:
    longer, word = (now, "now") if len(now) > len(then) else (then, "then")
    return f"only {word}: {_cut(_told(longer[min(len(now), len(then))]), 0)}"


def _sides(what: str, then: str, now: str) -> str:
    at = next(
        (i for i, (a, b) in enumerate(zip(then, now, strict=False)) if a != b), min(len(then), len(now))
    )
    one, other = _cut(then, at), _cut(now, at)
    if one == other:  # they differ in white space, so that has to be seen
        one, other = _cut(canonical(then), at), _cut(canonical(now), at)
    return f"{what} differs\n  recorded: {one}\n  sent now: {other}"


def _told(message: Json) -> str:
    """A levelled message in words: what does not count is shown as `<time>` and the like."""
    role, text, calls, answers, error = as_list(message)
    made = [f"{as_text(call[1])}({canonical(call[2])})" for call in map(as_list, as_list(calls))]
    place = f" to call {answers}" if answers else ""
    head = f"{as_text(role)}{place}{' (an error)' if error else ''}"
    return f"{head}: " + " ".join([as_text(text), *made] if text else made)


def _cut(text: str, at: int) -> str:
    """The part around the place where two texts part, on one line."""
    start = max(0, at - _BEFORE)
    shown = text[start : start + _SHOWN]
    return ("…" if start else "") + " ".join(shown.split()) + ("…" if start + _SHOWN < len(text) else "")
