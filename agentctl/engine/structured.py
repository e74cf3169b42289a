"""Asks a model for one JSON object, and again with the error where the reply is not what was asked for.

The reply is read tolerantly (a fence, words around one object) and never guessed at.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from agentctl.engine.steps import Call, Steps
from agentctl.jsontypes import Json, JsonObject
from agentctl.models.messages import Message, Reply
from agentctl.models.thinking import after_thoughts

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfit:
    """A reply that cannot be used, and the words for the model that say why."""

    problem: str


@dataclass(slots=True, kw_only=True)
class Inquiry:
    """One conversation with a model; `model` names another one than the agent's own.

    `search_texts` is what `offline` ranks the names in the schema's enums by.
    """

    agent: str
    steps: Steps
    schema: JsonObject
    search_texts: Mapping[str, str]
    messages: list[Message]
    model: str = ""

    async def ask(self, key: str, read: Callable[[str], Read | Unfit], corrections: int) -> Read | Unfit:
        """What `read` makes of the reply; the last problem after so many corrections."""
        found = read(await self._reply(key))
        for count in range(1, corrections + 1):
            if not isinstance(found, Unfit):
                break
            self.say(found.problem)
            found = read(await self._reply(f"{key}.{count}"))
        return found

    def say(self, *texts: str) -> None:
        self.messages += [Message(role="user", text=text) for text in texts]

    async def _reply(self, key: str) -> str:
        args: dict[str, Json] = {
            "agent": self.agent,
            "messages": [message.as_json() for message in self.messages],
            "schema": self.schema,
            "search_texts": self.search_texts,
        }
        if self.model:
            args["model"] = self.model
        reply = Reply.from_json(await self.steps.step(Call(key=key, function="model", args=args)))
        self.messages.append(Message(role="assistant", text=reply.text, opaque=reply.opaque))
        return reply.text


def found_object(text: str) -> JsonObject | None:
    """The JSON object that stands in a text, whatever stands around it; None where there is none."""
    text = after_thoughts(text)
    start, end = text.find("{"), text.rfind("}")
    try:
        value = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def listed_purposes(purposes: Sequence[tuple[str, str]]) -> str:
    """Names with what each is for, one a line, as a model that chooses is shown them."""
    return "\n".join(f"- {name}: {purpose}".rstrip(": ") for name, purpose in purposes)
