"""The tool calls of one turn: read, checked, agreed to where a person must, and run at once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from agentctl.diagnostics import nearest
from agentctl.engine.steps import Branch, Call, Failed, Outcome, Question, Steps
from agentctl.jsontypes import Json, JsonObject, as_object, as_text
from agentctl.models.messages import ToolCall
from agentctl.spec.settings import FunctionRef
from agentctl.tools.tool import Tool

_AT_ONCE: Final = 10
_PREVIEW: Final = 200
_UNKNOWN_EFFECT: Final = (
    "The process stopped during this call. Whether it took effect is unknown; it was not made again."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutcome:
    """What the model is shown of one call."""

    text: str
    error: bool = False

    def as_json(self) -> JsonObject:
        return {"text": self.text, "error": True} if self.error else {"text": self.text}

    @classmethod
    def from_json(cls, value: Json) -> ToolOutcome:
        found = as_object(value)
        return cls(text=as_text(found.get("text")), error=found.get("error") is True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A call that is ready to run; with a `problem` it only reports that, and nothing is executed."""

    key: str
    agent: str
    tool: str
    arguments: JsonObject
    problem: str | None = None
    idempotent: bool = True
    approve: bool | FunctionRef = False

    def step(self) -> Call:
        args: dict[str, Json] = {"agent": self.agent, "tool": self.tool, "arguments": self.arguments}
        if self.problem is not None:
            return Call(key=self.key, function="tool", args={**args, "problem": self.problem})
        doubt = None if self.idempotent else ToolOutcome(text=_UNKNOWN_EFFECT, error=True).as_json()
        return Call(key=self.key, function="tool", args=args, in_doubt=doubt)

    def question(self) -> Question:
        return Question(
            key=f"{self.key}/approve",
            request={
                "kind": "approve",
                "question": f"May '{self.agent}' call '{self.tool}'?",
                "agent": self.agent,
                "tool": self.tool,
                "arguments": self.arguments,
                "choices": ["approve", "deny"],
            },
        )


def prepared(tool: Tool | None, call: ToolCall, *, agent: str, key: str, offered: Sequence[str]) -> Prepared:
    """Reads and checks a call; what is wrong with it becomes its `problem`, in words for the model."""
    arguments = parse_arguments(call.arguments)
    if tool is None:
        problem = unknown_tool(call.name, offered)
        return Prepared(
            key=key,
            agent=agent,
            tool=call.name,
            arguments=arguments if not isinstance(arguments, str) else {},
            problem=problem,
        )
    if isinstance(arguments, str):
        return Prepared(key=key, agent=agent, tool=tool.name, arguments={}, problem=arguments)
    return Prepared(
        key=key,
        agent=agent,
        tool=tool.name,
        arguments=arguments,
        problem=tool.check(arguments),
        idempotent=tool.idempotent,
        approve=tool.approve,
    )


def parse_arguments(raw: str) -> JsonObject | str:
    """The arguments as an object, or what is wrong with them. Empty text and `null` mean none."""
    if raw.strip() in ("", "null"):
        return {}
    try:
        value: Json = json.loads(raw)
    except ValueError as error:
        return f"The arguments are not valid JSON ({error}); the call was not made. They began: {_short(raw)}"
    if not isinstance(value, dict):
        return f"The arguments must be a JSON object; the call was not made. They were: {_short(raw)}"
    return value


def unknown_tool(name: str, offered: Sequence[str]) -> str:
    if not offered:
        return f"There is no tool '{name}', and you have no tools. Answer in words."
    near = nearest(name, offered)
    meant = f" Did you mean '{near}'?" if near else ""
    return f"There is no tool '{name}'.{meant} Your tools are: {', '.join(offered)}."


async def run_calls(ready: Sequence[Prepared], steps: Steps) -> list[ToolOutcome]:
    """Outcomes in order. Calls that need nobody's consent run while the others are being agreed to."""
    asking = [await _needs_consent(item, steps) for item in ready]
    first: list[Branch] = [
        item.question() if ask else item.step() for item, ask in zip(ready, asking, strict=True)
    ]
    outcomes = await steps.gather(first, _AT_ONCE)
    agreed = {
        index: _after_consent(ready[index], _value(outcomes[index]))
        for index, ask in enumerate(asking)
        if ask
    }
    second = await steps.gather([item.step() for item in agreed.values()], _AT_ONCE) if agreed else []
    for index, outcome in zip(agreed, second, strict=True):
        outcomes[index] = outcome
    return [ToolOutcome.from_json(_value(outcome)) for outcome in outcomes]


async def _needs_consent(item: Prepared, steps: Steps) -> bool:
    if item.problem is not None:
        return False
    if isinstance(item.approve, bool):
        return item.approve
    args: JsonObject = {
        "function": item.approve.target,
        "folder": str(item.approve.folder),
        "arguments": [item.tool, item.arguments],
    }
    return bool(await steps.step(Call(key=f"{item.key}/approve-when", function="function", args=args)))


def _after_consent(item: Prepared, answer: Json) -> Prepared:
    found = as_object(answer)
    if found.get("approve") is True:
        return item
    reason = as_text(found.get("reason"))
    because = f" ({reason})" if reason else ""
    return replace(item, problem=f"A person did not allow this call{because}. It was not made.")


def _value(outcome: Outcome) -> Json:
    if isinstance(outcome, Failed):
        raise outcome.error
    return outcome.value


def _short(text: str) -> str:
    return text if len(text) <= _PREVIEW else text[:_PREVIEW] + "…"
