"""Calls that a model writes as text: recognised where the text is nothing else, and else left alone."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentctl.engine.written import with_written_calls
from agentctl.models.messages import Reply, ToolCall, ToolSpec
from engine.harness import Stage, agent, call, calls, play, tool

TOOLS = [ToolSpec(name=name, description="", parameters={}) for name in ("look", "send")]
JSON = '{"name": "look", "arguments": {"at": "home"}}'


def made(text: str) -> list[tuple[str, object]]:
    reply = with_written_calls(Reply(text=text), TOOLS, 1)
    assert (reply.text == "" and reply.finish == "calls") if reply.calls else reply.text == text
    return [(one.name, json.loads(one.arguments)) for one in reply.calls]


@pytest.mark.parametrize(
    "text",
    [
        JSON,
        f"<tool_call>\n{JSON}\n</tool_call>",
        f"```json\n{JSON}\n```",
        f"```\n{JSON}\n```\n",
        f"[{JSON}]",
        f"<function_call>{JSON}</function_call>",
        '{"name": "look", "parameters": {"at": "home"}}',
        '{"type": "function", "name": "look", "arguments": "{\\"at\\": \\"home\\"}"}',
        '<function=look>{"at": "home"}</function>',
        "<function=look>\n<parameter=at>\nhome\n</parameter>\n</function>",
        "<tool_call>\n<function=look>\n<parameter=at>\nhome\n</parameter>\n</function>\n</tool_call>",
        f"[TOOL_CALLS][{JSON}]",
        f"[TOOL_CALLS] {JSON}",
        '[TOOL_CALLS]look{"at": "home"}',
        '[TOOL_CALLS]look[CALL_ID]a1B2[ARGS]{"at": "home"}',
    ],
)
def test_every_known_form_is_a_call(text: str) -> None:
    assert made(text) == [("look", {"at": "home"})]


def test_several_calls_and_values_that_are_no_text() -> None:
    two = f"<tool_call>{JSON}</tool_call>\n<tool_call>{JSON.replace('look', 'send')}</tool_call>"
    assert [name for name, _ in made(two)] == ["look", "send"]
    assert made("<function=look><parameter=n>\n3\n</parameter></function>") == [("look", {"n": 3})]
    assert made("<function=look></function>") == [("look", {})]
    assert made('[TOOL_CALLS]look{"n": 1}[TOOL_CALLS]send{}') == [("look", {"n": 1}), ("send", {})]


@pytest.mark.parametrize(
    "text",
    [
        f"I will call it: {JSON}",
        f"<tool_call>{JSON}</tool_call> and then I answer.",
        f"```json\n{JSON}\n```\nThat is how to call it.",
        '{"name": "other", "arguments": {}}',
        f'[{JSON}, {{"name": "Ann"}}]',
        '{"name": "look"}',
        '{"name": "look", "arguments": {}, "total": 3}',
        '{"name": "look", "arguments": [1]}',
        f"<tool_call>{JSON}",
        f"[TOOL_CALLS][{JSON}] is what I would call.",
        "[TOOL_CALLS]look",
        '[TOOL_CALLS]other{"at": "home"}',
        "<tool_call>look</tool_call>",
        "<function=look>now</function>",
        "[]",
        "[" * 100_000,
        "",
    ],
)
def test_everything_else_is_an_answer(text: str) -> None:
    assert made(text) == []


def test_real_calls_and_no_tools_leave_the_text_alone() -> None:
    real = Reply(text=JSON, calls=(ToolCall(id="1", name="look", arguments="{}"),))
    assert with_written_calls(real, TOOLS, 1) is real
    assert with_written_calls(Reply(text=JSON), [], 1).calls == ()


@given(st.text(alphabet='{}[]<>/="`look,: \n', max_size=40))
def test_no_text_raises(text: str) -> None:
    with_written_calls(Reply(text=text), TOOLS, 1)


def test_the_loop_makes_a_written_call_and_goes_on() -> None:
    look = tool("look", lambda arguments: f"saw {arguments['at']}")
    stage = Stage(root=agent("solo"), says={"solo": [JSON, JSON, "Done."]}, tools={"solo": [look]})
    ran = play(stage)
    assert ran.answer == "Done."
    assert ran.shown("solo", 2)[-2:] == ["assistant:  [look]", "tool: saw home"]


def test_calls_that_share_an_id_are_each_answered() -> None:
    twice = calls(call("look", '{"at": 1}', call_id="x"), call("look", '{"at": 2}', call_id="x"))
    same = calls(call("look", '{"at": 1}', call_id="x"), call("look", '{"at": 1}', call_id="x"))
    look = tool("look", lambda arguments: f"saw {arguments['at']}")
    ran = play(Stage(root=agent("solo"), says={"solo": [twice, same, "Done."]}, tools={"solo": [look]}))
    results = [line for line in ran.shown("solo", 3) if line.startswith("tool")]
    assert results == ["tool: saw 1", "tool: saw 2", "tool: saw 1", "tool: saw 1"]
