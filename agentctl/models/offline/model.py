"""`OfflineModel`: a `ModelRequest` into the `Reply` that words alone can give. It asks nobody and no clock.

It calls the tools that a request points to, states their results, and asks back instead of guessing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from agentctl.models.messages import Finish, ModelRequest, Reply, ToolCall
from agentctl.models.model import Notify
from agentctl.models.offline.choose import Choice, choose, is_peer
from agentctl.models.offline.compose import ask_back, composed, from_results, from_words, notes
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
    """Never empty: text, or calls, or both where control passes to a peer after the agent's own work."""
    talk = read_talk(request)
    if request.schema is not None and not request.tools:
        return _said(shaped(request.schema, request, talk))
    choice = choose(request, talk) if request.tools else Choice()
    peers = {tool.name for tool in request.tools if is_peer(tool)}
    passing = tuple(call for call in choice.calls if call.name in peers)
    own = tuple(call for call in choice.calls if call.name not in peers)
    if talk.results and not request.required:
        if request.schema is not None and not passing:
            return _said(shaped(request.schema, request, talk))
        told = from_results(talk.results, replace(choice, lacking=() if passing else choice.lacking))
        return _said(told if passing or not peers else _with_others(talk, told), passing)
    calls = own or passing
    if calls:
        return _said("", calls)
    if request.schema is not None:
        return _said(shaped(request.schema, request, talk))
    return _said(_told(request, talk, choice))


def _told(request: ModelRequest, talk: Talk, choice: Choice) -> str:
    if choice.known or choice.lacking:
        return from_results(choice.known, choice)
    if request.tools and not talk.past and not talk.said:
        return " ".join([*notes((), choice.refused), ask_back(request.tools, talk.request)])
    return from_words(talk)


def _with_others(talk: Talk, told: str) -> str:
    """Among peers the last answer stands alone, so what others answered before is said again."""
    others = [said for said in talk.said if said is not talk.note]
    return "\n".join(filter(None, [composed(others), told]))


def _said(text: str, calls: tuple[ToolCall, ...] = ()) -> Reply:
    finish: Finish = "calls" if calls else "stop"
    return Reply(text=text, calls=calls, finish=finish, model=MODEL, cost_usd=0.0)
