"""What a chat-completions body holds, and what it leaves out."""

from __future__ import annotations

import pytest

from agentctl.jsontypes import JsonObject, as_list, as_object
from agentctl.models.body import Dialect, request_body
from agentctl.models.messages import Message, ModelRequest, ToolCall, ToolSpec
from agentctl.spec.settings import ModelSettings
from loopback.asking import LOOK, request, settings
from loopback.rules import check_body

CLOSED: JsonObject = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}
OPEN: JsonObject = {"type": "object", "properties": {"a": {"type": "string"}}}


def own() -> Dialect:
    return Dialect(own=True, completion_tokens=True, native_schema=True)


def other() -> Dialect:
    return Dialect(own=False, completion_tokens=False, native_schema=False)


def body(
    asked: ModelRequest | None = None, stated: ModelSettings | None = None, dialect: Dialect | None = None
) -> JsonObject:
    found = request_body(asked or request(), stated or settings(), model="m", dialect=dialect or own())
    assert check_body(found) == []
    return found


def test_nothing_is_sent_that_the_file_does_not_state() -> None:
    assert body().keys() == {"model", "messages", "stream", "stream_options"}


def test_what_the_file_states_is_sent_as_it_stands() -> None:
    stated = settings(
        temperature=0.0, max_tokens=9, top_p=0.5, reasoning_effort="low", params={"seed": 7, "logit_bias": {}}
    )
    found = body(stated=stated)
    assert {
        key: found[key] for key in ("temperature", "max_completion_tokens", "top_p", "reasoning_effort")
    } == {
        "temperature": 0.0,
        "max_completion_tokens": 9,
        "top_p": 0.5,
        "reasoning_effort": "low",
    }
    assert found["seed"] == 7
    assert found["logit_bias"] == {}
    assert "max_tokens" not in found


def test_other_servers_get_max_tokens() -> None:
    found = body(stated=settings(max_tokens=9), dialect=other())
    assert found["max_tokens"] == 9
    assert "max_completion_tokens" not in found


def test_params_win_and_can_turn_streaming_off() -> None:
    found = body(stated=settings(temperature=0.1, params={"temperature": 0.9, "stream": False}))
    assert found["temperature"] == 0.9
    assert "stream" not in found
    assert "stream_options" not in found


def test_tools_are_offered_with_their_schemas_and_never_more() -> None:
    searched = ToolSpec(name="f", description=" ", parameters={}, search_text="secret words", transfer=True)
    found = body(request(tools=[LOOK, searched]))
    assert found["tools"] == [
        {
            "type": "function",
            "function": {"name": "look", "description": "Looks something up.", "parameters": LOOK.parameters},
        },
        {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}},
    ]
    assert "tool_choice" not in found


def test_strict_is_said_only_where_the_schema_qualifies_and_only_to_openai() -> None:
    tools = [
        ToolSpec(name="closed", description="", parameters=CLOSED),
        ToolSpec(name="open", description="", parameters=OPEN),
    ]

    def marks(dialect: Dialect) -> list[bool]:
        offered = as_list(body(request(tools=tools), dialect=dialect)["tools"])
        return ["strict" in as_object(as_object(tool)["function"]) for tool in offered]

    assert marks(own()) == [True, False]
    assert marks(other()) == [False, False]


def test_tool_choice_is_forced_only_when_required() -> None:
    assert body(request(tools=[LOOK], required=True))["tool_choice"] == "required"
    assert "tool_choice" not in body(request(required=True))


@pytest.mark.parametrize(
    "stated", [settings(reasoning_effort="high"), settings(params={"thinking": {"type": "enabled"}})]
)
def test_a_reasoning_model_is_told_instead_of_forced(stated: ModelSettings) -> None:
    found = body(request(tools=[LOOK], required=True), stated)
    assert "tool_choice" not in found
    assert "calling one of the tools" in str(as_object(as_list(found["messages"])[0])["content"])


def test_reasoning_that_is_switched_off_is_no_reasoning() -> None:
    assert (
        body(request(tools=[LOOK], required=True), settings(reasoning_effort="none"))["tool_choice"]
        == "required"
    )


def test_a_history_that_holds_calls_offers_them_but_lets_none_be_made() -> None:
    history = (
        Message(role="user", text="q"),
        Message(role="assistant", text="", calls=(ToolCall(id="a", name="old one", arguments="{}"),)),
        Message(role="tool", text="r", call_id="a"),
    )
    found = body(request(*history, schema=CLOSED))
    assert as_object(as_object(as_list(found["tools"])[0])["function"])["name"] == "old_one"
    assert found["tool_choice"] == "none"
    assert "response_format" not in found
    assert '"additionalProperties":false' in str(found["messages"])


def test_a_schema_is_native_on_openais_endpoint_strict_where_it_qualifies() -> None:
    assert body(request(schema=CLOSED))["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": CLOSED, "strict": True},
    }
    assert body(request(schema=OPEN))["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": OPEN},
    }


@pytest.mark.parametrize(("schema", "dialect"), [(CLOSED, other()), ({"type": "array", "items": {}}, own())])
def test_elsewhere_a_schema_is_an_instruction(schema: JsonObject, dialect: Dialect) -> None:
    found = body(request(schema=schema), dialect=dialect)
    assert "response_format" not in found
    system = str(as_object(as_list(found["messages"])[0])["content"])
    assert system.startswith("You are a test.\n\nAnswer with one JSON value")


@pytest.mark.parametrize(
    ("complaint", "asked", "gone"),
    [
        ("Unknown field stream_options", request(), "stream_options"),
        ("Unsupported parameter: 'stream'", request(), "stream"),
        ("json_schema is not supported", request(schema=CLOSED), "response_format"),
        ("tool_choice must be auto", request(tools=[LOOK], required=True), "tool_choice"),
    ],
)
def test_what_a_server_refuses_is_left_out_from_then_on(
    complaint: str, asked: ModelRequest, gone: str
) -> None:
    dialect = own()
    assert gone in body(asked, dialect=dialect)
    assert dialect.learn(complaint)
    assert gone not in body(asked, dialect=dialect)
    assert not dialect.learn(complaint)


def test_the_key_for_the_longest_reply_is_learnt_both_ways() -> None:
    dialect, stated = other(), settings(max_tokens=5)
    dialect.learn("'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")
    assert "max_completion_tokens" in body(stated=stated, dialect=dialect)
    dialect = own()
    dialect.learn("Unrecognized request argument supplied: max_completion_tokens")
    assert "max_tokens" in body(stated=stated, dialect=dialect)
