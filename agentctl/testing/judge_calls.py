"""The tool calls of a run against those that a test expects, and those that it rules out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentctl.journal.summary import RunView
from agentctl.jsontypes import Json, JsonObject, as_object, as_text, canonical, same_json
from agentctl.spec.cases import Expect, ExpectedCall
from agentctl.testing.judge_answer import lacking
from agentctl.testing.matching import all_matched
from agentctl.testing.results import Failure


def judge_calls(expect: Expect, view: RunView) -> Iterator[Failure]:
    made = calls_of(view)
    counted = [wanted for wanted in expect.tools if wanted.times is not None]
    for wanted in counted:
        times = sum(_fits(wanted, call) for call in made)
        if times != wanted.times:
            note = f"{times} of the calls fit, not {wanted.times}"
            yield Failure(what="tools", expected=_wanted(wanted), actual=_shown(made), note=note)
    others = [wanted for wanted in expect.tools if wanted.times is None]
    for wanted, found in zip(others, all_matched(others, made, _fits), strict=True):
        if not found:
            yield Failure(what="tools", expected=_wanted(wanted), actual=_shown(made))
    for name in expect.not_called:
        wrong = [call for call in made if call["name"] == name]
        if wrong:
            yield Failure(what="not_called", expected=f"no call of {name}", actual=_shown(wrong))


def calls_of(view: RunView) -> list[JsonObject]:
    """The finished calls, in the order of their start: `{name, agent, args, result, error}`."""
    steps = [step for execution in view.executions for step in execution.steps if step.kind == "tool"]
    made: list[JsonObject] = []
    for step in sorted(steps, key=lambda step: step.ts):
        out = as_object(step.detail.get("out"))
        if step.status == "completed" and step.detail.get("refused") is not True:
            made.append(
                {
                    "name": step.detail.get("tool"),
                    "agent": step.detail.get("agent"),
                    "args": step.detail.get("arguments"),
                    "result": out.get("text"),
                    "error": out.get("error") is True,
                }
            )
    return made


def _fits(wanted: ExpectedCall, call: JsonObject) -> bool:
    args = as_object(call["args"])
    return (
        wanted.name == call["name"]
        and wanted.agent in (None, call["agent"])
        and (wanted.args is None or same_json(wanted.args, args))
        and (wanted.args_include is None or _includes(args, wanted.args_include))
        and all(_found(pattern, args, name) for name, pattern in wanted.args_match.items())
        and not lacking(wanted.result, as_text(call["result"]))
        and wanted.error in (None, call["error"])
    )


def _includes(value: Json, part: Json) -> bool:
    if isinstance(value, dict) and isinstance(part, dict):
        return all(key in value and _includes(value[key], below) for key, below in part.items())
    return same_json(value, part)


def _found(pattern: str, args: JsonObject, name: str) -> bool:
    value = args.get(name)
    if name not in args:
        return False
    text = value if isinstance(value, str) else canonical(value)
    return re.search(pattern, text, re.DOTALL) is not None


def _wanted(wanted: ExpectedCall) -> Json:
    stated: dict[str, Json] = {
        "name": wanted.name,
        "agent": wanted.agent,
        "args": wanted.args,
        "args_include": wanted.args_include,
        "args_match": wanted.args_match or None,
        "result": wanted.result or None,
        "error": wanted.error,
        "times": wanted.times,
    }
    return {key: value for key, value in stated.items() if value is not None}


def _shown(calls: list[JsonObject]) -> Json:
    return [{key: call[key] for key in ("name", "agent", "args")} for call in calls]
