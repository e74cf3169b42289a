"""Offline without tools, among peers, for answers of a given shape; the same bytes in every process."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from agentctl.diagnostics import Span
from agentctl.jsonschemas import problems
from agentctl.jsontypes import Json, JsonObject, as_list, as_object
from agentctl.models.messages import Message, ModelRequest, Reply, ToolCall, ToolSpec
from agentctl.models.offline.model import OfflineModel, answer
from agentctl.spec.settings import ModelSettings

TEXT: Final[JsonObject] = {"type": "string"}
SEARCH: Final[Mapping[str, str]] = {
    "billing": "Account balances, payments and invoices. check_balance Current balance of an account",
    "technical": "Order status, shipping and returns. lookup_order Where an order is",
    "sales": "Prices, products and promotions. get_pricing Price of a plan",
}
ROUTER: Final[JsonObject] = {
    "type": "object",
    "properties": {"agent": {"type": "string", "enum": list(SEARCH)}, "reason": TEXT},
    "required": ["agent", "reason"],
    "additionalProperties": False,
}
PLAN: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "steps": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": TEXT,
                    "agent": {"type": "string", "enum": list(SEARCH)},
                    "task": TEXT,
                    "depends_on": {"type": "array", "items": TEXT},
                },
                "required": ["id", "agent", "task", "depends_on"],
            },
        },
        "answer": TEXT,
    },
    "required": ["steps"],
}


def user(text: str) -> Message:
    return Message(role="user", text=text)


def reply(
    *messages: Message, tools: tuple[ToolSpec, ...] = (), schema: JsonObject | None = None, agent: str = "me"
) -> Reply:
    request = ModelRequest(
        agent=agent, turn=1, messages=messages, tools=tools, schema=schema, search_texts=SEARCH
    )
    return answer(request)


def shaped(schema: JsonObject, *messages: Message) -> Json:
    value: Json = json.loads(reply(*messages, schema=schema).text)
    assert problems(value, schema) == []
    return value


@pytest.mark.parametrize(
    ("question", "agent", "reason"),
    [
        ("What's my balance?", "billing", "shares 'balance' with billing"),
        ("my parcel is late", "technical", "'parcel' suggests technical"),
        ("is there a voucher?", "sales", "'voucher' suggests sales"),
        ("hello", "billing", "nothing in the request points to any"),
    ],
)
def test_a_router_is_answered_with_one_agent(question: str, agent: str, reason: str) -> None:
    system = Message(role="system", text="Choose.")
    assert shaped(ROUTER, system, user(question)) == {"agent": agent, "reason": reason}


def test_a_router_that_wants_no_reason_gets_none() -> None:
    bare: JsonObject = {
        "type": "object",
        "properties": {"agent": {"enum": list(SEARCH)}},
        "required": ["agent"],
        "additionalProperties": False,
    }
    assert shaped(bare, user("price of a plan")) == {"agent": "sales"}


def test_a_plan_has_a_step_for_each_part() -> None:
    assert shaped(PLAN, user("What is the balance of ACC-1? Where is ORD-7?")) == {
        "steps": [
            {"id": "step-1", "agent": "billing", "task": "What is the balance of ACC-1?", "depends_on": []},
            {"id": "step-2", "agent": "technical", "task": "Where is ORD-7?", "depends_on": []},
        ]
    }
    whole = {"id": "step-1", "agent": "sales", "task": "What does the plan cost?", "depends_on": []}
    assert shaped(PLAN, user("What does the plan cost?")) == {"steps": [whole]}


def test_a_plan_asks_back_where_nothing_points_to_anybody() -> None:
    asked = "Which of these is it about: billing, technical, sales?"
    assert shaped(PLAN, user("hm")) == {"steps": [], "answer": asked}
    strict: JsonObject = {**PLAN, "properties": {"steps": as_object(PLAN["properties"])["steps"]}}
    step = {"id": "step-1", "agent": "billing", "task": "hm", "depends_on": []}
    assert shaped(strict, user("hm")) == {"steps": [step]}


def test_a_plan_ends_with_what_was_found() -> None:
    own = Message(role="assistant", text='{"steps": [{"id": "a"}]}')
    asked = (user("[sales] Said before."), user("balance and order?"), own)
    told = (user("[billing] 5.00 USD."), user("[technical] failed: no model"), user("The steps are done."))
    assert shaped(PLAN, *asked, *told) == {"steps": [], "answer": "5.00 USD.\ntechnical failed: no model"}
    assert shaped(PLAN, *asked, user("Step a is done.")) == {"steps": [], "answer": "Step a is done."}
    without: JsonObject = {
        "type": "object",
        "properties": {"steps": {"type": "array"}},
        "required": ["steps"],
    }
    assert shaped(without, *asked, *told) == {"steps": []}
    assert shaped(without, user("balance?")) == {"steps": []}


def test_what_was_said_before_the_plan_does_not_end_it() -> None:
    found = shaped(PLAN, user("Where is my order?"), user("[sales] Ask again."))
    assert as_object(as_list(as_object(found)["steps"])[0])["agent"] == "technical"


def test_any_other_shape_is_filled_from_what_was_said() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {
            "order_id": TEXT,
            "amount": {"type": "number"},
            "urgent": {"type": "boolean"},
            "status": {"enum": ["open", "closed"]},
            "tags": {"type": "array", "items": TEXT, "minItems": 1},
            "customer": {"$ref": "#/$defs/customer"},
            "kind": {"const": "case"},
            "level": {"type": "integer", "minimum": 3},
            "extra": {"type": "null"},
        },
        "required": ["order_id", "amount", "urgent", "status", "tags", "customer", "kind", "level", "extra"],
        "$defs": {
            "customer": {
                "type": "object",
                "properties": {"email": {"type": "string", "format": "email"}, "name": TEXT},
                "required": ["email"],
            }
        },
    }
    found = shaped(schema, user("Order ORD-5 of bob@x.org is closed, amount 12.50"))
    assert isinstance(found, dict)
    assert found["order_id"] == "ORD-5"
    assert found["amount"] == 12.5
    assert found["status"] == "closed"
    assert found["customer"] == {"email": "bob@x.org"}
    assert found["kind"] == "case"


def test_fields_of_results_fill_the_fields_of_an_answer() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"balance": {"type": "number"}, "currency": TEXT, "note": TEXT},
        "required": ["balance", "currency", "note"],
    }
    call = ToolCall(id="1", name="check_balance", arguments='{"account_id": "A-1"}')
    made = Message(role="assistant", text="", calls=(call,))
    result = Message(role="tool", text='{"balance": "5432.10", "currency": "USD"}', call_id="1")
    assert shaped(schema, user("balance?"), made, result) == {
        "balance": 5432.1,
        "currency": "USD",
        "note": "The balance for account A-1 is 5432.10 USD.",
    }


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "minLength": 2000},
        {"type": "string", "maxLength": 3},
        {"type": "string", "format": "date"},
        {"type": "number", "exclusiveMinimum": 7},
        {"type": "integer", "maximum": -2},
        {"type": "array", "items": {"type": "integer"}, "minItems": 2},
        {"type": ["null", "boolean"]},
        {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"a": TEXT}, "required": ["a"]}]},
        {"type": "object", "properties": {"a": {"type": "string", "default": "b"}}, "required": ["a"]},
    ],
)
def test_the_least_value_of_a_shape_is_valid(schema: JsonObject) -> None:
    shaped(schema, user("hello"))


def test_without_tools_others_answers_are_composed() -> None:
    system = Message(role="system", text="Write the final answer from the specialists' answers.")
    found = reply(system, user("Both?"), user("[billing] 5.00 USD."), user("[technical] On its way."))
    assert found.text == "5.00 USD.\nOn its way."


def test_orders_to_the_agent_itself_are_no_answers() -> None:
    said = (user("Both?"), user("[billing] 5.00 USD."), user("[me] Write the one answer to the request."))
    assert reply(*said).text == "5.00 USD."


def test_long_answers_of_others_are_told_by_their_nearest_sentences() -> None:
    said = " ".join(f"Sentence {number} speaks of something else entirely." for number in range(20))
    said += " The refund was approved on Monday."
    found = reply(user("Was the refund approved?"), user(f"[billing] {said}")).text
    assert "The refund was approved on Monday." in found
    assert len(found) < 300


def test_a_fact_of_the_instructions_answers() -> None:
    system = Message(
        role="system",
        text="You answer questions about the shop. The shop is open from 9 to 17. Returns are free.",
    )
    assert reply(system, user("When is the shop open?")).text == "The shop is open from 9 to 17."
    assert reply(system, user("Are returns free?")).text == "Returns are free."


def test_with_nothing_to_go_by_the_request_is_named() -> None:
    found = reply(Message(role="system", text="Write a poem."), user("About rain")).text
    assert found == 'The request was: "About rain". No language model was asked, so there is nothing to add.'
    assert len(reply(user("x" * 10_000)).text) < 1_000


@pytest.mark.parametrize(
    "messages", [(), (user(""),), (Message(role="system", text="Help."),), (user("Continue."),)]
)
def test_an_empty_conversation_is_asked_what_it_is_about(messages: tuple[Message, ...]) -> None:
    assert reply(*messages).text == "What can I do for you?"


def peer(name: str, description: str) -> ToolSpec:
    return ToolSpec(
        name=f"transfer_to_{name}",
        description=description,
        parameters={
            "type": "object",
            "properties": {"reason": TEXT, "message": TEXT},
            "required": ["message"],
        },
        search_text=f"{name} {description}",
        transfer=True,
    )


BALANCE: Final = ToolSpec(
    name="check_balance",
    description="Current balance of an account",
    parameters={"type": "object", "properties": {"account_id": TEXT}, "required": ["account_id"]},
)
TRIAGE: Final = peer("triage", "Greets and passes on every question about accounts, balances and orders")
BILLING: Final = peer("billing", "Account balances and payments")
TECHNICAL: Final = peer("technical", "Order status and shipping")


def test_a_peer_is_passed_the_request_as_its_message() -> None:
    found = reply(user("Where is my order ORD-7?"), tools=(BILLING, TECHNICAL))
    assert [(call.name, json.loads(call.arguments)["message"]) for call in found.calls] == [
        ("transfer_to_technical", "Where is my order ORD-7?")
    ]


def test_only_one_peer_is_passed_to_at_once() -> None:
    found = reply(user("What's my balance? Where is my order?"), tools=(BILLING, TECHNICAL))
    assert [call.name for call in found.calls] == ["transfer_to_billing"]


def test_control_is_not_passed_back_to_whom_it_came_from() -> None:
    system = Message(role="system", text="You handle billing: account balances and payments.")
    passed = (system, user("What is my balance on ACC-1?"), user("[triage] What is my balance on ACC-1?"))
    calls = reply(*passed, tools=(BALANCE, TRIAGE, TECHNICAL), agent="billing").calls
    assert [call.name for call in calls] == ["check_balance"]
    alone = reply(*passed, tools=(TRIAGE, TECHNICAL), agent="billing")
    assert not alone.calls
    assert "What is my balance on ACC-1?" in alone.text
    wrong = (system, user("Where is my order?"), user("[triage] Where is my order?"))
    assert reply(*wrong, tools=(TRIAGE, TECHNICAL), agent="billing").calls[0].name == "transfer_to_technical"


def test_an_agent_does_its_own_part_before_it_passes_control_on() -> None:
    tools = (BALANCE, TECHNICAL)
    question = user("What is my balance on ACC-1 and where is order ORD-7?")
    first = reply(question, tools=tools, agent="billing")
    assert [call.name for call in first.calls] == ["check_balance"]
    made = Message(role="assistant", text="", calls=first.calls)
    result = Message(role="tool", text="7.00", call_id=first.calls[0].id)
    second = reply(question, made, result, tools=tools, agent="billing")
    assert second.text == "The balance for account ACC-1 is 7.00."
    assert [(call.name, json.loads(call.arguments)["message"]) for call in second.calls] == [
        ("transfer_to_technical", "where is order ORD-7?")
    ]


def test_the_last_peer_says_again_what_others_answered() -> None:
    said = (
        user("What is my balance on ACC-1 and where is order ORD-7?"),
        user("[technical] It is on its way."),
        user("[technical] What is my balance on ACC-1?"),
    )
    made = reply(*said, tools=(BALANCE, TECHNICAL), agent="billing").calls
    assert [call.name for call in made] == ["check_balance"]
    result = Message(role="tool", text="7.00", call_id=made[0].id)
    last = reply(
        *said,
        Message(role="assistant", text="", calls=made),
        result,
        tools=(BALANCE, TECHNICAL),
        agent="billing",
    )
    assert last.text == "It is on its way.\nThe balance for account ACC-1 is 7.00."


def test_what_the_runtime_says_is_not_taken_for_the_request() -> None:
    said = (
        user("What is my balance on ACC-1?"),
        Message(role="assistant", text="Let me see."),
        user("Do not answer yourself: pass the request on by calling one of the transfer tools."),
    )
    request = ModelRequest(agent="a", turn=2, messages=said, tools=(TECHNICAL, BILLING), required=True)
    assert [call.name for call in answer(request).calls] == ["transfer_to_billing"]


def test_thanks_are_not_a_request_for_the_same_again() -> None:
    said = (user("What is my balance on ACC-1?"), user("[billing] The balance is 7.00."), user("Thanks!"))
    assert reply(*said, tools=(BALANCE,)).text == "Is it about check_balance (Current balance of an account)?"


def test_the_answer_to_a_question_back_leads_to_the_call() -> None:
    said = (user("What is my balance?"), user("[billing] Which account_id should check_balance use?"))
    calls = reply(*said, user("It is 48110."), tools=(BALANCE,)).calls
    assert [call.arguments for call in calls] == ['{"account_id": "48110"}']


def test_a_note_counts_where_the_request_says_nothing() -> None:
    said = (user("hi"), user("[desk] Tell them the balance of account ACC-1"))
    assert [call.arguments for call in reply(*said, tools=(BALANCE,)).calls] == ['{"account_id": "ACC-1"}']
    found = shaped(ROUTER, user("hi"), user("[desk] Find the parcel"))
    assert as_object(found)["agent"] == "technical"


def test_a_transfer_that_was_followed_is_not_told_as_a_result() -> None:
    made = reply(user("Where is my order?"), tools=(BILLING, TECHNICAL)).calls
    seen = (
        Message(role="assistant", text="", calls=made),
        Message(role="tool", text="Transferred to technical.", call_id=made[0].id),
    )
    back = (user("Where is my order?"), *seen, user("[technical] It is on its way."))
    found = reply(*back, tools=(BILLING, TECHNICAL))
    assert (found.calls, found.text) == ((), "It is on its way.")


def test_the_text_is_streamed_once() -> None:
    span = Span(path="team.yaml", line=1, column=1, end_line=1, end_column=1)
    model = OfflineModel(ModelSettings(id="offline", folder=Path(), span=span))
    heard: list[JsonObject] = []
    request = ModelRequest(agent="a", turn=1, messages=(user("hello"),))
    found = asyncio.run(model.reply(request, heard.append))
    assert heard == [{"ev": "model.text", "text": found.text}]
    calling = ModelRequest(agent="a", turn=1, messages=(user("balance of ACC-1"),), tools=(BALANCE,))
    asyncio.run(model.reply(calling, heard.append))
    assert len(heard) == 1
    assert model.id == "offline"
    asyncio.run(model.close())


_SCRIPT: Final = """
import json, sys
from agentctl.models.messages import Message, ModelRequest, ToolSpec
from agentctl.models.offline.model import answer
from pathlib import Path
for case in json.loads(sys.stdin.read()):
    tools = tuple(ToolSpec.from_json(one) for one in case["tools"])
    messages = (Message(role="user", text=case["question"]),)
    reply = answer(ModelRequest(agent="a", turn=1, messages=messages, tools=tools, schema=case["schema"],
                                search_texts=case["search"]))
    print(json.dumps(reply.as_json()))
print(sorted(set(sys.modules) & {"litellm", "openai", "pydantic", "jsonschema", "yaml", "numpy"}))
"""


def test_the_same_bytes_under_any_hash_seed_without_a_heavy_import() -> None:
    tools: list[Json] = [spec.as_json() for spec in (BALANCE, BILLING, TECHNICAL, TRIAGE)]
    cases: Json = [
        {"question": question, "tools": offered, "schema": schema, "search": dict(SEARCH)}
        for question in ("balance of ACC-1 and ACC-2, where is ORD-3?", "hello", "parcel money account plan")
        for offered, schema in ((tools, None), ([], None), ([], ROUTER), ([], PLAN))
    ]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            input=json.dumps(cases),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(outputs) == 1
    assert outputs.pop().endswith("[]\n")
