"""The loop of a swarm member: its own tools, and one transfer tool for each peer that it may pass to.

It ends with an answer, or with control passed to a peer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agentctl.engine.calls import ToolOutcome
from agentctl.engine.crew import Crew
from agentctl.engine.loop import Loop
from agentctl.engine.steps import Steps
from agentctl.engine.task import Answer, Passed, Task
from agentctl.engine.transfers import (
    Refused,
    Transfer,
    is_transfer,
    read_transfer,
    record_refusals,
    transfer_tool,
)
from agentctl.models.messages import Message, Reply, ToolCall, ToolSpec
from agentctl.spec.team import Agent


async def converse_as_member(agent: Agent, task: Task, steps: Steps, crew: Crew) -> Answer:
    """`task.peers` says to whom it may pass."""
    transfers = [transfer_tool(crew.agent(peer), crew, message_required=True) for peer in task.peers]
    loop = Loop(agent, task, steps, crew, transfers)
    while True:
        reply = await loop.turn()
        if not reply.calls:
            answer = await loop.settled(reply.text)
            if answer is not None:
                return answer
            continue
        outcomes = await loop.run_tools([call for call in reply.calls if not is_transfer(call)])
        first, refused = _read(reply, transfers)
        outcomes |= {item.call.id: ToolOutcome(text=item.problem, error=True) for item in refused}
        await record_refusals(refused, reply.calls, task.peers, f"turn-{loop.turns}", steps)
        if first is None:
            loop.close_turn(reply.calls, outcomes)
            continue
        outcomes[first.call.id] = ToolOutcome(text=f"Transferred to {first.agent}.")
        loop.messages += _results(reply.calls, outcomes)
        passed = Passed(agent=first.agent, message=first.message, reason=first.reason)
        return replace(loop.answer(reply.text), transfer=passed)


def _read(reply: Reply, transfers: Sequence[ToolSpec]) -> tuple[Transfer | None, list[Refused]]:
    """The first transfer of a turn that can be followed, and every other one with the reason why not."""
    first: Transfer | None = None
    refused: list[Refused] = []
    for place, call in enumerate(reply.calls, start=1):
        if not is_transfer(call):
            continue
        found = read_transfer(call, place, transfers, message_required=True)
        if isinstance(found, Refused):
            refused.append(found)
        elif first is None:
            first = found
        else:
            problem = f"Dropped: only one transfer counts in a turn, and '{first.agent}' came first."
            refused.append(Refused(call=call, problem=problem))
    return first, refused


def _results(calls: Sequence[ToolCall], outcomes: dict[str, ToolOutcome]) -> list[Message]:
    """The turn that passes control is answered too, so that its agent's later view of it is whole."""
    return [
        Message(role="tool", text=outcomes[call.id].text, call_id=call.id, error=outcomes[call.id].error)
        for call in calls
    ]
