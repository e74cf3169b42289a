"""An agent's guardrails over its request, its final answer and its tool calls, in the order of the file.

A function is a recorded step, and every rejection is put on record. Whatever is no clear pass, such as a
function that gives no verdict or a person who says no, is never read as one.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from agentctl.engine.calls import Prepared
from agentctl.engine.steps import Call, Question, Steps
from agentctl.engine.task import Answer, Task
from agentctl.errors import ExecutionFailed
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text, canonical
from agentctl.spec.settings import Guardrail, GuardrailAction, GuardrailPlace
from agentctl.spec.team import Agent

Judged: TypeAlias = "str | JsonObject"
"""A text, or the arguments of a call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """The model is to try again; `problem` tells it why."""

    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rejected:
    """`instead` is what a function, or the replacement, puts in its place."""

    why: str
    instead: Json = None


class Guards:
    """`rejected` counts, by guardrail, how often its `retry` was used in this execution."""

    def __init__(self, agent: Agent, steps: Steps) -> None:
        self._agent = agent
        self._steps = steps
        self._rejected: Counter[int] = Counter()

    async def task(self, task: Task) -> Task:
        """The task as the agent may be given it: its request, and the note with it."""
        request = await self.text("input", task.request, "input")
        note = task.note
        if note is not None and note.text.strip():
            note = replace(note, text=_plain(await self.text("input", note.text, "input/note")))
        return replace(task, request=_plain(request), note=note)

    async def text(self, on: GuardrailPlace, text: str, key: str) -> str | Again:
        """The text as it may pass; raises where it must not."""
        for number, rail in enumerate(self._agent.guardrails, start=1):
            if rail.on != on:
                continue
            found = await self._judge(rail, number, text, f"{key}/guard-{number}", "")
            if isinstance(found, Again):
                return found
            text = as_text(found)
        return text

    async def passed_on(self, answer: Answer) -> Answer:
        """Others' words as they may leave this agent, which cannot ask for them again."""
        passed = await self.text("output", answer.text, "answer")
        if isinstance(passed, Again):
            raise ExecutionFailed(
                f"a guardrail of '{self._agent.name}' rejected what '{answer.agent}' answered: "
                f"{passed.problem}",
                rule="guardrail",
                hint="put the guardrail on the agent that writes the answer, whose model can be asked again",
            )
        if passed == answer.text:
            return answer
        return replace(answer, text=passed, output=None, has_output=False)

    async def call(self, item: Prepared) -> Prepared:
        """The call as it may be made, or with the problem that its model is told."""
        for number, rail in enumerate(self._agent.guardrails, start=1):
            if rail.on != "tool" or item.problem is not None or (rail.tools and item.tool not in rail.tools):
                continue
            found = await self._judge(rail, number, item.arguments, f"{item.key}/guard-{number}", item.tool)
            if isinstance(found, Again):
                item = replace(item, problem=found.problem)
            elif isinstance(found, str) or found != item.arguments:
                item = replace(item, arguments=as_object(found), problem=item.check(as_object(found)))
        return item

    async def _judge(
        self, rail: Guardrail, number: int, value: Judged, key: str, tool: str
    ) -> Judged | Again:
        rejected = await self._rejection(rail, value, key, tool)
        if rejected is None:
            return value
        why = rail.message or rejected.why or "it is not allowed"
        subject = f"the arguments of '{tool}'" if tool else _SUBJECTS[rail.on]
        await self._steps.step(
            Call(
                key=f"{key}.rejected",
                function="guardrail",
                args={
                    "agent": self._agent.name,
                    "subject": subject,
                    "why": why,
                    "action": self._follows(rail, number, value, rejected),
                },
            )
        )
        match rail.action:
            case "fail":
                raise self._failure(rail, f"rejected {subject}: {why}")
            case "retry":
                return self._again(rail, number, subject, why)
            case "fix":
                return self._fixed(rail, value, rejected, subject, why)
            case "ask":
                return await self._asked(rail, value, key, subject, why, tool)
            case _:
                assert_never(rail.action)

    def _follows(self, rail: Guardrail, number: int, value: Judged, rejected: _Rejected) -> GuardrailAction:
        """What the rejection leads to: its action, or `fail` where that cannot be had."""
        match rail.action:
            case "retry":
                return "retry" if self._rejected[number] < rail.attempts else "fail"
            case "fix":
                instead = _instead(value, rejected)
                return "fail" if instead is None or _still(rail, instead) else "fix"
            case "ask" | "fail":
                return rail.action
            case _:
                assert_never(rail.action)

    async def _rejection(self, rail: Guardrail, value: Judged, key: str, tool: str) -> _Rejected | None:
        if rail.regex is not None:
            return _by_regex(rail.regex, rail.replacement, value)
        assert rail.function is not None
        arguments: list[Json] = [tool, value] if tool else [value]
        args: JsonObject = {
            "function": rail.function.target,
            "folder": str(rail.function.folder),
            "arguments": arguments,
        }
        verdict = await self._steps.step(Call(key=key, function="function", args=args))
        if verdict is True:
            return None
        if verdict is False:
            return _Rejected(why="")
        if isinstance(verdict, str) and verdict.strip():
            return _Rejected(why=verdict)
        stated = as_object(verdict)
        if stated and stated.keys() <= {"replacement", "message"}:
            return _Rejected(why=as_text(stated.get("message")), instead=stated.get("replacement"))
        raise self._failure(
            rail,
            f"gave no verdict but {canonical(verdict)[:100]}",
            hint="return True to let it pass, and False or the reason to reject it",
        )

    def _again(self, rail: Guardrail, number: int, subject: str, why: str) -> Again:
        self._rejected[number] += 1
        if self._rejected[number] > rail.attempts:
            raise self._failure(rail, f"rejected {subject} {rail.attempts + 1} times: {why}")
        return Again(problem=f"Not accepted ({subject}): {why}")

    def _fixed(
        self, rail: Guardrail, value: Judged, rejected: _Rejected, subject: str, why: str
    ) -> str | JsonObject:
        fixed = _instead(value, rejected)
        if fixed is None:
            raise self._failure(rail, f"rejected {subject} and gave nothing to put in its place: {why}")
        if _still(rail, fixed):
            raise self._failure(rail, f"still rejects {subject} after its replacement: {why}")
        return fixed

    async def _asked(
        self, rail: Guardrail, value: Judged, key: str, subject: str, why: str, tool: str
    ) -> Judged | Again:
        shown: JsonObject = {"text": value} if isinstance(value, str) else {"tool": tool, "arguments": value}
        question = f"A guardrail of '{self._agent.name}' rejected {subject}: {why}. Let it pass?"
        request: JsonObject = {
            "kind": "approve",
            "question": question,
            "agent": self._agent.name,
            "guardrail": True,
            **shown,
            "choices": ["approve", "deny"],
        }
        answer = as_object(await self._steps.wait(Question(key=f"{key}/ask", request=request)))
        if answer.get("approve") is True:
            return value
        reason = as_text(answer.get("reason")) or why
        if tool:
            return Again(problem=f"A person did not allow this call ({reason}). It was not made.")
        raise self._failure(rail, f"rejected {subject}, and a person did not let it pass: {reason}")

    def _failure(self, rail: Guardrail, what: str, hint: str | None = None) -> ExecutionFailed:
        place = f"{rail.span.path}:{rail.span.line}:{rail.span.column}"
        message = f"the guardrail of agent '{self._agent.name}' at {place} {what}"
        return ExecutionFailed(message, rule="guardrail", hint=hint)


_SUBJECTS = {"input": "the request", "output": "the answer", "tool": "the arguments"}


def _plain(text: str | Again) -> str:
    """Nobody is asked again for an input; the spec refuses such guardrails."""
    assert isinstance(text, str), text
    return text


def _instead(value: Judged, rejected: _Rejected) -> Judged | None:
    """What is to be put in the place of `value`, where it is of the same kind."""
    instead = rejected.instead
    if isinstance(value, str):
        return instead if isinstance(instead, str) else None
    return as_object(instead) or None


def _still(rail: Guardrail, fixed: Judged) -> bool:
    """Whether the replacement itself would be rejected."""
    return rail.regex is not None and _by_regex(rail.regex, None, fixed) is not None


def _by_regex(regex: str, replacement: str | None, value: Judged) -> _Rejected | None:
    if not any(re.search(regex, text) for text in _texts(value)):
        return None
    return _Rejected(why="", instead=None if replacement is None else _replaced(regex, replacement, value))


def _texts(value: Json) -> list[str]:
    """Every text in a value, the names of its keys left out."""
    if isinstance(value, str):
        return [value]
    inner = as_object(value).values() or as_list(value)
    return [text for below in inner for text in _texts(below)]


def _replaced(regex: str, replacement: str, value: Json) -> Json:
    if isinstance(value, str):
        return re.sub(regex, replacement, value)
    if isinstance(value, list | tuple):
        return [_replaced(regex, replacement, below) for below in value]
    found = as_object(value)
    return {key: _replaced(regex, replacement, below) for key, below in found.items()} if found else value
