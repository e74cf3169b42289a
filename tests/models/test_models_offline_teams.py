"""Whom and what offline chooses, in teams of many trades, and with which arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import pytest

from agentctl.jsontypes import Json, JsonObject
from agentctl.models.messages import Message, ModelRequest, Reply, ToolSpec
from agentctl.models.offline.model import answer

TEXT: Final[JsonObject] = {"type": "string"}
WHOLE: Final[JsonObject] = {"type": "integer"}
NUMBER: Final[JsonObject] = {"type": "number"}
TRUTH: Final[JsonObject] = {"type": "boolean"}
DATE: Final[JsonObject] = {"type": "string", "format": "date"}
Calls: TypeAlias = list[tuple[str, JsonObject]]


def one_of(*values: str) -> JsonObject:
    return {"type": "string", "enum": list(values)}


def tool(name: str, description: str, **parameters: JsonObject) -> ToolSpec:
    """Parameters whose name ends with `_` are optional, and named without it."""
    return ToolSpec(
        name=name,
        description=description,
        parameters={
            "type": "object",
            "properties": {key.rstrip("_"): one for key, one in parameters.items()},
            "required": [key for key in parameters if not key.endswith("_")],
            "additionalProperties": False,
        },
        search_text=f"{name} {description}",
    )


def transfer(
    name: str, description: str, instructions: str, *tools: ToolSpec, peer: bool = False
) -> ToolSpec:
    told = [name, description, instructions, *(one.search_text for one in tools)]
    return ToolSpec(
        name=f"transfer_to_{name}",
        description=description,
        parameters={
            "type": "object",
            "properties": {"reason": TEXT, "message": TEXT},
            "required": ["reason", "message"] if peer else ["reason"],
        },
        search_text="\n".join(told),
        transfer=True,
    )


def ask(question: str, tools: Sequence[ToolSpec], system: str = "", required: bool = False) -> Reply:
    said = (Message(role="system", text=system),) if system else ()
    messages = (*said, Message(role="user", text=question))
    return answer(ModelRequest(agent="a", turn=1, messages=messages, tools=tuple(tools), required=required))


def made(reply: Reply) -> Calls:
    return [(call.name, json.loads(call.arguments)) for call in reply.calls]


BALANCE = tool("check_balance", "Current balance of an account", account_id=TEXT)
ORDER = tool("lookup_order", "Status, carrier and expected delivery of an order.", order_id=TEXT)
PRICING = tool("get_pricing", "Monthly price of a plan.", plan=TEXT)
SUPPORT = (
    transfer(
        "billing",
        "Account balances, payments and invoices",
        "You handle billing questions: balances, payments, invoices.",
        BALANCE,
    ),
    transfer(
        "technical",
        "Order status, shipping and returns",
        "You handle technical questions: order status, shipping, returns.",
        ORDER,
    ),
    transfer(
        "sales",
        "Prices, products and promotions",
        "You handle sales questions: pricing, products, promotions.",
        PRICING,
    ),
)
FRONT_DESK: Final = "Route each request to the right specialist: billing, technical, or sales."


@pytest.mark.parametrize(
    ("question", "agent"),
    [
        ("What's the balance on account ACC-123?", "billing"),
        ("How much money is left on ACC-9?", "billing"),
        ("refund my invoice", "billing"),
        ("I was charged twice", "billing"),
        ("Did my payment go through?", "billing"),
        ("Please send me the bill for March", "billing"),
        ("Where is my order ORD-77?", "technical"),
        ("Track ORD-99 please", "technical"),
        ("my package hasn't arrived", "technical"),
        ("When will the parcel be delivered?", "technical"),
        ("I want to return my shoes", "technical"),
        ("has it shipped yet", "technical"),
        ("How much does the Pro plan cost?", "sales"),
        ("is there a discount?", "sales"),
        ("What promotions do you have?", "sales"),
        ("how much is the enterprise plan", "sales"),
        ("Which products do you sell?", "sales"),
        ("Is there a cheaper tier?", "sales"),
    ],
)
def test_the_support_desk_sends_a_question_to_its_specialist(question: str, agent: str) -> None:
    reply = ask(question, SUPPORT, FRONT_DESK)
    assert [call.name for call in reply.calls] == [f"transfer_to_{agent}"]
    arguments = json.loads(reply.calls[0].arguments)
    assert list(arguments) == ["reason"]
    assert arguments["reason"].endswith(agent)
    assert reply.finish == "calls"
    assert not reply.text


@pytest.mark.parametrize(
    ("question", "agents"),
    [
        ("What is my balance on ACC-1 and where is order ORD-7?", ["billing", "technical"]),
        ("Where is ORD-7? And what does the Pro plan cost?", ["technical", "sales"]),
        ("Show me my invoices; is there a discount; track ORD-1", ["billing", "sales", "technical"]),
        ("I bought the Pro plan. My card was charged. Where is order ORD-5?", ["technical"]),
        ("What's the balance on ACC-1 and on ACC-2?", ["billing"]),
        ("What's the balance of ACC-1? And the payments?", ["billing"]),
    ],
)
def test_several_parts_go_to_several_specialists_once_each(question: str, agents: list[str]) -> None:
    reply = ask(question, SUPPORT)
    assert [call.name.removeprefix("transfer_to_") for call in reply.calls] == agents
    assert len({call.id for call in reply.calls}) == len(agents)


@pytest.mark.parametrize("question", ["hello there", "Tell me a joke", "asdf", "?", "Can you help me?"])
def test_nothing_that_points_anywhere_is_asked_back(question: str) -> None:
    reply = ask(question, SUPPORT)
    assert not reply.calls
    assert reply.text == (
        "Which of these is it about: billing (Account balances, payments and invoices), technical (Order "
        "status, shipping and returns) or sales (Prices, products and promotions)?"
    )


def test_what_points_to_two_alike_is_asked_back() -> None:
    twins = [transfer(name, "Answers about parcels", "") for name in ("north", "south")]
    assert "north (Answers about parcels) or south" in ask("Where is my parcel?", twins).text


def test_the_reason_names_the_shared_words() -> None:
    reasons = [
        json.loads(ask(question, SUPPORT).calls[0].arguments)["reason"]
        for question in ("What's the balance on my account?", "I was charged twice")
    ]
    assert reasons == ["shares 'balance', 'account' with billing", "'charged' suggests billing"]


def test_a_forced_call_is_made_without_evidence() -> None:
    reply = ask("hello there", SUPPORT, required=True)
    assert made(reply) == [("transfer_to_billing", {"reason": "nothing in the request points to any"})]
    assert made(ask("Track ORD-9", SUPPORT, required=True))[0][0] == "transfer_to_technical"


@pytest.mark.parametrize(
    ("question", "tool", "arguments"),
    [
        ("What's the balance on account ACC-123?", BALANCE, {"account_id": "ACC-123"}),
        ("balance for account 99812", BALANCE, {"account_id": "99812"}),
        ("balance of acc-5", BALANCE, {"account_id": "acc-5"}),
        ("I paid ORD-7 from ACC-5. What's my balance?", BALANCE, {"account_id": "ACC-5"}),
        ("Where is my order ORD-77?", ORDER, {"order_id": "ORD-77"}),
        ("status of order #5512", ORDER, {"order_id": "5512"}),
        ("Has the order number 12345678 shipped?", ORDER, {"order_id": "12345678"}),
        ("How much does the Pro plan cost?", PRICING, {"plan": "Pro"}),
        ("price of the plan called Team", PRICING, {"plan": "Team"}),
        ("what does the enterprise plan cost", PRICING, {"plan": "enterprise"}),
        ("What is the price of 'Solo Plus'?", PRICING, {"plan": "Solo Plus"}),
    ],
)
def test_a_specialist_calls_its_tool(question: str, tool: ToolSpec, arguments: JsonObject) -> None:
    assert made(ask(question, [tool])) == [(tool.name, arguments)]


@pytest.mark.parametrize(
    ("question", "tool", "asked"),
    [
        ("What's my balance?", BALANCE, 'For "Current balance of an account": which account id?'),
        (
            "What's the balance for order ORD-7?",
            BALANCE,
            'For "Current balance of an account": which account id?',
        ),
        (
            "Where is my order?",
            ORDER,
            'For "Status, carrier and expected delivery of an order": which order id?',
        ),
    ],
)
def test_a_value_that_is_missing_is_asked_for(question: str, tool: ToolSpec, asked: str) -> None:
    reply = ask(question, [tool])
    assert (reply.calls, reply.text) == ((), asked)


def test_a_question_back_says_what_the_value_is() -> None:
    plan = tool("get_pricing", "Monthly price of a plan.", plan=one_of("basic", "pro"))
    assert ask("price of a plan", [plan]).text == 'For "Monthly price of a plan": which plan (basic or pro)?'
    described = tool("find", "Find a parcel.", code={**TEXT, "description": "Printed on the label. Long."})
    assert (
        ask("Find the parcel", [described]).text == 'For "Find a parcel": which code (Printed on the label)?'
    )


TRAVEL = (
    tool(
        "get_weather",
        "Current weather and forecast for a city",
        city=TEXT,
        units_=one_of("celsius", "fahrenheit"),
        days_=WHOLE,
    ),
    tool(
        "search_flights",
        "Find flights between two cities",
        origin=TEXT,
        destination=TEXT,
        date=DATE,
        passengers_=WHOLE,
        cabin_=one_of("economy", "business"),
    ),
    tool("book_hotel", "Book a hotel room", city=TEXT, nights=WHOLE, guests_=WHOLE, breakfast_=TRUTH),
    tool(
        "convert_currency",
        "Convert an amount of money from one currency to another",
        amount=NUMBER,
        from_currency=TEXT,
        to_currency=TEXT,
    ),
)
OFFICE = (
    tool(
        "send_email",
        "Send an e-mail message",
        to={"type": "string", "format": "email"},
        subject=TEXT,
        body=TEXT,
    ),
    tool(
        "create_event",
        "Create a calendar event",
        title=TEXT,
        date=DATE,
        time=TEXT,
        attendees_={"type": "array", "items": {"type": "string", "format": "email"}},
        duration_minutes_=WHOLE,
    ),
    tool("list_events", "List the events on a day", date=DATE),
    tool("add_reminder", "Remind somebody of something at a time", text=TEXT, time=TEXT),
)
SUMS = (
    tool("add", "Add two numbers", a=NUMBER, b=NUMBER),
    tool("multiply", "Multiply two numbers", a=NUMBER, b=NUMBER),
    tool("percentage_of", "Percentage of an amount", percent=NUMBER, amount=NUMBER),
    tool("evaluate", "Evaluate an arithmetic expression", expression=TEXT),
)
STAFF = (
    tool("get_leave_balance", "Remaining vacation days of an employee", employee_id=TEXT),
    tool("get_payslip", "Payslip of an employee for a month", employee_id=TEXT, month=TEXT, year_=WHOLE),
    tool("open_ticket", "Open an IT ticket", summary=TEXT, priority=one_of("low", "medium", "high")),
    tool("ticket_status", "Status of an IT ticket", ticket_id={**TEXT, "description": "e.g. IT-2041"}),
    tool("reset_password", "Reset a user's password", username=TEXT, notify_=TRUTH),
)
SHOP = (
    tool(
        "search_products",
        "Search the product catalogue",
        query=TEXT,
        max_price_=NUMBER,
        in_stock_=TRUTH,
        category_=one_of("shoes", "shirts", "hats"),
    ),
    tool("check_stock", "Units in stock of a product", sku=TEXT),
    tool(
        "create_order",
        "Order products",
        items={
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"sku": TEXT, "quantity": WHOLE},
                "required": ["sku", "quantity"],
            },
        },
        address={"type": "object", "properties": {"street": TEXT, "city": TEXT}, "required": ["city"]},
    ),
)
WRITING = (
    tool("translate", "Translate text into a language", text=TEXT, target_language=TEXT),
    tool("summarize", "Summarize a web page", url={"type": "string", "format": "uri"}),
)
TEAMS: Final[Mapping[str, Sequence[ToolSpec]]] = {
    "travel": TRAVEL,
    "office": OFFICE,
    "sums": SUMS,
    "staff": STAFF,
    "shop": SHOP,
    "writing": WRITING,
}


@pytest.mark.parametrize(
    ("team", "question", "name", "arguments"),
    [
        ("travel", "What's the weather in Paris?", "get_weather", {"city": "Paris"}),
        (
            "travel",
            "Will it rain in Tokyo in the next 5 days? In fahrenheit, please.",
            "get_weather",
            {"city": "Tokyo", "units": "fahrenheit", "days": 5},
        ),
        (
            "travel",
            "Find flights from London to New York on 2025-03-04 for 2 passengers in business",
            "search_flights",
            {
                "origin": "London",
                "destination": "New York",
                "date": "2025-03-04",
                "passengers": 2,
                "cabin": "business",
            },
        ),
        (
            "travel",
            "I need a flight to Oslo from Berlin on March 3rd, 2026",
            "search_flights",
            {"origin": "Berlin", "destination": "Oslo", "date": "2026-03-03"},
        ),
        (
            "travel",
            "Book a hotel in Lisbon for 3 nights for two guests without breakfast",
            "book_hotel",
            {"city": "Lisbon", "nights": 3, "guests": 2, "breakfast": False},
        ),
        (
            "travel",
            "Book a room with breakfast in Rome, 2 nights",
            "book_hotel",
            {"city": "Rome", "nights": 2, "breakfast": True},
        ),
        (
            "travel",
            "Convert 100 USD to EUR",
            "convert_currency",
            {"amount": 100, "from_currency": "USD", "to_currency": "EUR"},
        ),
        (
            "travel",
            "convert $1,250.50 to euros",
            "convert_currency",
            {"amount": 1250.5, "from_currency": "USD", "to_currency": "EUR"},
        ),
        (
            "travel",
            "how many pounds are 30 euros",
            "convert_currency",
            {"amount": 30, "from_currency": "EUR", "to_currency": "GBP"},
        ),
        (
            "office",
            'Send an email to bob@example.com with subject "Lunch" saying "See you at noon"',
            "send_email",
            {"to": "bob@example.com", "subject": "Lunch", "body": "See you at noon"},
        ),
        (
            "office",
            "Create an event “Sync” on 2025-05-06 at 3pm with a@x.com and b@y.org",
            "create_event",
            {"title": "Sync", "date": "2025-05-06", "time": "15:00", "attendees": ["a@x.com", "b@y.org"]},
        ),
        ("office", "What events do I have on 6 May 2025?", "list_events", {"date": "2025-05-06"}),
        ("office", "Which events are on 06.05.2025?", "list_events", {"date": "2025-05-06"}),
        (
            "office",
            "Remind me to water the plants at 18:30",
            "add_reminder",
            {"text": "water the plants", "time": "18:30"},
        ),
        ("sums", "Add 3 and 5", "add", {"a": 3, "b": 5}),
        ("sums", "what is the sum of 3 and -9.5", "add", {"a": 3, "b": -9.5}),
        ("sums", "2.5 times 4?", "multiply", {"a": 2.5, "b": 4}),
        ("sums", "What is 15% of 200?", "percentage_of", {"percent": 15, "amount": 200}),
        ("sums", "evaluate: 3*(4+5)", "evaluate", {"expression": "3*(4+5)"}),
        (
            "staff",
            "How many vacation days does employee E-1042 have left?",
            "get_leave_balance",
            {"employee_id": "E-1042"},
        ),
        (
            "staff",
            "Show me the payslip for EMP-7 for March",
            "get_payslip",
            {"employee_id": "EMP-7", "month": "March"},
        ),
        (
            "staff",
            "Open a high priority ticket: my laptop does not start",
            "open_ticket",
            {"summary": "my laptop does not start", "priority": "high"},
        ),
        ("staff", "What's the status of IT-88?", "ticket_status", {"ticket_id": "IT-88"}),
        (
            "staff",
            "Reset the password for user jdoe and don't notify",
            "reset_password",
            {"username": "jdoe", "notify": False},
        ),
        ("staff", "reset alice's password", "reset_password", {"username": "alice"}),
        (
            "shop",
            "search for red running shoes under 80 dollars",
            "search_products",
            {"query": "red running shoes", "max_price": 80, "category": "shoes"},
        ),
        ("shop", "do you have SKU KB-100 in stock?", "check_stock", {"sku": "KB-100"}),
        (
            "shop",
            "order 2 of KB-100 to Berlin",
            "create_order",
            {"items": [{"sku": "KB-100", "quantity": 2}], "address": {"city": "Berlin"}},
        ),
        (
            "writing",
            "Translate good morning into German",
            "translate",
            {"text": "good morning", "target_language": "German"},
        ),
        (
            "writing",
            'Translate "where is it?" to French',
            "translate",
            {"text": "where is it?", "target_language": "French"},
        ),
        (
            "writing",
            "Summarize https://example.com/a?b=1.",
            "summarize",
            {"url": "https://example.com/a?b=1"},
        ),
    ],
)
def test_tools_of_many_trades(team: str, question: str, name: str, arguments: JsonObject) -> None:
    assert made(ask(question, TEAMS[team])) == [(name, arguments)]


@pytest.mark.parametrize(
    ("question", "tools", "name", "values"),
    [
        ("What are the balances of ACC-1 and ACC-2?", [BALANCE], "account_id", ["ACC-1", "ACC-2"]),
        ("balance of ACC-1, ACC-2 and ACC-3", [BALANCE], "account_id", ["ACC-1", "ACC-2", "ACC-3"]),
        ("weather in paris and Rome", TRAVEL, "city", ["paris", "Rome"]),
        ("Balance of ACC-1, which paid ORD-2?", [BALANCE], "account_id", ["ACC-1"]),
    ],
)
def test_a_list_of_values_is_a_list_of_calls(
    question: str, tools: Sequence[ToolSpec], name: str, values: list[Json]
) -> None:
    assert [arguments[name] for _, arguments in made(ask(question, tools))] == values


def test_several_parts_are_several_calls_of_an_agent() -> None:
    question = "What's the weather in Oslo? And convert 5 EUR to USD."
    assert [name for name, _ in made(ask(question, TRAVEL))] == ["get_weather", "convert_currency"]
    half = ask("What's the weather in Oslo? And book a hotel.", TRAVEL)
    assert made(half) == [("get_weather", {"city": "Oslo"})]


def test_many_tools_are_not_all_named() -> None:
    tools = [tool(f"tool_{letter}", "") for letter in "abcdefghijklmnopq"]
    assert ask("hello", tools).text.endswith("tool_l or 5 more?")
    assert ask("hello", tools[:1]).text == "Is it about tool_a?"
    assert ask(" ", SUPPORT[:1]).text.startswith("What can I do for you: billing (")


def test_a_list_of_things_goes_to_each_who_has_one() -> None:
    reply = ask("Balance of ACC-123, price of the pro plan, and where is ORD-78?", SUPPORT)
    assert sorted(call.name for call in reply.calls) == [
        "transfer_to_billing", "transfer_to_sales", "transfer_to_technical"
    ]  # fmt: skip
