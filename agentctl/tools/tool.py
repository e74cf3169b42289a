"""What every tool is to the rest: a name, a schema, a check of arguments and one async call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from agentctl.jsontypes import Json, JsonObject
from agentctl.spec.settings import FunctionRef


@dataclass(slots=True, kw_only=True)
class ToolContext:
    """Given by the runtime to a parameter annotated with it; the model never sees that parameter.

    `idempotency_key` is the same on every attempt of this call. `state` is kept with the run: changes
    made to it are recorded with the call's completion.
    """

    run_id: str
    execution_id: str
    agent: str
    idempotency_key: str
    inputs: Mapping[str, Json] = field(default_factory=dict)
    state: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """What a call gave and no text can hold: `label` is how the text speaks of it, `suffix` as in `.png`."""

    label: str
    suffix: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What the model is shown, whether it is an error, and what else the call left behind.

    `state` holds the changed keys only. `printed` is what the function wrote to stdout or stderr.
    `full` is the whole text where `text` was cut to `max_output` characters. `files` are to be kept.
    """

    text: str
    error: bool = False
    state: JsonObject = field(default_factory=dict)
    printed: str = ""
    full: str | None = None
    files: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """`check` gives what is wrong with parsed arguments, bounded in length, or None.

    `call` never raises but `FatalToolError` and cancellation. `source` says where the tool comes from.
    `asks`: a call of it is a question to a person, whose answer is its result.
    """

    name: str
    description: str
    parameters: JsonObject
    search_text: str
    source: str
    idempotent: bool
    approve: bool | FunctionRef
    check: Callable[[JsonObject], str | None]
    call: Callable[[JsonObject, ToolContext], Awaitable[ToolResult]]
    folder: Path
    asks: bool = False


class Toolset(Protocol):
    """Tools that are known only once somebody was asked, such as a server. A listing is JSON for records."""

    @property
    def asks(self) -> JsonObject:
        """Whom it asks, and for what: `{server, include?, exclude?}`. Another one is another listing."""
        ...

    async def listing(self) -> Json:
        """Raises ExecutionFailed where nobody answers, or not as the team file expects."""
        ...

    def tools(self, listing: Json, taken: Collection[str]) -> tuple[Tool, ...]:
        """The tools that a listing tells of, under names that are not `taken`; always the same ones."""
        ...
