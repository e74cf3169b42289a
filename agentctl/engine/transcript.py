"""A task as the messages that open an agent's conversation with its model (design: what an agent sees)."""

from __future__ import annotations

from collections.abc import Iterator

from agentctl.engine.task import Said, Task
from agentctl.models.messages import Message


def opening(name: str, instructions: str, task: Task) -> list[Message]:
    """System text, earlier runs, the request verbatim, what was said since, and the note last."""
    messages = [Message(role="system", text=instructions)] if instructions.strip() else []
    for said in task.conversation:
        if said.before:
            messages.extend(_contribution(name, said))
    messages.append(Message(role="user", text=task.request))
    for said in task.conversation:
        if not said.before:
            messages.extend(_contribution(name, said))
    if task.note:
        messages.append(_from_other(task.note))
    return messages


def _contribution(name: str, said: Said) -> Iterator[Message]:
    if said.agent != name:
        if said.text.strip():
            yield _from_other(said)
        return
    yield from said.exchanges
    if said.text.strip():
        yield Message(role="assistant", text=said.text)


def _from_other(said: Said) -> Message:
    return Message(role="user", text=f"[{said.agent}] {said.text}" if said.agent else said.text)
