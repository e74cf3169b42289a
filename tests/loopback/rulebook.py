"""A script for a server of its own process: rules in JSON, the first that fits a request answers it.

A rule is `{"offers": tool, "last": role, "contains": text, "model": id, "answer": …}`; each condition may
be left out, and `contains` looks into the last message. An answer is `{"text", "calls", "usage", "delay"}`
or, for a failure, `{"status", "body", "headers", "delay"}`.
"""

from __future__ import annotations

import json
from pathlib import Path

from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text, canonical
from loopback.replies import USAGE, Answer, Call, Failure, Scripted
from loopback.server import Script, Seen

_UNFORESEEN = Failure(status=400, body={"error": {"message": "no rule of the loopback server fits"}})


def read_rules(path: Path) -> Script:
    """The script that a file of rules describes."""
    rules = [as_object(rule) for rule in json.loads(path.read_text(encoding="utf-8"))]

    def script(seen: Seen) -> Scripted:
        fitting = (rule for rule in rules if _fits(rule, seen))
        rule = next(fitting, None)
        return _UNFORESEEN if rule is None else scripted(as_object(rule.get("answer")))

    return script


def scripted(answer: JsonObject) -> Scripted:
    """One answer of a rule: a `status` makes it a failure."""
    status, delay = answer.get("status"), answer.get("delay", 0)
    assert isinstance(delay, int | float)
    if isinstance(status, int):
        headers = {name: as_text(value) for name, value in as_object(answer.get("headers")).items()}
        return Failure(status=status, body=answer.get("body", {}), headers=headers, delay=delay)
    calls = [as_object(call) for call in as_list(answer.get("calls"))]
    return Answer(
        text=as_text(answer.get("text")) or None,
        calls=[
            Call(name=as_text(call.get("name")), arguments=_arguments(call.get("arguments")))
            for call in calls
        ],
        usage=as_object(answer.get("usage", USAGE)),
        delay=delay,
    )


def _arguments(value: Json) -> str:
    return value if isinstance(value, str) else canonical(value or {})


def _role(message: JsonObject) -> str:
    """The role, `tool` also for Anthropic's way of answering calls as the user."""
    blocks = [as_object(block) for block in as_list(message.get("content"))]
    answers = any(block.get("type") == "tool_result" for block in blocks)
    return "tool" if answers else as_text(message.get("role"))


def _fits(rule: JsonObject, seen: Seen) -> bool:
    last = seen.messages[-1] if seen.messages else {}
    return (
        rule.get("offers") in (None, *seen.tools)
        and rule.get("last") in (None, _role(last))
        and rule.get("model") in (None, seen.body.get("model"))
        and as_text(rule.get("contains")) in canonical(last.get("content"))
    )
