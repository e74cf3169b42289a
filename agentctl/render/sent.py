"""The messages that each model call of an execution was sent, without what an earlier one had been sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from agentctl.journal.summary import ExecutionView
from agentctl.jsontypes import JsonObject, as_text
from agentctl.render.step_texts import Named

Sent: TypeAlias = Mapping[str, Sequence[JsonObject]]
"""By step; a step that is missing cannot be told."""


def newly_sent(execution: ExecutionView, sent: Sent) -> dict[str, list[Named]]:
    """By step, each message with a name. Replies and results of an earlier call stand at their own steps."""
    found: dict[str, list[Named]] = {}
    before: Sequence[JsonObject] = ()
    for step in execution.steps:
        messages = sent.get(step.step)
        if step.kind != "model" or messages is None:
            continue
        found[step.step] = list(_new(before, messages))
        before = messages
    return found


def _new(before: Sequence[JsonObject], now: Sequence[JsonObject]) -> Iterator[Named]:
    same = 0
    while same < min(len(before), len(now)) and before[same] == now[same]:
        same += 1
    for message in now[same:]:
        role = as_text(message.get("role"))
        if not before or role not in ("assistant", "tool"):
            yield f"sent as {role}", as_text(message.get("text"))
