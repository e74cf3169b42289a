"""What a provider needs back on the next turn: gathered from its reply, kept byte for byte, never read.

The shape is `{"model": id, "message": {…keys of the assistant message}, "calls": [{…keys of each call}]}`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.models.messages import ToolCall


@dataclass(slots=True)
class Opaque:
    """Gathers the deltas of one reply."""

    reasoning: str = ""
    details: list[dict[str, Json]] = field(default_factory=list)
    blocks: list[dict[str, Json]] = field(default_factory=list)
    fields: dict[str, Json] = field(default_factory=dict)

    def add(self, delta: JsonObject) -> None:
        self.reasoning += as_text(delta.get("reasoning_content"))
        self.details += [dict(as_object(part)) for part in as_list(delta.get("reasoning_details"))]
        for part in as_list(delta.get("thinking_blocks")):
            self._block(dict(as_object(part)))
        self.fields.update(as_object(delta.get("provider_specific_fields")))

    def kept(self, model: str, extras: list[dict[str, Json]], calls: tuple[ToolCall, ...]) -> JsonObject:
        """What to keep with the reply; `{}` when there is nothing."""
        message: dict[str, Json] = {}
        if self.blocks:
            message["thinking_blocks"] = [_sealed(block) for block in self.blocks]
        if self.details:
            message["reasoning_details"] = list(self.details)
        if (
            self.reasoning and calls
        ):  # servers that want it back want it beside calls, and refuse it elsewhere
            message["reasoning_content"] = self.reasoning
        found: dict[str, Json] = {"message": message} if message else {}
        if any(extras):
            found["calls"] = list(extras)
        return {"model": model, **found} if found else {}

    def _block(self, part: dict[str, Json]) -> None:
        """A thinking block comes in pieces, the last of which carries its signature."""
        last = self.blocks[-1] if self.blocks else None
        if (
            last is None
            or part.get("type") != "thinking"
            or last.get("type") != "thinking"
            or last.get("signature")
        ):
            self.blocks.append(part)
            return
        last["thinking"] = as_text(last.get("thinking")) + as_text(part.get("thinking"))
        if part.get("signature"):
            last["signature"] = part["signature"]


def _sealed(block: dict[str, Json]) -> JsonObject:
    return {key: value for key, value in block.items() if value is not None}
