"""A checked team: the frozen tree of agents that everything after the spec reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from agentctl.diagnostics import Span
from agentctl.document.nodes import Entry, Object, find
from agentctl.jsontypes import Json, JsonObject
from agentctl.spec.settings import (
    BuiltinEntry,
    FunctionRef,
    Guardrail,
    McpEntry,
    ModelSettings,
    Retry,
    ToolEntry,
)
from agentctl.spec.strategies import Strategy

if TYPE_CHECKING:
    from agentctl.spec.cases import Case

LimitName: TypeAlias = Literal["turns", "tool_calls", "tokens", "cost_usd", "time"]
Context: TypeAlias = Literal["conversation", "task"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One stated limit: turns, calls, tokens, USD or seconds; `math.inf` where `unlimited` is written."""

    value: float
    span: Span = field(compare=False)
    pointer: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """A declared run input; `required` only where no default is given."""

    type: Literal["string", "number", "integer", "boolean"] = "string"
    description: str | None = None
    default: Json = None
    required: bool = False
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One agent. `model` is already inherited, `description` already defaulted from the instructions.

    What stands under `tools` is told apart: functions in `tools`, servers in `mcp_tools`, `builtins`.

    `output` is the shape of its answer: a JSON Schema, or a Python class. `spans` holds the place of
    every key that was written (`name`, `model`, `strategy`, …), and of the agent itself under `""`, for
    diagnostics and for messages that name a line.
    """

    name: str
    description: str = ""
    examples: tuple[str, ...] = ()
    model: ModelSettings | None = None
    instructions: str = ""
    tools: tuple[ToolEntry, ...] = ()
    mcp_tools: tuple[McpEntry, ...] = ()
    builtins: tuple[BuiltinEntry, ...] = ()
    agents: tuple[Agent, ...] = ()
    strategy: Strategy | None = None
    output: JsonObject | FunctionRef | None = None
    output_retries: int = 2
    guardrails: tuple[Guardrail, ...] = ()
    limits: Mapping[LimitName, Limit] = field(default_factory=dict)
    retry: Retry | None = None
    context: Context | None = None
    spans: Mapping[str, Span] = field(default_factory=dict, compare=False)
    pointer: str = field(default="", compare=False)

    def walk(self) -> Iterator[Agent]:
        """This agent and everything below it, parents first, in file order."""
        yield self
        for agent in self.agents:
            yield from agent.walk()

    @property
    def has_tools(self) -> bool:
        return bool(self.tools or self.mcp_tools or self.builtins)

    def member(self, name: str) -> Agent | None:
        """The direct sub-agent of that name."""
        return next((agent for agent in self.agents if agent.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """A team file, read and resolved. `path` is as it should be shown, `folder` is absolute.

    `tests` say nothing of what the team does, so they take no part in comparisons and in resolved files.
    `models` are all that its files declare, used or not. `documents` are the files it was read from, by the
    path that is shown.
    """

    root: Agent
    path: str
    folder: Path
    inputs: Mapping[str, Input] = field(default_factory=dict)
    tests: tuple[Case, ...] = field(default=(), compare=False)
    models: tuple[ModelSettings, ...] = field(default=(), compare=False, repr=False)
    documents: Mapping[str, Object] = field(default_factory=dict, compare=False, repr=False)

    def place(self, near: Span, *pointers: str, key: bool = False) -> Span:
        """Where the value of the first of these stands in the file of `near`, with `key` its key.

        It is `near` itself where the file has none of them.
        """
        root = self.documents.get(near.path)
        for pointer in pointers:
            found = find(root, pointer) if root is not None else None
            if isinstance(found, Entry):
                return found.key_span if key else found.value.span
            if found is not None:
                return found.span
        return near

    def agents(self) -> Iterator[Agent]:
        return self.root.walk()
