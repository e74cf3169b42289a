"""`OfflineModel`: a `ModelRequest` into the `Reply` that words alone can give. It asks nobody and no clock.

It calls the tools that a request points to, states their results, and asks back instead of guessing.
"""

from __future__ import annotations

from typing import Final

from agentctl.models.messages import ModelRequest, Reply
from agentctl.models.model import Notify
from agentctl.models.offline.choose import Choice, choose
from agentctl.models.offline.compose import ask_back, from_results, from_words
from agentctl.models.offline.shaped import shaped
from agentctl.models.offline.talk import Talk, read_talk
from agentctl.spec.settings import ModelSettings

MODEL: Final = "offline"


class OfflineModel:
    """Deterministic: the same request gives the same bytes in every process. It costs nothing."""

    def __init__(self, settings: ModelSettings) -> None:
        self._id = settings.id

    @property
    def id(self) -> str:
        return self._id

    async def reply(self, request: ModelRequest, notify: Notify) -> Reply:
        found = answer(request)
        if found.text:
            notify({"ev": "model.text", "text": found.text})
        return found

    async def close(self) -> None:
        """There is nothing to close."""


def answer(request: ModelRequest) -> Reply:
    """Never empty: text, or calls."""
    talk = read_talk(request)
    if request.schema is not None:
        return _said(shaped(request.schema, request, talk))
    choice = choose(request, talk) if request.tools else Choice()
    if choice.calls and (request.required or not talk.results):
        return Reply(calls=choice.calls, finish="calls", model=MODEL, cost_usd=0.0)
    return _said(_told(request, talk, choice))


def _told(request: ModelRequest, talk: Talk, choice: Choice) -> str:
    results = talk.results or choice.known
    if results or choice.lacking:
        return from_results(results, choice)
    if request.tools and not talk.past and not talk.said:
        return ask_back(request.tools, talk.request)
    return from_words(talk)


def _said(text: str) -> Reply:
    return Reply(text=text, model=MODEL, cost_usd=0.0)
