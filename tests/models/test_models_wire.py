"""Neutral messages on the wire: any history becomes one that the strictest server takes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentctl.jsontypes import JsonObject, as_list, as_object
from agentctl.models.messages import Message, ToolCall
from agentctl.models.wire import CONTINUE, chat_messages, wire_arguments, wire_name
from loopback.rules import check_request


def user(text: str) -> Message:
    return Message(role="user", text=text)


def says(text: str, *calls: ToolCall, opaque: JsonObject | None = None) -> Message:
    return Message(role="assistant", text=text, calls=calls, opaque=opaque or {})


def call(identity: str, name: str = "look", arguments: str = "{}") -> ToolCall:
    return ToolCall(id=identity, name=name, arguments=arguments)


def result(identity: str, text: str = "found") -> Message:
    return Message(role="tool", text=text, call_id=identity)


def sent(*messages: Message, also: str = "", model: str = "m") -> list[JsonObject]:
    found: list[JsonObject] = [*chat_messages(messages, model=model, also=also)]
    assert check_request(found) == []
    return found


def test_system_text_stands_first_wherever_it_was() -> None:
    found = sent(user("hi"), Message(role="system", text="Be brief."), also="Answer in JSON.")
    assert found == [
        {"role": "system", "content": "Be brief.\n\nAnswer in JSON."},
        {"role": "user", "content": "hi"},
    ]


def test_neighbouring_user_messages_are_merged_and_empty_ones_left_out() -> None:
    assert sent(user("a"), user("  "), user("b")) == [{"role": "user", "content": "a\n\nb"}]


def test_neighbouring_assistant_messages_are_merged() -> None:
    found = sent(user("q"), says("one"), says(" "), says("two", call("c1")), result("c1"))
    assert [message["role"] for message in found] == ["user", "assistant", "tool"]
    assert found[1]["content"] == "one\n\ntwo"


@pytest.mark.parametrize("messages", [(), (Message(role="system", text=" "),), (user(""),)])
def test_nothing_to_say_still_asks(messages: tuple[Message, ...]) -> None:
    assert sent(*messages) == [{"role": "user", "content": CONTINUE}]


def test_the_assistant_is_never_first_nor_last() -> None:
    found = sent(says("hello"))
    assert [message["content"] for message in found] == [CONTINUE, "hello", CONTINUE]


def test_calls_are_answered_at_once_in_call_order_whatever_stands_between() -> None:
    found = sent(
        user("q"), says("", call("a"), call("b")), user("hurry"), result("b", "second"), result("a", "first")
    )
    assert [message.get("content") for message in found] == ["q", None, "first", "second", "hurry"]


def test_a_call_without_a_result_is_answered_honestly() -> None:
    found = sent(user("q"), says("", call("a")), user("again"))
    assert "unknown" in str(found[2]["content"])


def test_a_second_result_for_a_call_is_dropped_and_an_orphan_told_as_text() -> None:
    found = sent(user("q"), says("", call("a")), result("a", "one"), result("a", "two"), result("x", "lost"))
    assert [message["role"] for message in found] == ["user", "assistant", "tool", "user"]
    assert "lost" in str(found[3]["content"])
    assert "two" not in str(found)


def test_an_id_used_again_in_a_later_turn_is_told_apart() -> None:
    found = sent(
        user("q"),
        says("", call("call_0")),
        result("call_0", "one"),
        says("", call("call_0")),
        result("call_0", "two"),
    )
    ids = [as_object(as_list(message["tool_calls"])[0])["id"] for message in found if "tool_calls" in message]
    assert len(set(ids)) == 2
    assert [message["content"] for message in found if message["role"] == "tool"] == ["one", "two"]


def test_an_id_that_a_provider_might_refuse_is_replaced_on_both_sides() -> None:
    found = sent(user("q"), says("", call("käse:1"), call("x" * 80), call("")), result("käse:1"))
    ids = [as_object(made)["id"] for made in as_list(found[1]["tool_calls"])]
    assert ids == ["call_1", "call_2", "call_3"]
    assert [message["tool_call_id"] for message in found[2:]] == ids


def test_a_replacement_never_meets_an_id_that_is_there() -> None:
    found = sent(user("q"), says("", call("call_2"), call("")))
    assert [as_object(made)["id"] for made in as_list(found[1]["tool_calls"])] == ["call_2", "call_2_"]


def test_empty_results_get_words() -> None:
    assert sent(user("q"), says("", call("a")), result("a", "\n"))[2]["content"] == "(no output)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        (" ", {}),
        ("null", {}),
        ('{"a": 1}', {"a": 1}),
        ("[1]", {"malformed": "[1]"}),
        ('{"a": ', {"malformed": '{"a": '}),
        ("[" * 100_000, {"malformed": "[" * 2000}),
    ],
)
def test_arguments_are_always_an_object(text: str, expected: JsonObject) -> None:
    assert json.loads(wire_arguments(text)) == expected


@pytest.mark.parametrize(
    ("name", "expected"), [("look", "look"), ("a.b c", "a_b_c"), ("", "unknown"), ("x" * 80, "x" * 64)]
)
def test_names_are_within_bounds(name: str, expected: str) -> None:
    assert wire_name(name) == expected


def test_lone_surrogates_do_not_reach_the_wire() -> None:
    found = sent(
        user("a\ud800b"), says("\udfff", call("a", arguments='{"x": "\ud800"}')), result("a", "\ud800")
    )
    json.dumps(found, ensure_ascii=False).encode("utf-8")


OPAQUE: JsonObject = {
    "model": "m",
    "message": {"thinking_blocks": [{"type": "thinking", "thinking": "hm", "signature": "s"}]},
    "calls": [{"extra_content": {"google": {"thought_signature": "t"}}}],
}


def test_what_a_model_needs_back_is_returned_to_it_alone() -> None:
    history = (user("q"), says("", call("strange id!"), opaque=OPAQUE), result("strange id!"))
    own, other = sent(*history, model="m")[1], sent(*history, model="n")[1]
    assert own["thinking_blocks"] == as_object(OPAQUE["message"])["thinking_blocks"]
    made = as_object(as_list(own["tool_calls"])[0])
    assert made["id"] == "strange id!"
    assert made["extra_content"] == {"google": {"thought_signature": "t"}}
    assert "thinking_blocks" not in other
    assert as_object(as_list(other["tool_calls"])[0]).keys() == {"id", "type", "function"}


def test_signed_messages_are_never_merged() -> None:
    found = sent(user("q"), says("a", opaque=OPAQUE), says("b"), model="m")
    assert [message["content"] for message in found] == ["q", "a", CONTINUE, "b", CONTINUE]


texts = st.sampled_from(["", " ", "words", "more\nwords", "\ud800"])
identities = st.sampled_from(["", "a", "b", "c d", "x" * 50])
calls = st.builds(
    ToolCall,
    id=identities,
    name=st.sampled_from(["look", "", "no way", "x" * 70]),
    arguments=st.sampled_from(["", "null", "{}", '{"a":1}', "[", "3"]),
)
opaque = st.sampled_from([{}, OPAQUE, {"model": "other", "message": {"x": 1}}])
histories = st.lists(
    st.one_of(
        st.builds(Message, role=st.just("system"), text=texts),
        st.builds(Message, role=st.just("user"), text=texts),
        st.builds(
            Message,
            role=st.just("assistant"),
            text=texts,
            calls=st.lists(calls, max_size=3).map(tuple),
            opaque=opaque,
        ),
        st.builds(Message, role=st.just("tool"), text=texts, call_id=identities),
    ),
    max_size=8,
)


@given(histories)
def test_any_history_keeps_every_rule(history: list[Message]) -> None:
    found = chat_messages(history, model="m")
    assert check_request(found) == []
    json.dumps(found, ensure_ascii=False).encode("utf-8")


@given(histories)
def test_nothing_that_was_said_is_lost(history: list[Message]) -> None:
    text = json.dumps(chat_messages(history, model="m"))
    spoken = [message.text for message in history if message.role in ("user", "assistant")]
    assert all(word in text for words in spoken for word in words.split() if word.isalpha())
