"""What offline says once tools or specialists have answered: results to the digit, and failures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeAlias

import pytest

from agentctl.jsontypes import Json, JsonObject
from agentctl.models.messages import Message, ModelRequest, Reply, ToolCall, ToolSpec
from agentctl.models.offline.model import answer

Exchange: TypeAlias = tuple[str, JsonObject, str]
TEXT: JsonObject = {"type": "string"}


def tool(name: str, *parameters: str, description: str = "") -> ToolSpec:
    schema: JsonObject = {
        "type": "object",
        "properties": dict.fromkeys(parameters, TEXT),
        "required": list(parameters),
    }
    return ToolSpec(name=name, description=description, parameters=schema)


def exchange(*made: Exchange, error: bool = False) -> tuple[Message, ...]:
    """One turn of calls, each with its result's text."""
    calls = tuple(
        ToolCall(id=f"call_{number}", name=name, arguments=json.dumps(arguments))
        for number, (name, arguments, _) in enumerate(made, 1)
    )
    results = [
        Message(role="tool", text=text, call_id=f"call_{number}", error=error)
        for number, (_, _, text) in enumerate(made, 1)
    ]
    return (Message(role="assistant", text="", calls=calls), *results)


def reply(question: str, *messages: Message, tools: Sequence[ToolSpec] = (), required: bool = False) -> Reply:
    asked = (Message(role="user", text=question), *messages)
    request = ModelRequest(agent="a", turn=2, messages=asked, tools=tuple(tools), required=required)
    return answer(request)


@pytest.mark.parametrize(
    ("name", "arguments", "result", "told"),
    [
        (
            "check_balance",
            {"account_id": "ACC-123"},
            '{"account_id": "ACC-123", "balance": "5432.10", "currency": "USD"}',
            "The balance of account ACC-123 is 5432.10 USD.",
        ),
        (
            "check_balance",
            {"account_id": "ACC-123"},
            '{"account_id":"ACC-123","balance":5432.10}',
            "The balance of account ACC-123 is 5432.10.",
        ),
        (
            "lookup_order",
            {"order_id": "ORD-77"},
            '{"order_id": "ORD-77", "status": "shipped", "carrier": null, "eta": "2026-12", "late": false}',
            "The status of order ORD-77 is shipped, eta 2026-12, late no, no carrier.",
        ),
        (
            "get_pricing",
            {"plan": "pro"},
            '{"plan": "pro", "price": "29.00", "currency": "USD", "per": "month"}',
            "The price of plan pro is 29.00 USD per month.",
        ),
        (
            "get_weather",
            {"city": "Oslo"},
            '{"temperature": -3.50, "unit": "C", "humidity": "80%"}',
            "The temperature for city Oslo is -3.50 C, humidity 80%.",
        ),
        ("check_balance", {"account_id": "A"}, "5432.10", "The balance for account A is 5432.10."),
        (
            "convert",
            {"amount": 1, "to": "EUR"},
            "0.92",
            "The result of convert for amount 1 and to EUR is 0.92.",
        ),
        ("is_open", {}, "true", "The answer of is_open is yes."),
        ("lookup_order", {"order_id": "ORD-9"}, "No order ORD-9.", "No order ORD-9."),
        ("lookup_order", {"order_id": "ORD-9"}, "null", "lookup_order found nothing for order ORD-9."),
        ("list_orders", {}, "[]", "list_orders found nothing."),
        ("list_orders", {}, '["ORD-1", "ORD-2", "ORD-3"]', "list_orders found ORD-1, ORD-2 and ORD-3."),
        (
            "notes",
            {},
            '["Export to CSV", "No text is lost"]',
            "notes found:\n- Export to CSV\n- No text is lost",
        ),
        (
            "list_orders",
            {},
            '[{"id": "ORD-1", "total": 5.0}, {"id": "ORD-2", "total": 1e3}]',
            "list_orders found 2: id ORD-1, total 5.0; id ORD-2, total 1e3.",
        ),
        (
            "lookup_order",
            {"order_id": "ORD-9"},
            '{"error": "There is no order ORD-9"}',
            "There is no order ORD-9.",
        ),
        (
            "find",
            {"order_id": "ORD-9"},
            '{"found": false, "order_id": "ORD-9"}',
            "find found nothing of order ORD-9.",
        ),
        ("find", {}, '{"order_id": "ORD-9"}', "find found order ORD-9."),
        ("find", {}, '{"message": "All is well", "count": 2}', "All is well. The count is 2."),
        (
            "find",
            {},
            '{"tags": ["a", "b"], "name": "x", "more": {}}',
            "The name is x, tags a and b, more nothing.",
        ),
        ("find", {}, '{"rows": [[1, 2], []]}', "The rows is 1 and 2 and nothing."),
    ],
)
def test_a_result_is_stated(name: str, arguments: JsonObject, result: str, told: str) -> None:
    found = reply("What is it?", *exchange((name, arguments, result)), tools=[tool(name)])
    assert found.text == told
    assert found.finish == "stop"
    assert not found.calls


def test_several_results_are_stated_in_order() -> None:
    made = exchange(
        ("check_balance", {"account_id": "A-1"}, "1.50"), ("check_balance", {"account_id": "A-2"}, "2")
    )
    assert reply("?", *made).text == "The balance for account A-1 is 1.50. The balance for account A-2 is 2."


def test_long_results_are_bounded() -> None:
    assert len(reply("?", *exchange(("f", {}, "x" * 100_000))).text) < 5_000
    listed = reply("?", *exchange(("f", {}, json.dumps(list(range(50)))))).text
    assert listed.endswith("18, 19 and 30 more.")
    nested = reply("?", *exchange(("f", {}, json.dumps({"n": list(range(50))})))).text
    assert nested.endswith("19 and 30 more.")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("There is no account ACC-9.", "check_balance failed: There is no account ACC-9."),
        ("", "check_balance failed: no reason was given"),
    ],
)
def test_a_failure_is_told_as_one(text: str, told: str) -> None:
    made = exchange(("check_balance", {"account_id": "ACC-9"}, text), error=True)
    assert reply("balance of ACC-9", *made, tools=[tool("check_balance", "account_id")]).text == told


def test_the_same_call_is_never_made_twice() -> None:
    balance = tool("check_balance", "account_id", description="Balance of an account")
    made = exchange(("check_balance", {"account_id": "ACC-1"}, "7.00"))
    question = "balance of account ACC-1"
    assert reply(question, *made, tools=[balance]).text == "The balance for account ACC-1 is 7.00."
    later = Message(role="user", text="[sales] Over to you.")
    again = reply(question, *made, later, tools=[balance])
    assert (again.calls, again.text) == ((), "The balance for account ACC-1 is 7.00.")
    other = reply("balance of ACC-2", *made, later, tools=[balance])
    assert [(call.id, call.arguments) for call in other.calls] == [("call_2", '{"account_id": "ACC-2"}')]


def test_what_could_not_be_done_is_asked_for_after_the_rest() -> None:
    tools = [
        tool("check_balance", "account_id", description="Balance of an account"),
        tool("lookup_order", "order_id", description="Where an order is"),
    ]
    made = exchange(("check_balance", {"account_id": "ACC-1"}, "7.00"))
    found = reply("What's the balance of ACC-1? Where is my order?", *made, tools=tools)
    assert found.text == 'The balance for account ACC-1 is 7.00. For "Where an order is": which order id?'


def test_specialists_answers_are_composed_in_order() -> None:
    made = exchange(
        ("transfer_to_billing", {"reason": "x"}, "The balance is 5.00."),
        ("transfer_to_technical", {"reason": "y"}, "The order is on its way."),
        ("transfer_to_sales", {"reason": "z"}, " "),
    )
    assert reply("Both?", *made).text == (
        "The balance is 5.00. The order is on its way. sales gave no answer."
    )
    long = exchange(("transfer_to_a", {}, "One.\nTwo."), ("transfer_to_b", {}, "Three."))
    assert reply("?", *long).text == "One.\nTwo.\nThree."


def test_a_failed_specialist_is_told() -> None:
    made = exchange(("transfer_to_billing", {"reason": "x"}, "'billing' failed: no model"), error=True)
    assert reply("?", *made).text == "transfer_to_billing failed: 'billing' failed: no model"


def test_a_result_without_its_call_is_still_stated() -> None:
    assert reply("?", Message(role="tool", text='{"a": 1}', call_id="gone")).text == "The a is 1."
    lost = Message(role="tool", text="broken", call_id="gone", error=True)
    assert reply("?", lost).text == "The call failed: broken"


def test_malformed_arguments_of_an_earlier_call_do_no_harm() -> None:
    call = ToolCall(id="call_1", name="f", arguments="{")
    made = (
        Message(role="assistant", text="", calls=(call,)),
        Message(role="tool", text="3", call_id="call_1"),
    )
    assert reply("?", *made).text == "The result of f is 3."


def test_values_come_from_earlier_messages_newest_first() -> None:
    balance = tool("check_balance", "account_id", description="Balance of an account")
    earlier = (
        Message(role="assistant", text="Which account_id should check_balance use?"),
        Message(role="user", text="It is ACC-5"),
    )
    found = reply("What's my balance?", *earlier, tools=[balance])
    assert [call.arguments for call in found.calls] == ['{"account_id": "ACC-5"}']
    newest = (
        *earlier,
        Message(role="assistant", text="ok"),
        Message(role="user", text="and the balance now?"),
    )
    assert [call.arguments for call in reply("of ACC-1", *newest, tools=[balance]).calls] == [
        '{"account_id": "ACC-5"}'
    ]


def test_usage_is_nothing_and_the_model_says_what_it_is() -> None:
    found = reply("?", *exchange(("f", {}, "1")))
    value: Json = found.as_json()
    assert value == {
        "text": "The result of f is 1.",
        "finish": "stop",
        "model": "offline",
        "usage": {"input_tokens": 0, "output_tokens": 0, "cached_tokens": 0, "reasoning_tokens": 0},
        "cost_usd": 0.0,
    }


def test_a_parameter_that_is_described_as_anothers_words_takes_them() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"text": {"type": "string", "description": "The notes as the editor wrote them."}},
        "required": ["text"],
    }
    check = ToolSpec(name="check_notes", description="Checks notes.", parameters=schema)
    said = [Message(role="user", text=text) for text in ("[boss] Go.", "[editor] Old.", "[editor] New.")]
    (made,) = reply("Write the notes", *said, tools=[check]).calls
    assert json.loads(made.arguments) == {"text": "New."}
    (made,) = reply("Write the notes", said[0], tools=[check]).calls
    assert json.loads(made.arguments) == {"text": "the notes"}


def test_a_verdict_in_one_word_is_no_part_of_an_answer() -> None:
    said = [Message(role="user", text=text) for text in ("[editor] It is new.", "[critic] APPROVED")]
    assert reply("Write the notes", *said).text == "It is new."
    assert reply("Write the notes", said[1]).text == "APPROVED"
