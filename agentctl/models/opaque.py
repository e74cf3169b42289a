"""What a provider needs back on the next turn: gathered from its reply, kept byte for byte, never read.

The shape is `{"model": id, "message": {…keys of the assistant message}, "calls": [{…keys of each call}]}`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text

_TEXTS: Final = ("text", "summary", "thinking")
"""Keys whose values come in pieces; every other key of a part is said once."""


@dataclass(slots=True)
class Opaque:
    """Gathers the deltas of one reply."""

    reasoning: str = ""
    details: list[dict[str, Json]] = field(default_factory=list)
    blocks: list[dict[str, Json]] = field(default_factory=list)
    signatures: list[Json] = field(default_factory=list)

    def add(self, delta: JsonObject) -> None:
        self.reasoning += as_text(delta.get("reasoning_content"))
        for part in as_list(delta.get("reasoning_details")):
            _put(self.details, as_object(part))
        for part in as_list(delta.get("thinking_blocks")):
            _put(self.blocks, as_object(part))
        self.signatures += as_list(as_object(delta.get("provider_specific_fields")).get("thought_signatures"))

    def kept(self, model: str, extras: Sequence[JsonObject]) -> JsonObject:
        """What to keep with a reply whose calls had these further keys; `{}` when there is nothing."""
        message: dict[str, Json] = {}
        if self.blocks:
            message["thinking_blocks"] = [_without_index(block) for block in self.blocks]
        elif self.details:
            message["reasoning_details"] = list(self.details)
        elif self.reasoning and extras:  # who wants it back wants it beside calls, and refuses it elsewhere
            message["reasoning_content"] = self.reasoning
        if self.signatures:
            message["provider_specific_fields"] = {"thought_signatures": list(self.signatures)}
        found: dict[str, Json] = {"message": message} if message else {}
        if any(extras):
            found["calls"] = list(extras)
        return {"model": model, **found} if found else {}


def _put(parts: list[dict[str, Json]], piece: JsonObject) -> None:
    """Adds a piece to the part it goes on with, else as its own; signed and encrypted parts are whole."""
    said: dict[str, Json] = {key: value for key, value in piece.items() if value is not None}
    last = parts[-1] if parts else {}
    closed = not parts or "signature" in last or "data" in said
    if closed or any(last.get(key) != said.get(key) for key in ("type", "index")):
        parts.append(said)
        return
    for key, value in said.items():
        last[key] = as_text(last.get(key)) + value if key in _TEXTS and isinstance(value, str) else value


def _without_index(block: JsonObject) -> JsonObject:
    """litellm numbers the blocks of a stream; sent back, the number is refused by Anthropic."""
    return {key: value for key, value in block.items() if key != "index"}
