"""A recording as frozen values: what models, tools, chance and people answered, each to what it was asked.

A file of it is described by `schemas/recording.schema.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agentctl.jsontypes import Json, JsonObject
from agentctl.models.messages import Message, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What a model was sent: `tools` are the names offered, `schema` the shape of answer asked for."""

    agent: str
    messages: tuple[Message, ...]
    tools: tuple[str, ...] = ()
    schema: JsonObject | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """One model call. `error` stands for a failure; `pieces` are the lengths in which the text streamed.

    `line` is where it stands in the file, 0 where it comes from none.
    """

    step: str
    sent: Sent
    reply: Reply
    error: JsonObject | None = None
    pieces: tuple[int, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTool:
    """One tool call and the text that the model was shown; `state` is what it changed for later calls.

    With `fatal` it ended the run, and `text` says why.
    """

    step: str
    agent: str
    tool: str
    arguments: JsonObject
    text: str
    error: bool = False
    fatal: bool = False
    state: JsonObject = field(default_factory=dict)
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """`draws` holds what chance gave, `answers` what people answered and `listings` what servers told of
    their tools, by step. `path` is to be shown.
    """

    path: str
    team: str = ""
    question: str = ""
    calls: tuple[RecordedCall, ...] = ()
    tools: tuple[RecordedTool, ...] = ()
    draws: Mapping[str, Json] = field(default_factory=dict)
    answers: Mapping[str, Json] = field(default_factory=dict)
    listings: Mapping[str, Json] = field(default_factory=dict)
