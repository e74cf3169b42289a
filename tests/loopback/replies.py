"""What a loopback server is told to answer, whichever protocol it is asked in."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from agentctl.jsontypes import Json, JsonObject

USAGE: JsonObject = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """`arguments` is text as the model writes it, or an object to be written as text."""

    name: str
    arguments: str | JsonObject = "{}"
    id: str | None = None
    extra: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A model's reply.

    Streamed in pieces of `piece` characters with `pause` seconds before each; `cut_after` drops the
    connection after that many events; `hold` keeps the answer back, from its event `hold_after` on, until it
    is set. `usage` None leaves the counts out. `stream` False answers whole even where a stream was asked
    for. `message` adds keys to the message. `thinking` is Anthropic's thinking text.
    """

    text: str | None = None
    calls: Sequence[Call] = ()
    finish: str | None = None
    usage: JsonObject | None = field(default_factory=lambda: dict(USAGE))
    refusal: str | None = None
    message: JsonObject = field(default_factory=dict)
    thinking: str = ""
    piece: int = 5
    delay: float = 0.0
    pause: float = 0.0
    cut_after: int | None = None
    hold_after: int = 0
    hold: threading.Event | None = None
    stream: bool = True
    done_mark: bool = True
    finish_mark: bool = True
    indexed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An error status. A string body is sent as HTML."""

    status: int
    body: Json = field(default_factory=lambda: {"error": {"message": "scripted failure", "type": "scripted"}})
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """Bytes as they are, under a status and content type."""

    body: str
    content_type: str = "text/html"
    status: int = 200


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection is closed without an answer."""


Scripted: TypeAlias = Answer | Failure | Raw | Drop


def text(words: str) -> Answer:
    return Answer(text=words)


def call(name: str, arguments: str | JsonObject = "{}", *, id: str | None = None) -> Answer:  # noqa: A002
    return Answer(calls=[Call(name=name, arguments=arguments, id=id)])
