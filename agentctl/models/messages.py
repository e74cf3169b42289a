"""What is said to a model and what it says back, in one neutral form with a JSON form for records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, get_args

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
Finish: TypeAlias = Literal["stop", "calls", "length", "refused"]
_ROLES: Final[tuple[Role, ...]] = get_args(Role)
_FINISHES: Final[tuple[Finish, ...]] = get_args(Finish)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call as the model wrote it: `arguments` is its raw text, not yet parsed."""

    id: str
    name: str
    arguments: str

    def as_json(self) -> JsonObject:
        return {"id": self.id, "name": self.name, "arguments": self.arguments}

    @classmethod
    def from_json(cls, value: Json) -> ToolCall:
        found = as_object(value)
        return cls(
            id=as_text(found.get("id")),
            name=as_text(found.get("name")),
            arguments=as_text(found.get("arguments")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message. `calls` only with role assistant, `call_id` only with role tool.

    `opaque` is what the provider that wrote an assistant message needs back unchanged (thinking
    blocks, signatures), as `{"model": id, …}`; other models are never sent it. `error` marks a
    tool result that reports a failure.
    """

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    error: bool = False
    opaque: JsonObject = field(default_factory=dict)

    def as_json(self) -> JsonObject:
        found: dict[str, Json] = {"role": self.role, "text": self.text}
        if self.calls:
            found["calls"] = [call.as_json() for call in self.calls]
        if self.call_id:
            found["call_id"] = self.call_id
        if self.error:
            found["error"] = True
        if self.opaque:
            found["opaque"] = self.opaque
        return found

    @classmethod
    def from_json(cls, value: Json) -> Message:
        found = as_object(value)
        return cls(
            role=next(role for role in _ROLES if role == found.get("role")),
            text=as_text(found.get("text")),
            calls=tuple(ToolCall.from_json(call) for call in as_list(found.get("calls"))),
            call_id=as_text(found.get("call_id")),
            error=found.get("error") is True,
            opaque=as_object(found.get("opaque")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one call. `cached` is a part of `input`, `reasoning` a part of `output`.

    `stored` is the part of `input` that was written to the provider's cache, `stored_hour` the part of it
    that is kept there for an hour: only the price of the call depends on them, and no record holds them.
    `counted` is False where the provider did not say how many the input or the output has, which is then 0.
    """

    input: int = 0
    output: int = 0
    cached: int = 0
    reasoning: int = 0
    stored: int = 0
    stored_hour: int = 0
    counted: bool = True

    @property
    def total(self) -> int:
        return self.input + self.output

    def as_json(self) -> JsonObject:
        found: JsonObject = {
            "input_tokens": self.input,
            "output_tokens": self.output,
            "cached_tokens": self.cached,
            "reasoning_tokens": self.reasoning,
        }
        return found if self.counted else {**found, "counted": False}

    @classmethod
    def from_json(cls, value: Json) -> Usage:
        found = as_object(value)

        def count(key: str) -> int:
            number = found.get(key)
            return number if isinstance(number, int) else 0

        return cls(
            input=count("input_tokens"),
            output=count("output_tokens"),
            cached=count("cached_tokens"),
            reasoning=count("reasoning_tokens"),
            counted=found.get("counted") is not False,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One finished reply. `cost_usd` is None where no price is known; `model` is who answered.

    `unpriced` counts the attempts before it that may have cost something that nobody told.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish: Finish = "stop"
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = None
    opaque: JsonObject = field(default_factory=dict)
    unpriced: int = 0

    def as_json(self) -> JsonObject:
        found: dict[str, Json] = {"text": self.text, "finish": self.finish, "model": self.model}
        if self.calls:
            found["calls"] = [call.as_json() for call in self.calls]
        if self.opaque:
            found["opaque"] = self.opaque
        if self.unpriced:
            found["unpriced"] = self.unpriced
        return {**found, "usage": self.usage.as_json(), "cost_usd": self.cost_usd}

    @classmethod
    def from_json(cls, value: Json) -> Reply:
        found = as_object(value)
        cost, unpriced = found.get("cost_usd"), found.get("unpriced")
        return cls(
            text=as_text(found.get("text")),
            calls=tuple(ToolCall.from_json(call) for call in as_list(found.get("calls"))),
            finish=next(finish for finish in _FINISHES if finish == found.get("finish")),
            model=as_text(found.get("model")),
            usage=Usage.from_json(found.get("usage")),
            cost_usd=float(cost) if isinstance(cost, int | float) else None,
            opaque=as_object(found.get("opaque")),
            unpriced=unpriced if isinstance(unpriced, int) else 0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as a model is offered it.

    `search_text` is what `offline` ranks by and is never sent; `transfer` marks a generated transfer tool.
    """

    name: str
    description: str
    parameters: JsonObject
    search_text: str = ""
    transfer: bool = False

    def as_json(self) -> JsonObject:
        return {
            "name": self.name,
            "description": self.description,
            "parameters": self.parameters,
            "search_text": self.search_text,
            "transfer": self.transfer,
        }

    @classmethod
    def from_json(cls, value: Json) -> ToolSpec:
        found = as_object(value)
        return cls(
            name=as_text(found.get("name")),
            description=as_text(found.get("description")),
            parameters=as_object(found.get("parameters")),
            search_text=as_text(found.get("search_text")),
            transfer=found.get("transfer") is True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One model call.

    `required` forces a tool call where the provider can. `schema` asks for an answer that is one JSON
    value of that shape; beside tools it is said in words. `streamed` says whether anybody wants the text as
    it comes, `shrinks` whether it can be asked again with less where a model finds it too long.
    `search_texts` says, for names that stand in an enum of the schema, what `offline` ranks them by; it is
    never sent. Under the empty name stands who is meant where `offline` names nobody. `agent` and `turn`
    (from 1, within the execution) are what a script goes by; `step`, its place in the run, tells a
    recording's equals apart.
    """

    agent: str
    turn: int
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    required: bool = False
    schema: JsonObject | None = None
    streamed: bool = True
    shrinks: bool = False
    step: str = ""
    search_texts: Mapping[str, str] = field(default_factory=dict)
