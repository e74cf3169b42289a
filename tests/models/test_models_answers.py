"""Pieces and whole completions into the same reply, also from servers that stray from the protocol."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentctl.errors import ModelError
from agentctl.jsontypes import Json, JsonObject
from agentctl.models.answers import Assembly
from agentctl.models.messages import Message, Reply, ToolCall, Usage
from loopback import openai_format
from loopback.asking import request
from loopback.replies import Answer, Call


def streamed(answer: Answer) -> tuple[Reply, str]:
    """The reply, and its text as it is streamed: what was held back, lest it begin a thought, comes last."""
    assembly = Assembly()
    data = [text for text in openai_format.events(answer, with_usage=True) if text != "[DONE]"]
    text = "".join(assembly.add(json.loads(piece)) for piece in data)
    return assembly.reply(request(), "m"), text + assembly.thinking.rest


def whole(answer: Answer) -> Reply:
    assembly = Assembly()
    assembly.add_whole(openai_format.whole(answer))
    return assembly.reply(request(), "m")


def pieces(*deltas: JsonObject, finish: str = "stop") -> Reply:
    assembly = Assembly()
    for delta in deltas:
        assembly.add({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    assembly.add({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    return assembly.reply(request(turn=3), "m")


answers = st.builds(
    Answer,
    text=st.one_of(st.none(), st.text(max_size=30)),
    refusal=st.one_of(st.none(), st.just("I will not.")),
    calls=st.lists(
        st.builds(
            Call,
            name=st.sampled_from(["look", "find"]),
            arguments=st.text(max_size=20),
            id=st.sampled_from([None, "same", ""]),
        ),
        max_size=3,
    ),
    finish=st.sampled_from([None, "length", "tool_calls", "eos"]),
    piece=st.integers(min_value=1, max_value=7),
)


@given(answers)
@example(Answer(text=" ", piece=1))
def test_streaming_makes_no_difference(answer: Answer) -> None:
    reply, text = streamed(answer)
    assert reply == whole(answer)
    assert text == (answer.text or "")
    assert len({call.id for call in reply.calls}) == len(answer.calls)


@pytest.mark.parametrize(
    ("answer", "finish"),
    [
        (Answer(text="a"), "stop"),
        (Answer(calls=[Call(name="look")]), "calls"),
        (Answer(calls=[Call(name="look")], finish="stop"), "calls"),
        (Answer(text="a", finish="length"), "length"),
        (Answer(calls=[Call(name="look", arguments='{"a')], finish="length"), "length"),
        (Answer(refusal="No."), "refused"),
        (Answer(text="a", finish="something new"), "stop"),
    ],
)
def test_how_a_reply_ended(answer: Answer, finish: str) -> None:
    assert whole(answer).finish == finish


def test_a_refusal_is_the_text_of_the_reply() -> None:
    assert whole(Answer(refusal="I will not.")).text == "I will not."


@pytest.mark.parametrize("finish", ["content_filter", "refusal", "SAFETY", "guardrail_intervened"])
@pytest.mark.parametrize("written", ["", "half of"])
def test_a_reply_that_a_content_policy_ended_is_none(finish: str, written: str) -> None:
    with pytest.raises(ModelError, match="content policy refused it") as caught:
        whole(Answer(text=written, finish=finish))
    assert caught.value.kind == "refused"


@pytest.mark.parametrize("content", [None, "", []])
def test_empty_content_is_an_empty_text(content: Json) -> None:
    assert pieces({"content": content}).text == ""


def test_content_in_parts_is_their_text() -> None:
    parts: Json = [
        {"type": "thinking", "text": "hm"},
        {"type": "text", "text": "a"},
        {"type": "text", "text": "b"},
    ]
    assert pieces({"content": parts}).text == "ab"


def test_calls_without_ids_get_ones_by_turn_and_place() -> None:
    reply = pieces(
        {"tool_calls": [{"index": 0, "function": {"name": "a", "arguments": "{}"}}]},
        {"tool_calls": [{"index": 1, "function": {"name": "b", "arguments": "{}"}}]},
    )
    assert [call.id for call in reply.calls] == ["call_3_0", "call_3_1"]


def test_ids_already_used_in_the_conversation_are_replaced() -> None:
    used = ToolCall(id="call_0", name="a", arguments="{}")
    before = ToolCall(id="call_1_0", name="a", arguments="{}")
    assembly = Assembly()
    assembly.add_whole(openai_format.whole(Answer(calls=[Call(name="a", id="call_0")])))
    reply = assembly.reply(request(Message(role="assistant", text="", calls=(used, before))), "m")
    assert [call.id for call in reply.calls] == ["call_1_0_"]


def test_pieces_without_an_index_go_by_id_then_to_the_last_call() -> None:
    reply = pieces(
        {"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": '{"x"'}}]},
        {"tool_calls": [{"function": {"arguments": ":1}"}}]},
        {"tool_calls": [{"id": "b", "function": {"name": "g", "arguments": "{}"}}]},
        {"tool_calls": [{"id": "a", "function": {"arguments": " "}}]},
        {"tool_calls": [{"function": {"name": "h", "arguments": "{}"}}]},
    )
    assert [(call.id, call.name, call.arguments) for call in reply.calls] == [
        ("a", "f", '{"x":1} '),
        ("b", "g", "{}"),
        ("call_3_2", "h", "{}"),
    ]


def test_whole_calls_that_all_claim_the_same_index_are_told_apart_by_id() -> None:
    reply = pieces(
        {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}]},
        {"tool_calls": [{"index": 0, "id": "b", "function": {"name": "f", "arguments": "{}"}}]},
    )
    assert [call.id for call in reply.calls] == ["a", "b"]


def test_a_name_repeated_in_every_piece_is_taken_once() -> None:
    reply = pieces(
        {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}}]},
        {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "}"}}]},
    )
    assert reply.calls == (ToolCall(id="a", name="f", arguments="{}"),)


@pytest.mark.parametrize(("arguments", "text"), [({"x": 1}, '{"x":1}'), (None, "")])
def test_arguments_that_are_no_text_become_text(arguments: Json, text: str) -> None:
    reply = pieces({"tool_calls": [{"index": 0, "function": {"name": "f", "arguments": arguments}}]})
    assert reply.calls[0].arguments == text


def test_the_old_function_call_is_a_call() -> None:
    assert pieces({"function_call": {"name": "f", "arguments": "{}"}}).calls[0].name == "f"


def test_usage_that_grows_with_each_piece_is_counted_once() -> None:
    assembly = Assembly()
    for written in (1, 2, 3):
        assembly.add(
            {
                "choices": [{"delta": {"content": "x"}, "finish_reason": None}],
                "usage": {"prompt_tokens": 10, "completion_tokens": written},
            }
        )
    assert assembly.reply(request(), "m").usage == Usage(input=10, output=3)


@pytest.mark.parametrize(
    ("counted", "usage"),
    [
        (
            {
                "prompt_tokens": 100,
                "completion_tokens": 20,
                "prompt_tokens_details": {"cached_tokens": 60},
                "completion_tokens_details": {"reasoning_tokens": 15},
            },
            Usage(input=100, output=20, cached=60, reasoning=15),
        ),
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "total_tokens": 22,
                "completion_tokens_details": {"reasoning_tokens": 7},
            },
            Usage(input=10, output=12, reasoning=7),
        ),
        (
            {"prompt_tokens": 10, "completion_tokens": 5, "prompt_cache_hit_tokens": 4},
            Usage(input=10, output=5, cached=4),
        ),
        (
            {"prompt_tokens": 3.0, "completion_tokens": "many", "prompt_tokens_details": None},
            Usage(input=3, counted=False),
        ),
        ({"prompt_tokens": None, "completion_tokens": None, "total_tokens": None}, Usage(counted=False)),
        ({"prompt_tokens": -100, "completion_tokens": -10}, Usage(counted=False)),
        ({"prompt_tokens": 0, "completion_tokens": 0}, Usage(counted=False)),
        ({"prompt_tokens": True, "completion_tokens": 1e999}, Usage(counted=False)),
        (
            {"prompt_tokens": "100", "completion_tokens": "10", "total_tokens": "x"},
            Usage(input=100, output=10),
        ),
    ],
)
def test_tokens_are_counted_once_however_a_server_writes_them(counted: JsonObject, usage: Usage) -> None:
    assembly = Assembly()
    assembly.add_whole({"choices": [{"message": {"content": "x"}}], "usage": counted})
    assert assembly.reply(request(), "m").usage == usage


@pytest.mark.parametrize(
    "completion", [{}, {"choices": []}, {"choices": [None]}, {"usage": {"prompt_tokens": 1}}]
)
def test_no_choice_is_no_reply(completion: JsonObject) -> None:
    assembly = Assembly()
    assembly.add_whole(completion)
    with pytest.raises(ModelError, match="holds no choice") as caught:
        assembly.reply(request(), "m")
    assert caught.value.kind == "bad_response"


def thinking(text: str = "", signature: str | None = None) -> JsonObject:
    return {"thinking_blocks": [{"type": "thinking", "thinking": text, "signature": signature, "index": 0}]}


def test_signed_thinking_is_kept_whole_for_the_same_model() -> None:
    reply = pieces(
        thinking("let me "),
        thinking("think"),
        thinking(signature="s1"),
        {"thinking_blocks": [{"type": "redacted_thinking", "data": "xyz"}]},
        thinking("more", "s2"),
        {"reasoning_content": "let me think", "content": "done"},
    )
    assert reply.opaque == {
        "model": "m",
        "message": {
            "thinking_blocks": [
                {"type": "thinking", "thinking": "let me think", "signature": "s1"},
                {"type": "redacted_thinking", "data": "xyz"},
                {"type": "thinking", "thinking": "more", "signature": "s2"},
            ]
        },
    }


def test_plain_reasoning_is_kept_beside_calls_only() -> None:
    call: JsonObject = {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}]}
    assert pieces({"reasoning_content": "hm"}, call).opaque["message"] == {"reasoning_content": "hm"}
    assert pieces({"reasoning_content": "hm", "content": "x"}).opaque == {}


def test_reasoning_details_are_put_together_by_index() -> None:
    def detail(index: int, **more: Json) -> JsonObject:
        return {"reasoning_details": [{"type": "reasoning.text", "index": index, **more}]}

    reply = pieces(
        detail(0, text="a"), detail(0, text="b", signature="s"), detail(1, text="c"), {"content": "x"}
    )
    assert reply.opaque["message"] == {
        "reasoning_details": [
            {"type": "reasoning.text", "index": 0, "text": "ab", "signature": "s"},
            {"type": "reasoning.text", "index": 1, "text": "c"},
        ]
    }


def test_signatures_that_litellm_hands_over_beside_the_text_are_kept() -> None:
    fields: JsonObject = {"thought_signatures": ["s"], "citations": None}
    reply = pieces({"content": "x", "provider_specific_fields": fields})
    assert reply.opaque["message"] == {"provider_specific_fields": {"thought_signatures": ["s"]}}


def test_what_stands_beside_a_call_is_kept_at_its_place() -> None:
    signed: JsonObject = {"extra_content": {"google": {"thought_signature": "s"}}}
    reply = pieces(
        {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}]},
        {"tool_calls": [{"index": 1, "id": "b", "function": {"name": "g", "arguments": "{}"}, **signed}]},
    )
    assert reply.opaque == {"model": "m", "calls": [{}, signed]}
