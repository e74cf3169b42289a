"""The closing call: the parent's model writes one answer from all that the specialists answered."""

from __future__ import annotations

from collections.abc import Sequence

from agentctl.engine.steps import Call, Steps
from agentctl.engine.task import Answer, Said, Task
from agentctl.engine.transcript import opening
from agentctl.errors import ExecutionFailed
from agentctl.jsontypes import JsonObject
from agentctl.models.messages import Reply
from agentctl.spec.team import Agent

_INSTRUCTION = (
    "Write the one answer to the request from the specialists' answers above. Add nothing of your own."
)


async def synthesis(agent: Agent, task: Task, said: Sequence[Said], steps: Steps) -> Answer:
    """One model call without tools; `agent` is then who answered."""
    shown = Task(
        request=task.request,
        conversation=(*task.inherited, *said),
        note=Said(agent=agent.name, text=_INSTRUCTION),
    )
    messages = opening(f"{agent.name}'s closing", agent.instructions, shown)
    args: JsonObject = {
        "agent": agent.name,
        "turn": 1,
        "messages": [message.as_json() for message in messages],
    }
    reply = Reply.from_json(await steps.step(Call(key="synthesis", function="model", args=args)))
    if not reply.text.strip():
        raise ExecutionFailed(
            f"agent '{agent.name}' got an empty reply when it was to write the closing answer",
            rule="empty-reply",
        )
    return Answer(text=reply.text, agent=agent.name, path=(agent.name,))
