"""A conversation as its steps are given it: JSON, worked out only for what was said since the last turn."""

from __future__ import annotations

from collections.abc import Sequence

from agentctl.jsontypes import Grown
from agentctl.models.messages import Message
from agentctl.tools.excerpts import outputs_in


class Spoken:
    """For messages that only grow, and shrink, at their end."""

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._json = Grown()
        self._outputs: dict[str, None] = {}

    def as_json(self, messages: Sequence[Message]) -> Grown:
        self._follow(messages)
        return self._json.copy()

    def outputs(self, messages: Sequence[Message]) -> Sequence[str]:
        """The ids of results that were too long to be shown whole."""
        self._follow(messages)
        return tuple(self._outputs)

    def _follow(self, messages: Sequence[Message]) -> None:
        same = min(len(self._messages), len(messages))
        while same and messages[same - 1] is not self._messages[same - 1]:
            same -= 1
        if same < len(self._messages):
            self._json = Grown(self._json[:same])
        new = messages[same:]
        self._messages[same:] = new
        self._json.extend(message.as_json() for message in new)
        self._outputs |= dict.fromkeys(outputs_in(message.text for message in new if message.role == "tool"))
