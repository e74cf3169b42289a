"""Settings, requests and calls of models behind a loopback server, in as few words as a test needs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypedDict, Unpack

from agentctl.diagnostics import Span
from agentctl.jsontypes import JsonObject
from agentctl.models.messages import Message, ModelRequest, Reply, ToolSpec
from agentctl.models.model import Model
from agentctl.spec.settings import ModelSettings, Price

NOWHERE: Final = Span(path="team.yaml", line=1, column=1, end_line=1, end_column=1)
LOOK: Final = ToolSpec(
    name="look",
    description="Looks something up.",
    parameters={"type": "object", "properties": {"what": {"type": "string"}}, "required": ["what"]},
)


class Stated(TypedDict, total=False):
    """What a team file may state of a model."""

    folder: Path
    temperature: float
    max_tokens: int
    top_p: float
    reasoning_effort: str
    base_url: str | None
    api_key_env: str
    timeout: float
    retries: int
    fallbacks: tuple[str, ...]
    price: Price
    params: JsonObject


def settings(model: str = "openai/gpt-4o-mini", /, **stated: Unpack[Stated]) -> ModelSettings:
    """A model as a team file would state it."""
    plain = ModelSettings(id=model, folder=Path(), span=NOWHERE)
    return replace(plain, **stated)


def request(
    *messages: Message,
    tools: Sequence[ToolSpec] = (),
    required: bool = False,
    schema: JsonObject | None = None,
    turn: int = 1,
) -> ModelRequest:
    """A request with a system text and the given conversation, or a plain question."""
    asked = messages or (Message(role="user", text="What is it?"),)
    system = Message(role="system", text="You are a test.")
    return ModelRequest(
        agent="tester",
        turn=turn,
        messages=(system, *asked),
        tools=tuple(tools),
        required=required,
        schema=schema,
    )


@dataclass(slots=True)
class Heard:
    """What a call notified; `text` is what stands of the streamed text at the end."""

    events: list[JsonObject] = field(default_factory=list)

    def __call__(self, event: JsonObject) -> None:
        self.events.append(event)

    @property
    def text(self) -> str:
        text = ""
        for event in self.events:
            if event["ev"] == "model.restarted":
                text = ""
            text += str(event["text"]) if event["ev"] == "model.text" else ""
        return text

    def all(self, name: str) -> list[JsonObject]:
        return [event for event in self.events if event["ev"] == name]


def ask(model: Model, asked: ModelRequest | None = None, heard: Heard | None = None) -> Reply:
    """One call in a loop of its own, the model closed after it."""
    return asyncio.run(_ask(model, asked or request(), heard or Heard()))


async def _ask(model: Model, asked: ModelRequest, heard: Heard) -> Reply:
    try:
        return await model.reply(asked, heard)
    finally:
        await model.close()
