"""A wrong argument or an unwanted effect is worse than a question: what offline does not take, do or drop."""

from __future__ import annotations

import json
from typing import Final

import pytest

from agentctl.jsontypes import Json, JsonObject, as_object
from agentctl.models.messages import Message, ModelRequest, Reply, ToolSpec
from agentctl.models.offline.findings import findings
from agentctl.models.offline.model import answer
from agentctl.models.offline.numerals import plain, spelt
from agentctl.models.offline.talk import stated
from agentctl.models.offline.wishes import does, heard, orders_nothing

TEXT: Final[JsonObject] = {"type": "string"}


def told(description: str, **schema: Json) -> JsonObject:
    return {**TEXT, "description": description, **schema}


def tool(name: str, description: str, optional: tuple[str, ...] = (), **parameters: JsonObject) -> ToolSpec:
    return ToolSpec(
        name=name,
        description=description,
        parameters={
            "type": "object",
            "properties": parameters,
            "required": [key for key in parameters if key not in optional],
            "additionalProperties": False,
        },
        search_text=f"{name} {description}",
    )


DONATE = tool(
    "donate",
    "Donate money to a project.",
    project_id=told("The project's number, such as PR-12."),
    amount={"type": "number", "description": "How much is given."},
    currency={"type": "string", "enum": ["EUR", "USD", "GBP"]},
)
PROJECT = tool(
    "project_status", "Status of a project.", project_id=told("The project's number, such as PR-12.")
)
CROP = tool(
    "order_seeds",
    "Order seeds for a bed.",
    ("bags",),
    seed_id=told("The seed's number, such as SD-4."),
    bags={"type": "integer", "description": "How many bags."},
)
INVITE = tool(
    "invite",
    "Invite people to an event.",
    ("subject",),
    event_id=told("The event's number, such as EV-9."),
    recipients={"type": "array", "items": TEXT, "description": "The e-mail addresses of the guests."},
    subject=told("The subject of the mail."),
)
TASK = tool(
    "open_task",
    "Open a task.",
    ("due", "tags", "loud"),
    title=told("The title, in quotes."),
    due={"type": "string", "format": "date-time"},
    tags={"type": "array", "items": TEXT},
    loud={"type": "boolean"},
)
ASSIGN = tool(
    "assign_task",
    "Assign a task to a person.",
    task={"type": "integer", "description": "The task's number."},
    person=told("The user name, such as k.lee."),
)
SHUT = tool("close_task", "Close a task.", task={"type": "integer", "description": "The task's number."})
LESSON = tool(
    "book_lesson",
    "Book a lesson with a teacher.",
    teacher=told("The teacher's name, such as Prof. Ohm."),
    day={"type": "string", "format": "date"},
)


def ask(question: str, *tools: ToolSpec) -> Reply:
    return answer(
        ModelRequest(agent="a", turn=1, messages=(Message(role="user", text=question),), tools=tools)
    )


def made(question: str, *tools: ToolSpec) -> list[JsonObject]:
    return [json.loads(call.arguments) for call in ask(question, *tools).calls]


def finished(question: str, *tools: ToolSpec) -> str:
    """The text after every call was answered with `ok`."""
    calls = ask(question, *tools).calls
    results = tuple(Message(role="tool", text="ok", call_id=call.id) for call in calls)
    said = (Message(role="user", text=question), Message(role="assistant", text="", calls=calls), *results)
    return answer(ModelRequest(agent="a", turn=2, messages=said, tools=tools)).text


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1,250.50", "1250.50"),
        ("1.250,50", "1250.50"),
        ("1'250.50", "1250.50"),
        ("1\u00a0250", "1250"),
        ("99,95", "99.95"),
        ("0,125", "0.125"),
        ("1.250.000", "1250000"),
        ("2,500", "2500"),
        ("-5", "-5"),
        ("1,2,3", None),
        ("1.2.3", None),
    ],
)
def test_a_number_in_any_usual_notation(written: str, value: str | None) -> None:
    assert plain(written) == value


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("forty-five", ["45"]),
        ("one hundred and twenty", ["120"]),
        ("two thousand five hundred and one", ["2501"]),
        ("seven and eight", ["7", "8"]),
        ("two and a half", ["2.5"]),
        ("three point one four", ["3.14"]),
        ("half a dozen", ["6"]),
        ("two five", [""]),
        ("twice", [""]),
        ("fourty-five", []),
        ("this one", []),
    ],
)
def test_a_number_in_words_is_read_whole_or_not_at_all(written: str, values: list[str]) -> None:
    assert [one.value for one in spelt(written)] == values


@pytest.mark.parametrize(
    ("amount", "value", "currency"),
    [
        ("$1,250.00", 1250.0, "USD"),
        ("1.250,50 EUR", 1250.5, "EUR"),
        ("99,95 EUR", 99.95, "EUR"),
        ("exactly 1 250 EUR", 1250, "EUR"),
        ("€50", 50, "EUR"),
        ("30 pounds", 30, "GBP"),
        ("twenty euros", 20, "EUR"),
        ("10k EUR", 10000, "EUR"),
        ("1.5 million USD", 1500000, "USD"),
        ("10,- EUR", 10, "EUR"),
    ],
)
def test_money_and_its_currency(amount: str, value: float, currency: str) -> None:
    wanted = [{"project_id": "PR-3", "amount": value, "currency": currency}]
    assert made(f"Donate {amount} to project PR-3", DONATE) == wanted


@pytest.mark.parametrize(
    "amount",
    ["1.000 EUR", "10 or 20 EUR", "10-20 EUR", "between 10 and 20 EUR", "1/2 EUR", "50 cents in EUR"],
)
def test_money_that_can_be_read_in_two_ways_is_asked_for(amount: str) -> None:
    reply = ask(f"Donate {amount} to project PR-3", DONATE)
    assert reply.calls == ()
    assert "which amount (How much is given)" in reply.text


def test_dollars_are_asked_about_where_there_are_several() -> None:
    parameters = {**DONATE.parameters}
    currency: Json = {"type": "string", "enum": ["USD", "CAD"]}
    properties: Json = {**as_object(parameters["properties"]), "currency": currency}
    many = ToolSpec(
        name="donate", description=DONATE.description, parameters={**parameters, "properties": properties}
    )
    assert made("Donate $5 to PR-3", many) == []
    assert made("Donate C$5 to PR-3", many) == [{"project_id": "PR-3", "amount": 5, "currency": "CAD"}]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Close task forty-two", [42]),
        ("Close task #17", [17]),
        ("Close tasks 42, 43 and 44", [42, 43, 44]),
        ("Close tasks 42,43,44", [42, 43, 44]),
        ("Close task 1,042", [1042]),
        ("Close task 2.000", []),
    ],
)
def test_whole_numbers(question: str, values: list[int]) -> None:
    assert [one["task"] for one in made(question, SHUT)] == values


@pytest.mark.parametrize(
    ("question", "recipients", "subject"),
    [
        ("Invite anna@example.org to EV-2", ["anna@example.org"], None),
        ("Invite a.b@example.org, c@example.org to EV-2", ["a.b@example.org", "c@example.org"], None),
        ('Invite "anna@example.org" to event EV-2', ["anna@example.org"], None),
        ('Invite a@x.org and b@y.org to EV-2 with subject "Spring"', ["a@x.org", "b@y.org"], "Spring"),
    ],
)
def test_lists_of_addresses(question: str, recipients: list[str], subject: str | None) -> None:
    rest = {"subject": subject} if subject else {}
    assert made(question, INVITE) == [{"event_id": "EV-2", "recipients": recipients, **rest}]


@pytest.mark.parametrize("question", ["Invite Anna to EV-2", "Cuál es el evento EV-2?", "Invite to EV-2"])
def test_a_name_is_no_address(question: str) -> None:
    assert made(question, INVITE) == []


@pytest.mark.parametrize(
    ("question", "calls"),
    [
        ("Assign task 12 to k.lee", [(12, "k.lee")]),
        ("please assign task 12 to k.lee", [(12, "k.lee")]),
        ("Assign 12 to Jane", [(12, "Jane")]),
        ("Assign task 12 to k.lee and task 13 to m.roe", [(12, "k.lee"), (13, "m.roe")]),
        ("Assign tasks 12 and 13 to k.lee and m.roe", []),
        ("Assign task 12", []),
        ("Reopen task 12", []),
    ],
)
def test_people_and_not_the_verb(question: str, calls: list[tuple[int, str]]) -> None:
    found = made(question, ASSIGN, SHUT)
    assert found == [{"task": task, "person": person} for task, person in calls]


@pytest.mark.parametrize(
    ("question", "teacher"),
    [
        ("Book a lesson with Prof. Ohm on 3 March 2027", "Prof. Ohm"),
        ("Book a lesson for Ada Lovelace with Prof. Ohm on 2027-03-03", "Prof. Ohm"),
        ("Book a lesson for Ada Lovelace with Ohm on 2027-03-03", None),
        ("I want to complain about the teacher on 2027-03-03", None),
    ],
)
def test_titled_names(question: str, teacher: str | None) -> None:
    assert [one["teacher"] for one in made(question, LESSON)] == ([teacher] if teacher else [])


def test_an_example_is_shown_whole() -> None:
    assert "such as Prof. Ohm)" in ask("Book a lesson", LESSON).text


@pytest.mark.parametrize(
    ("day", "value"),
    [
        ("13/04/2027", "2027-04-13"),
        ("12.05.2027", "2027-05-12"),
        ("2027/05/06", "2027-05-06"),
        ("03/04/2027", None),
        ("31 February 2027", None),
        ("3 May", None),
        ("tomorrow", None),
        ("next Monday", None),
    ],
)
def test_days(day: str, value: str | None) -> None:
    assert [one["day"] for one in made(f"Book a lesson with Prof. Ohm on {day}", LESSON)] == (
        [value] if value else []
    )


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ('Open a task "Roof leaks"', {}),
        ('Open a task "Roof leaks" due 2027-02-03 14:30', {"due": "2027-02-03T14:30:00"}),
        ('Open a task "Roof leaks" due 2027-02-03T14:30:00Z', {"due": "2027-02-03T14:30:00Z"}),
        ('Open a task "Roof leaks" with tags roof and urgent', {"tags": ["roof", "urgent"]}),
        ('Open a task "Roof leaks", not loud', {"loud": False}),
    ],
)
def test_quoted_text_points_in_time_and_lists_of_words(question: str, arguments: JsonObject) -> None:
    assert made(question, TASK) == [{"title": "Roof leaks", **arguments}]


def test_quotes_are_never_parted() -> None:
    note = tool("leave_note", "Leave a note for the gardener.", text=told("The text of the note."))
    assert made('tell the gardener "no roses, please, and write back"', note) == [
        {"text": "no roses, please, and write back"}
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Don't donate 10 EUR to PR-3",
        "Do not donate 10 EUR to PR-3",
        "Please never donate 10 EUR to PR-3",
        "I don't want you to donate 10 EUR to PR-3",
        "You must not donate 10 EUR to PR-3",
    ],
)
def test_what_is_not_to_be_done_is_left_undone_and_said_so(question: str) -> None:
    reply = ask(question, DONATE, PROJECT)
    assert reply.calls == ()
    assert reply.text.startswith(f'Left undone, as asked: "{question}".')


@pytest.mark.parametrize(
    ("question", "wanted", "refused"),
    [
        ("Close 4 but do not close 5", "Close 4", ("do not close 5",)),
        ("Don't forget to close 4", "Don't forget to close 4", ()),
        ("My lamp does not start", "My lamp does not start", ()),
        ("I can't come, please cancel V-7", "I can't come, please cancel V-7", ()),
        ("Close 4 without sending the mail", "Close 4", ("without sending the mail",)),
        ('Say "do not pay" and close 4', 'Say "do not pay" and close 4', ()),
        ("Close 4, please don't", "", ("Close 4",)),
        ("Close 4? No.", "", ("Close 4",)),
        ("Open 3. Close 4 - no, wait, don't!", "Open 3.", ("Close 4",)),
        ("Avoid closing 4", "", ("Avoid closing 4",)),
        ("No.", "No.", ()),
        ("Close 4. No rush.", "Close 4. No rush.", ()),
    ],
)
def test_clauses_that_refuse(question: str, wanted: str, refused: tuple[str, ...]) -> None:
    found = heard(question)
    assert (found.wanted, found.refused) == (wanted, refused)


def test_a_refused_part_leaves_the_other() -> None:
    question = "Order 2 bags of SD-4 but do not order SD-5"
    assert made(question, CROP) == [{"seed_id": "SD-4", "bags": 2}]
    assert finished(question, CROP) == 'ok Left undone, as asked: "do not order SD-5".'
    assert made("Order SD-4, not SD-5", CROP) == [{"seed_id": "SD-4"}]
    shut = made("Don't assign task 12 to anybody, close it", ASSIGN, SHUT)
    assert shut == [{"task": 12}]


@pytest.mark.parametrize(
    "question",
    [
        "Did you donate 10 EUR to project PR-3?",
        "What happens if I donate 10 EUR to project PR-3?",
        "Have you donated 10 EUR to PR-3 and 20 EUR to PR-4?",
        "How would I donate 10 EUR to PR-3?",
        "Has project PR-3 been donated 10 EUR?",
        "Have all projects been donated 10 EUR, such as PR-3?",
        'Tell the gardener "donate 10 EUR to PR-3"',
    ],
)
def test_a_question_has_no_effect(question: str) -> None:
    assert ask(question, DONATE).calls == ()


def test_a_question_may_be_looked_up() -> None:
    assert [call.name for call in ask("Did you donate 10 EUR to project PR-3?", DONATE, PROJECT).calls] == [
        "project_status"
    ]
    assert not orders_nothing("Could you donate 10 EUR to PR-3?")


@pytest.mark.parametrize(
    ("name", "description", "acts"),
    [
        ("cancel_visit", "Cancels a visit.", True),
        ("order_status", "Status of an order.", False),
        ("orders", "Orders of a customer.", False),
        ("leave_left", "How many days of leave are left.", False),
        ("stock", "Tell whether a thing is in stock.", False),
        ("block_card", "", True),
    ],
)
def test_which_tools_have_effects(name: str, description: str, acts: bool) -> None:
    assert bool(does(tool(name, description, thing_id=TEXT))) is acts


@pytest.mark.parametrize(
    ("question", "calls"),
    [
        ("Order 2 bags of SD-4 and 3 bags of SD-5", [("SD-4", 2), ("SD-5", 3)]),
        ("Order SD-4 and SD-5 with 2 bags", [("SD-4", 2), ("SD-5", 2)]),
        ("Order SD-4 and 3 bags of SD-5", []),
        ("Order SD-4 or SD-5", []),
        ("Order SD-4 twice", []),
    ],
)
def test_parallel_parts(question: str, calls: list[tuple[str, int]]) -> None:
    assert [(one["seed_id"], one.get("bags")) for one in made(question, CROP)] == calls


def test_codes_of_one_form_are_alike() -> None:
    room = tool(
        "enter",
        "Enter a runner for a race.",
        runner_id=told("The runner's number, such as RU-1."),
        race=told("The race's code, such as SPR100."),
    )
    assert made("Enter RU-4 for SPR100 and RU-5 for MAR42", room) == [
        {"runner_id": "RU-4", "race": "SPR100"},
        {"runner_id": "RU-5", "race": "MAR42"},
    ]


def test_three_values_that_take_turns() -> None:
    assert made("Donate 10 EUR to PR-3 and 20 USD to PR-4", DONATE) == [
        {"project_id": "PR-3", "amount": 10, "currency": "EUR"},
        {"project_id": "PR-4", "amount": 20, "currency": "USD"},
    ]


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("Status of project PR-3 and who is the mayor?", 'Not dealt with: "who is the mayor?".'),
        ("What is the status of project PR-3 on 2027-01-02?", 'Not dealt with: "2027-01-02".'),
        ("Order 2 bags of SD-4 and write to me@x.org", 'Not dealt with: "write to me@x.org".'),
    ],
)
def test_what_is_not_dealt_with_is_named(question: str, note: str) -> None:
    assert finished(question, PROJECT, CROP).endswith(note)


def test_an_id_of_another_kind_is_no_argument() -> None:
    bill = tool("bill_status", "Status of a bill.", bill_id=told("The bill's number, such as B-1001."))
    assert made("status of RX-55", bill) == []
    assert made("status of B-55", bill) == [{"bill_id": "B-55"}]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Which invoice_id (The number, such as INV-204) should read use?", ""),
        ('For "Read a bill": which bill id (Such as B-1)?', ""),
        ("It is 5 EUR. Which day (such as Dr. Who's)? ", "It is 5 EUR."),
        ("INV-7 is paid.", "INV-7 is paid."),
    ],
)
def test_a_question_states_nothing(text: str, left: str) -> None:
    assert stated(text) == left


def test_another_agents_question_gives_no_arguments() -> None:
    asked = ask("Donate to a project", DONATE).text
    said = (
        Message(role="user", text="See to the project"),
        Message(role="user", text=f"[reader] {asked}"),
    )
    reply = answer(ModelRequest(agent="a", turn=1, messages=said, tools=(PROJECT,)))
    assert reply.calls == ()


def test_a_capital_at_the_beginning_is_marked() -> None:
    assert [(one.value, one.first) for one in findings("Weber asks for Klein")] == [
        ("Weber", True),
        ("Klein", False),
    ]


def choice(*said: Message, fallback: str) -> JsonObject:
    """What a router's model answers, with two agents to choose from."""
    schema: JsonObject = {
        "type": "object",
        "properties": {"agent": {"type": "string", "enum": ["beds", "trees"]}, "reason": TEXT},
        "required": ["agent", "reason"],
    }
    texts = {"beds": "Seeds and flowers", "trees": "Apple trees", **({"": fallback} if fallback else {})}
    found: JsonObject = json.loads(
        answer(ModelRequest(agent="a", turn=1, messages=said, schema=schema, search_texts=texts)).text
    )
    return found


def test_a_router_without_evidence_names_nobody_where_there_is_a_fallback() -> None:
    question = Message(role="user", text="Do you sell bananas?")
    first = choice(question, fallback="trees")
    assert first["agent"] == ""
    corrected = Message(role="user", text="`agent` must be one of beds, trees.")
    again = choice(question, Message(role="assistant", text=json.dumps(first)), corrected, fallback="trees")
    assert again["agent"] == ""
    assert choice(question, fallback="")["agent"] == "beds"
    assert choice(Message(role="user", text="apple trees?"), fallback="beds")["agent"] == "trees"


def test_the_reason_names_a_sign_as_it_is_written() -> None:
    desk = ToolSpec(
        name="transfer_to_money",
        description="Transfer to money: Dollars and euros",
        parameters={"type": "object", "properties": {"reason": TEXT}, "required": []},
        transfer=True,
    )
    other = ToolSpec(
        name="transfer_to_trees", description="Transfer to trees: Apple trees", parameters={}, transfer=True
    )
    reasons = [one["reason"] for one in made("$50 please", desk, other)]
    assert reasons == ["shares '$' with money"]
