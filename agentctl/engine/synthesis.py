"""The closing call: the parent's model writes one answer from all that the specialists answered."""

from __future__ import annotations

from collections.abc import Sequence

from agentctl.engine.closing import Closed, Closing
from agentctl.engine.crew import Crew
from agentctl.engine.steps import Call, Steps
from agentctl.engine.task import Answer, Said, Task
from agentctl.engine.transcript import opening
from agentctl.errors import ExecutionFailed
from agentctl.jsontypes import Json
from agentctl.models.messages import Message, Reply
from agentctl.spec.team import Agent

_INSTRUCTION = (
    "Write the one answer to the request from the specialists' answers above. Add nothing of your own."
)


async def synthesis(agent: Agent, task: Task, said: Sequence[Said], steps: Steps, crew: Crew) -> Answer:
    """A model call without tools, and further ones while the answer may not stand; `agent` answered."""
    shown = Task(
        request=task.request,
        conversation=(*task.inherited, *said),
        note=Said(agent=agent.name, text=_INSTRUCTION),
    )
    closing = Closing(agent, steps, crew)
    messages = opening(f"{agent.name}'s closing", agent.instructions, shown)
    turn = 1
    while True:
        key = "synthesis" if turn == 1 else f"synthesis.{turn - 1}"
        reply = await _asked(agent, messages, closing, steps, key)
        found = await closing.judge(reply.text, key)
        if isinstance(found, Closed):
            return found.given(Answer(text=found.text, agent=agent.name, path=(agent.name,)))
        messages.append(Message(role="assistant", text=reply.text, opaque=reply.opaque))
        messages.append(Message(role="user", text=found.problem))
        turn += 1


async def _asked(
    agent: Agent, messages: Sequence[Message], closing: Closing, steps: Steps, key: str
) -> Reply:
    args: dict[str, Json] = {
        "agent": agent.name,
        "messages": [message.as_json() for message in messages],
    }
    if closing.shape is not None:
        args["schema"] = closing.shape.schema
    reply = Reply.from_json(await steps.step(Call(key=key, function="model", args=args)))
    if not reply.text.strip():
        raise ExecutionFailed(
            f"agent '{agent.name}' got an empty reply when it was to write the closing answer",
            rule="empty-reply",
        )
    return reply
