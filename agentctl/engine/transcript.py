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
        messages.append(from_other(task.note))
    return messages


def _contribution(name: str, said: Said) -> Iterator[Message]:
    if said.agent != name:
        if said.text.strip():
            yield from_other(said)
        return
    yield from said.exchanges
    if said.text.strip() and not _beside_calls(said):
        yield Message(role="assistant", text=said.text)


def _beside_calls(said: Said) -> bool:
    """Whether the text stands in the exchanges already, as what was written beside a transfer."""
    turns = [message for message in said.exchanges if message.role == "assistant"]
    return bool(turns) and turns[-1].text == said.text


def from_other(said: Said) -> Message:
    """Another agent's words as every model is shown them, marked with its name."""
    return Message(role="user", text=f"[{said.agent}] {said.text}" if said.agent else said.text)
