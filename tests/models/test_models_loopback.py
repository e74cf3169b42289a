"""The loopback server itself: its rules find what is broken, and it serves from a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from agentctl.errors import ModelError
from agentctl.jsontypes import Json, JsonObject
from agentctl.models.opening import open_model
from loopback.asking import LOOK, ask, request, settings
from loopback.replies import Answer
from loopback.rulebook import read_rules
from loopback.rules import check_anthropic, check_body, check_request
from loopback.server import LoopbackServer, Seen

USER: JsonObject = {"role": "user", "content": "q"}
TOOL: JsonObject = {"type": "function", "function": {"name": "f", "parameters": {}}}


def calling(*ids: str, arguments: str = "{}", name: str = "f") -> JsonObject:
    calls: list[Json] = [
        {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}
        for identity in ids
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(identity: str) -> JsonObject:
    return {"role": "tool", "tool_call_id": identity, "content": "r"}


@pytest.mark.parametrize(
    ("messages", "rule"),
    [
        ([], ""),
        ([{"role": "system", "content": "s"}], "first message"),
        ([USER, {"role": "system", "content": "s"}, USER], "does not stand first"),
        ([{"role": "assistant", "content": "a"}, USER], "first message"),
        ([USER, {"role": "assistant", "content": "a"}], "last message"),
        ([USER, USER], "neighbouring"),
        ([{"role": "user", "content": ""}], "empty content"),
        ([{"role": "user", "content": None}], "no content"),
        ([{"role": "robot", "content": "x"}], "role"),
        ([USER, calling("a")], "never answered"),
        ([USER, calling("a", "b"), result("b"), result("a")], "not the next open call"),
        ([USER, calling("a"), USER], "not answered before"),
        ([USER, calling("a"), result("a"), result("a")], "not the next open call"),
        ([USER, calling("a"), result("a"), calling("a"), result("a")], "used twice"),
        ([USER, calling("a", arguments="[]"), result("a")], "no JSON object"),
        ([USER, calling("a", arguments="{"), result("a")], "no JSON object"),
        ([USER, calling("a", name="no way"), result("a")], "has the name"),
    ],
)
def test_broken_requests_are_found(messages: Sequence[JsonObject], rule: str) -> None:
    found = check_request(messages)
    assert any(rule in sentence for sentence in found) or (not rule and found)


def test_a_request_that_keeps_the_rules_is_passed() -> None:
    assert (
        check_body({"messages": [USER, calling("a", "b"), result("a"), result("b")], "tools": [TOOL]}) == []
    )


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        ({}, "no tools are offered"),
        ({"tools": []}, "empty instead of left out"),
        ({"tools": [TOOL, TOOL]}, "stands twice"),
        ({"tools": [{"function": {"name": ""}}]}, "out of bounds"),
        ({"tools": [TOOL], "response_format": {}}, "response format"),
        ({"tool_choice": "auto"}, "tool choice"),
    ],
)
def test_broken_bodies_are_found(more: JsonObject, rule: str) -> None:
    found = check_body({"messages": [USER, calling("a"), result("a")], **more})
    assert any(rule in sentence for sentence in found)


@pytest.mark.parametrize(
    ("messages", "rule"),
    [
        ([{"role": "assistant", "content": "a"}], "first message"),
        ([USER, {"role": "assistant", "content": "a"}], "last message"),
        ([{"role": "user", "content": [{"type": "text", "text": " "}]}], "empty text"),
        ([USER, {"role": "assistant", "content": [{"type": "tool_use", "id": "a"}]}, USER], "were called"),
        ([USER, {"role": "assistant", "content": [{"type": "tool_use", "id": "a"}]}, USER], "no tools"),
        ([USER], "max_tokens"),
    ],
)
def test_broken_anthropic_requests_are_found(messages: Sequence[JsonObject], rule: str) -> None:
    assert any(rule in sentence for sentence in check_anthropic({"messages": messages}))


RULES: Json = [
    {"offers": "look", "last": "user", "answer": {"calls": [{"name": "look", "arguments": {"what": "x"}}]}},
    {
        "contains": "slow",
        "answer": {"status": 429, "headers": {"Retry-After": "2"}, "body": {"error": "wait"}},
    },
    {"model": "gpt-4o-mini", "answer": {"text": "done"}},
]


def test_rules_answer_the_first_request_that_fits(tmp_path: Path) -> None:
    (tmp_path / "rules.json").write_text(json.dumps(RULES))
    with LoopbackServer(read_rules(tmp_path / "rules.json")) as server:

        def asks(model: str, *, tools: bool = False) -> str:
            stated = settings(model, base_url=server.base_url, retries=0)
            reply = ask(open_model(stated, environ={}), request(tools=[LOOK] if tools else []))
            return reply.text or reply.calls[0].name

        assert asks("openai/gpt-4o-mini", tools=True) == "look"
        assert asks("openai/gpt-4o-mini") == "done"
        with pytest.raises(ModelError, match="no rule"):
            asks("openai/other")


def test_rules_tell_a_tools_answer_in_anthropics_protocol_too(tmp_path: Path) -> None:
    rules = [
        {"last": "tool", "answer": {"text": "after the tool"}},
        {"last": "user", "answer": {"text": "first"}},
    ]
    (tmp_path / "rules.json").write_text(json.dumps(rules))
    script = read_rules(tmp_path / "rules.json")
    block: JsonObject = {"type": "tool_result", "tool_use_id": "a", "content": "r"}

    def answered(content: Json) -> str | None:
        body: JsonObject = {"messages": [{"role": "user", "content": content}]}
        answer = script(Seen(path="/v1/messages", headers={}, body=body))
        assert isinstance(answer, Answer)
        return answer.text

    assert answered([block]) == "after the tool"
    assert answered([{"type": "text", "text": "q"}]) == "first"


def test_it_serves_from_a_process_of_its_own_and_keeps_a_log(tmp_path: Path) -> None:
    (tmp_path / "rules.json").write_text(json.dumps(RULES))
    log = tmp_path / "log.jsonl"
    folders = os.pathsep.join([str(Path(__file__).parents[1]), str(Path(__file__).parents[2])])
    with subprocess.Popen(
        [sys.executable, "-m", "loopback", str(tmp_path / "rules.json"), "--log", str(log)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": folders},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert ask(open_model(settings(base_url=url), environ={})).text == "done"
        process.stdin.close()
    assert process.returncode == 0
    (line,) = [json.loads(line) for line in log.read_text().splitlines()]
    assert (line["path"], line["messages"], line["broken"]) == ("/v1/chat/completions", 2, [])
