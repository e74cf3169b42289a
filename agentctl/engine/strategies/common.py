"""What every strategy does the same way: preparing the task of a member, and running members in turn."""

from __future__ import annotations

from collections.abc import Sequence

from agentctl.engine.task import Said, Task
from agentctl.jsontypes import JsonObject
from agentctl.spec.team import Agent, Context


def member_task(
    parent: Agent,
    name: str,
    *,
    default: Context,
    request: str,
    conversation: Sequence[Said] = (),
    note: Said | None = None,
) -> JsonObject:
    """The task of a direct sub-agent, reduced to what its `context` (or the strategy's default) shows."""
    member = parent.member(name)
    context = member.context if member and member.context else default
    task = Task(request=request, conversation=tuple(conversation), note=note)
    return task.for_member(name).shown(context).as_json()
