"""The seam that durability stands on: the six verbs by which strategies and loops do anything at all.

JSON in, JSON out. Whoever implements them decides where records live and which process does the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from agentctl.jsontypes import Json, JsonObject

Function: TypeAlias = Literal["model", "tool", "listing", "function", "guardrail", "draw"]
Decider: TypeAlias = Literal["model", "function", "person", "rotation", "chance", "plan", "rule"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A registered function with JSON arguments, run once and then remembered under `key`.

    `in_doubt` marks a call that may have had an effect when its process died during it: it is not made
    again, and this value becomes its outcome when a person lets it rest. None: it is simply made again.
    `ask` is put to a person before; `calls.answered` says what becomes of the call by the answer.
    """

    key: str
    function: Function
    args: JsonObject
    in_doubt: Json = None
    ask: Question | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegation:
    """A child execution of a direct sub-agent. `absorb`: its failure is an outcome, kept like a success."""

    key: str
    agent: str
    task: JsonObject
    absorb: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something only a person can answer: `request` is `{kind, question, choices?, …}`."""

    key: str
    request: JsonObject


Branch: TypeAlias = Call | Delegation | Question


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    value: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """`error` is what would have been raised."""

    error: Exception


Outcome: TypeAlias = Done | Failed


class Steps(Protocol):
    """One execution's access to the world. Keys are unique within the execution."""

    @property
    def execution(self) -> str:
        """The execution's id, which is its path."""
        ...

    async def step(self, call: Call) -> Json: ...

    async def delegate(self, delegation: Delegation) -> Json:
        """The child's answer as `Answer.as_json()`; raises what ended it, also where absorbed."""
        ...

    async def decide(
        self, key: str, *, chosen: Sequence[str], among: Sequence[str], by: Decider, reason: str
    ) -> None: ...

    async def gather(self, branches: Sequence[Branch], limit: int | None = None) -> list[Outcome]:
        """All branches at once (at most `limit`), every outcome in order, after all have ended."""
        ...

    async def wait(self, question: Question) -> Json: ...

    async def sleep(self, key: str, seconds: float) -> None: ...
