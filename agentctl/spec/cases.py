"""The tests of a team as frozen values: what is asked, who stands in for models, what must happen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from agentctl.diagnostics import Span
from agentctl.jsontypes import Json, JsonObject
from agentctl.spec.settings import FunctionRef

ExpectedStatus: TypeAlias = Literal["completed", "failed", "waiting", "limit"]
PersonKind: TypeAlias = Literal["choose", "finish", "approve", "deny", "answer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One answer of a person: `text` is the name chosen, the reason of a denial, or what is said.

    It answers only questions about `tool` and of `agent`, where these are given.
    """

    kind: PersonKind
    text: str = ""
    tool: str | None = None
    agent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedDecision:
    agent: str | None = None
    by: str | None = None
    chosen: tuple[str, ...] = ()
    among: tuple[str, ...] = ()
    reason: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedCall:
    """`args` is None where any arguments do; `args_match` holds regular expressions by argument."""

    name: str
    agent: str | None = None
    args: JsonObject | None = None
    args_include: JsonObject | None = None
    args_match: Mapping[str, str] = field(default_factory=dict)
    result: tuple[str, ...] = ()
    error: bool | None = None
    times: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedAnswer:
    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    regex: tuple[str, ...] = ()
    equals: str | None = None
    json_schema: Json = None
    function: FunctionRef | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedError:
    code: str | None = None
    contains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedWait:
    kind: str | None = None
    question: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Most:
    """What a run may have used at most; `time` and `waiting` are seconds."""

    model_calls: float | None = None
    tool_calls: float | None = None
    executions: float | None = None
    tokens: float | None = None
    cost_usd: float | None = None
    time: float | None = None
    waiting: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Expect:
    status: ExpectedStatus = "completed"
    path: tuple[str, ...] = ()
    agent: str | None = None
    decisions: tuple[ExpectedDecision, ...] = ()
    tools: tuple[ExpectedCall, ...] = ()
    not_called: tuple[str, ...] = ()
    answer: ExpectedAnswer | None = None
    error: ExpectedError | None = None
    waiting_for: tuple[ExpectedWait, ...] = ()
    max: Most = field(default_factory=Most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What a test names, at its place. `agent` is who must have the tool, if anybody; `arguments` are those
    of it that are named too.
    """

    name: str
    span: Span
    pointer: str
    agent: str | None = None
    arguments: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One run of a test; a test with `each` has one for every row.

    `model` gives a model id by agent, the empty name meaning every agent. Files and functions begin in
    `folder`. `tools` are those that the expectations and answers name, `files` the models that are files of
    replies.
    """

    name: str
    question: str
    inputs: Mapping[str, Json] = field(default_factory=dict)
    model: Mapping[str, str] = field(default_factory=dict)
    answers: tuple[Person, ...] = ()
    expect: Expect
    recorded_tools: bool = False
    tags: tuple[str, ...] = ()
    timeout: float = 60.0
    tools: tuple[Named, ...] = ()
    files: tuple[Named, ...] = ()
    folder: Path
    span: Span = field(compare=False)
    pointer: str = field(default="", compare=False)
