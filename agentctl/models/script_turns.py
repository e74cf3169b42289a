"""The turns of a script as frozen values, and the rule by which a request finds its turn.

The choice depends on the request alone, so that parallel branches and resumed runs get the same replies.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from agentctl.errors import ModelErrorKind
from agentctl.models.messages import Finish, Message, ModelRequest, Usage

Where: TypeAlias = Literal["all", "last", "instructions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """Holds if all of `contains`, none of `lacks`, and `regex` are found in what was sent."""

    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    regex: re.Pattern[str] | None = None
    where: Where = "all"

    def holds(self, request: ModelRequest) -> bool:
        sent = sent_text(request.messages, self.where)
        return (
            all(text in sent for text in self.contains)
            and not any(text in sent for text in self.lacks)
            and (self.regex is None or self.regex.search(sent) is not None)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedCall:
    """A tool call to make; `arguments` is its text. An empty `id` is filled when it is made."""

    name: str
    arguments: str
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedError:
    """A failure: of that `kind`, or what the response would mean. Header names are in small letters.

    `times` attempts of a call fail, None for all; `after` characters stream before it.
    """

    kind: ModelErrorKind | None = None
    status: int | None = None
    message: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    times: int | None = None
    after: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One reply. `repeat` is how many numbers in a row it takes, None for all that follow; durations in s.

    `index` is its place in the agent's list, from 1; an absent `cost_usd` is left to the prices.
    """

    index: int
    line: int
    text: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    error: ScriptedError | None = None
    delay: float = 0.0
    cut: int | None = None
    pace: float = 0.0
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = None
    priced: bool = True
    finish: Finish | None = None
    when: When | None = None
    repeat: int | None = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A whole file. `path` is as the team file writes it."""

    path: str
    agents: Mapping[str, tuple[Turn, ...]]

    def key(self, agent: str) -> str:
        """The name of the list that holds the agent's turns: its own, else `*`."""
        return agent if agent in self.agents else "*"

    def turns_of(self, agent: str) -> tuple[Turn, ...]:
        return self.agents.get(self.key(agent), ())

    def turn(self, request: ModelRequest) -> Turn | None:
        """The n-th of the fitting turns for the n-th call of an execution."""
        number = request.turn
        for turn in self.turns_of(request.agent):
            if turn.when is not None and not turn.when.holds(request):
                continue
            if turn.repeat is None or number <= turn.repeat:
                return turn
            number -= turn.repeat
        return None


def sent_text(messages: tuple[Message, ...], where: Where) -> str:
    """What conditions look at: texts and calls of the messages, one a line."""
    if where == "last":
        messages = messages[-1:]
    elif where == "instructions":
        messages = tuple(message for message in messages if message.role == "system")
    return "\n".join(_told(message) for message in messages)


def _told(message: Message) -> str:
    calls = [f"{call.name}({call.arguments})" for call in message.calls]
    return "\n".join([message.text, *calls] if message.text else calls)
