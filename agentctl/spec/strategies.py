"""The options of each strategy, defaulted: one frozen class a strategy, named as design names them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias, get_args

from agentctl.diagnostics import Span
from agentctl.spec.settings import FunctionRef, ModelSettings

StrategyName: TypeAlias = Literal[
    "handoff",
    "router",
    "sequential",
    "parallel",
    "swarm",
    "round_robin",
    "random",
    "plan_execute",
    "manual",
]
STRATEGIES: tuple[StrategyName, ...] = get_args(StrategyName)


@dataclass(frozen=True, slots=True, kw_only=True)
class StopIf:
    """Exactly one is set: a substring, a regular expression, or a function of the conversation."""

    text: str | None = None
    regex: str | None = None
    function: FunctionRef | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    type: ClassVar[StrategyName] = "handoff"
    final: Literal["specialist", "supervisor"] = "specialist"
    required: bool = False
    max_handoffs: int = 10
    synthesize: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Router:
    type: ClassVar[StrategyName] = "router"
    by: FunctionRef | None = None
    fallback: str | None = None
    synthesize: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequential:
    type: ClassVar[StrategyName] = "sequential"
    pass_: Literal["previous", "output", "all"] = "previous"
    stop_if: StopIf | None = None
    synthesize: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Parallel:
    type: ClassVar[StrategyName] = "parallel"
    max_concurrency: int | None = None
    on_error: Literal["fail", "continue"] = "fail"
    synthesize: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffRule:
    """One item of `handoff_when`: after a turn of `from_` (any member if None) control goes to `to`.

    Exactly one of `text`, `regex` and `tool` is set; `contains` narrows `tool` to results with that text.
    """

    to: str
    from_: str | None = None
    text: str | None = None
    regex: str | None = None
    tool: str | None = None
    contains: str | None = None
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Swarm:
    type: ClassVar[StrategyName] = "swarm"
    start: str | None = None
    transitions: Mapping[str, tuple[str, ...]] | None = None
    handoff_when: tuple[HandoffRule, ...] = ()
    max_handoffs: int = 20
    synthesize: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRobin:
    type: ClassVar[StrategyName] = "round_robin"
    turns: int | None = None
    stop_if: StopIf | None = None
    synthesize: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Random:
    type: ClassVar[StrategyName] = "random"
    weights: Mapping[str, float] | None = None
    seed: int | None = None
    turns: int = 1
    synthesize: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Who writes the plan, where it is not the agent itself."""

    model: ModelSettings | None = None
    instructions: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    id: str
    agent: str
    task: str
    depends_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanExecute:
    type: ClassVar[StrategyName] = "plan_execute"
    planner: Planner | None = None
    plan: tuple[PlanStep, ...] | None = None
    max_concurrency: int | None = None
    max_replans: int = 3
    max_steps: int = 20
    synthesize: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Manual:
    """`choose` is None for a person."""

    type: ClassVar[StrategyName] = "manual"
    choose: FunctionRef | None = None
    turns: int = 10
    synthesize: bool = False


Strategy: TypeAlias = (
    Handoff | Router | Sequential | Parallel | Swarm | RoundRobin | Random | PlanExecute | Manual
)
