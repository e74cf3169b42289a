"""What every model is to the rest: one async call from a request to a reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from agentctl.jsontypes import JsonObject
from agentctl.models.messages import ModelRequest, Reply

Notify: TypeAlias = Callable[[JsonObject], None]
"""Told what happens during a call: `{"ev": "model.text", "text": …}` for each piece of streamed text,
`{"ev": "model.restarted"}` when the text so far is void, `{"ev": "model.retrying", "attempt": n,
"wait_s": s, "error": …}`, `{"ev": "model.fallback", "model": id, "error": …}`."""


class Model(Protocol):
    @property
    def id(self) -> str:
        """The id as the team file names it."""
        ...

    async def reply(self, request: ModelRequest, notify: Notify) -> Reply:
        """Raises `ModelError` and nothing else of its own."""
        ...

    async def close(self) -> None: ...
