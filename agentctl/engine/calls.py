"""The tool calls of one turn: read, checked, agreed to where a person must, and run at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from agentctl.diagnostics import nearest
from agentctl.engine.arguments import read_arguments
from agentctl.engine.steps import Branch, Call, Failed, Outcome, Question, Steps
from agentctl.jsontypes import Json, JsonObject, as_object, as_text
from agentctl.models.messages import ToolCall
from agentctl.spec.settings import FunctionRef
from agentctl.tools.excerpts import READS
from agentctl.tools.tool import Tool

ANSWER: Final = "answer"
"""What stands behind the step of a call for that of the question which it puts to a person."""
_AT_ONCE: Final = 10
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
    """A call that is ready to run; with a `problem` it only reports that, and nothing is executed.

    `note` is what the record says of how its arguments were read; `check` what is wrong with others.
    `asks`: it is a question to a person, whose answer is its result. `reads`: it reads on in a result.
    """

    key: str
    agent: str
    tool: str
    arguments: JsonObject
    problem: str | None = None
    idempotent: bool = True
    approve: bool | FunctionRef = False
    note: str = ""
    check: Callable[[JsonObject], str | None] = lambda _arguments: None
    asks: bool = False
    reads: bool = False

    def step(self, ask: Question | None = None) -> Call:
        args: dict[str, Json] = {"agent": self.agent, "tool": self.tool, "arguments": self.arguments}
        if self.note:
            args["note"] = self.note
        if self.problem is not None:
            return Call(key=self.key, function="tool", args={**args, "problem": self.problem})
        if self.reads:
            args["reads"] = True
        doubt = None if self.idempotent else ToolOutcome(text=_UNKNOWN_EFFECT, error=True).as_json()
        return Call(key=self.key, function="tool", args=args, in_doubt=doubt, ask=ask)

    def question(self) -> Question:
        if self.asks:
            question = as_text(self.arguments.get("question"))
            request: JsonObject = {"kind": "question", "question": question, "agent": self.agent}
            return Question(key=f"{self.key}/{ANSWER}", request=request)
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


def prepared(
    tool: Tool | None, call: ToolCall, *, agent: str, key: str, offered: Sequence[str], cut: bool = False
) -> Prepared:
    """Reads and checks a call; what is wrong with it becomes its `problem`, in words for the model.

    `cut`: its reply ended at the length limit.
    """
    found = read_arguments(call.arguments, tool, cut=cut)
    if tool is None:
        problem = unknown_tool(call.name, offered)
        return Prepared(key=key, agent=agent, tool=call.name, arguments=found.value, problem=problem)
    return Prepared(
        key=key,
        agent=agent,
        tool=tool.name,
        arguments=found.value,
        problem=found.problem,
        idempotent=tool.idempotent,
        approve=tool.approve,
        note=found.note,
        check=tool.check,
        asks=tool.asks,
        reads=tool.source == READS,
    )


def unknown_tool(name: str, offered: Sequence[str]) -> str:
    if not offered:
        return f"There is no tool '{name}', and you have no tools. Answer in words."
    near = nearest(name, offered)
    meant = f" Did you mean '{near}'?" if near else ""
    return f"There is no tool '{name}'.{meant} Your tools are: {', '.join(offered)}."


async def run_calls(ready: Sequence[Prepared], steps: Steps) -> list[ToolOutcome]:
    """Outcomes in order. A call goes on as soon as it is agreed to, whatever the others still wait for."""
    branches: list[Branch] = [
        item.step(ask=item.question() if await _needs_consent(item, steps) else None) for item in ready
    ]
    outcomes = await steps.gather(branches, _AT_ONCE)
    return [ToolOutcome.from_json(_value(outcome)) for outcome in outcomes]


def answered(call: Call, answer: Json) -> Call:
    """What becomes of a call by the answer to what it asks: made, not made, or the answer is its result."""
    assert call.ask is not None, call.key
    found = as_object(answer)
    if call.ask.request.get("kind") == "question":
        return replace(call, ask=None, args={**call.args, "given": as_text(found.get("answer"))})
    if found.get("approve") is True:
        return replace(call, ask=None)
    reason = as_text(found.get("reason"))
    because = f" ({reason})" if reason else ""
    problem = f"A person did not allow this call{because}. It was not made."
    return replace(call, ask=None, in_doubt=None, args={**call.args, "problem": problem})


async def _needs_consent(item: Prepared, steps: Steps) -> bool:
    if item.problem is not None:
        return False
    if item.asks:
        return True
    if isinstance(item.approve, bool):
        return item.approve
    args: JsonObject = {
        "function": item.approve.target,
        "folder": str(item.approve.folder),
        "arguments": [item.tool, item.arguments],
    }
    return bool(await steps.step(Call(key=f"{item.key}/approve-when", function="function", args=args)))


def _value(outcome: Outcome) -> Json:
    if isinstance(outcome, Failed):
        raise outcome.error
    return outcome.value
