"""Arguments from words: whatever the schema and the text, what offline sends is valid, or it asks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentctl.jsonschemas import problems
from agentctl.jsontypes import Json, JsonObject
from agentctl.models.messages import Message, ModelRequest, ToolSpec
from agentctl.models.offline.everyday import word_list
from agentctl.models.offline.fill import fill
from agentctl.models.offline.findings import findings
from agentctl.models.offline.fits import fits, resolved, type_of
from agentctl.models.offline.model import answer

NAMES: Final = sorted(
    word_list(
        "account_id orderId email date time amount price city from_city to_city plan status quantity "
        "notify user_name query url percent from_currency items tags address ids a"
    )
)
WORDS: Final = sorted(
    word_list(
        "balance of account ACC-123 order ORD-7 #55 for Alice in Paris from Berlin to Rome on 2025-03-04 at "
        '3pm 18:30 bob@x.org https://x.org/a $1,250.50 100 EUR 15% -3 2.5 two "two words" the Pro plan '
        "called Team open closed not without notify status quantity 7 items: red, green and blue account? "
        "and where is it. 3/4/2026 May 5, 2025"
    )
)
SCALARS: Final = st.one_of(
    st.builds(
        lambda **found: {key: value for key, value in found.items() if value is not None},
        type=st.just("string"),
        pattern=st.sampled_from([None, None, "^[A-Z]{3}-\\d+$", "^x", "("]),
        format=st.sampled_from([None, None, "date", "email", "uri", "date-time"]),
        minLength=st.sampled_from([None, 4]),
        maxLength=st.sampled_from([None, 12]),
        description=st.sampled_from([None, "The number, such as ACC-1."]),
    ),
    st.builds(
        lambda **found: {key: value for key, value in found.items() if value is not None},
        type=st.sampled_from(["integer", "number", ["number", "null"]]),
        minimum=st.sampled_from([None, 5]),
        exclusiveMaximum=st.sampled_from([None, 100]),
        multipleOf=st.sampled_from([None, 0.5, 5]),
    ),
    st.just({"type": "boolean"}),
    st.sampled_from(
        [{"enum": ["open", "closed"]}, {"enum": [1, 15, None]}, {"const": "x"}, {"type": "null"}]
    ),
    st.just({"$ref": "#/$defs/place"}),
)


def objects(below: st.SearchStrategy[JsonObject]) -> st.SearchStrategy[JsonObject]:
    def built(properties: Mapping[str, JsonObject], optional: int) -> JsonObject:
        required: Json = list(properties)[optional:]
        return {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }

    named = st.dictionaries(st.sampled_from(NAMES), below, max_size=4)
    return st.builds(built, named, st.integers(0, 3))


SCHEMAS: Final = st.recursive(
    SCALARS,
    lambda below: st.one_of(
        st.builds(
            lambda items, least, unique: {
                "type": "array",
                "items": items,
                "minItems": least,
                "uniqueItems": unique,
            },
            below,
            st.sampled_from([0, 1, 3]),
            st.booleans(),
        ),
        st.builds(lambda one, two: {"anyOf": [one, two]}, below, below),
        st.builds(lambda one: {"anyOf": [{"type": "null"}, one], "default": None}, below),
        st.builds(lambda one: {"not": one}, below),
        objects(below),
    ),
    max_leaves=5,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(schema=objects(SCHEMAS), said=st.lists(st.sampled_from(WORDS), max_size=16))
def test_arguments_are_valid_or_asked_for(schema: JsonObject, said: list[str]) -> None:
    parameters: JsonObject = {**schema, "$defs": {"place": {"type": "string", "minLength": 2}}}
    tool = ToolSpec(name="check_balance", description="balance account order plan", parameters=parameters)
    messages = (Message(role="user", text="balance " + " ".join(said)),)
    reply = answer(ModelRequest(agent="a", turn=1, messages=messages, tools=(tool,)))
    assert bool(reply.text) != bool(reply.calls)
    for call in reply.calls:
        value: Json = json.loads(call.arguments)
        assert problems(value, parameters) == []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    schema=SCHEMAS,
    value=st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-9, 200)
        | st.sampled_from([2.5, 15.0, "open", "ACC-1", "x", "a@b.c"]),
        lambda below: (
            st.lists(below, max_size=3) | st.dictionaries(st.sampled_from(NAMES[:4]), below, max_size=3)
        ),
        max_leaves=4,
    ),
)
def test_what_fits_is_valid(schema: JsonObject, value: Json) -> None:
    whole: JsonObject = {**schema, "$defs": {"place": {"type": "string", "minLength": 2}}}
    if "(" not in json.dumps(whole) and fits(value, whole, whole):
        assert problems(value, whole) == []


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=80) | st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_any_text_at_all_is_answered(text: str) -> None:
    messages = (Message(role="user", text=text),)
    assert answer(ModelRequest(agent="a", turn=1, messages=messages)).text
    for found in findings(text):
        assert 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 2025-03-04", [("date", "2025-03-04")]),
        ("on 4.3.2025", [("date", "2025-03-04")]),
        ("on 3/4/2025", [("unclear day", "3/4/2025")]),
        ("on the 4th of March 2025", [("date", "2025-03-04")]),
        ("by Sept. 30, 2026", [("date", "2026-09-30")]),
        ("on 2025-02-31", [("unclear day", "2025-02-31")]),
        ("at 3pm, 11:05 or 12 a.m.", [("time", "15:00"), ("time", "11:05"), ("time", "00:00")]),
        ("at 25:99", []),
        ("$1,250.50, 30 euros and 7%", [("money", "1250.50"), ("money", "30"), ("percent", "7")]),
        ("minus -4.5 and three", [("number", "-4.5"), ("number", "3")]),
        ("ACC-123, #77 and 12-34-56", [("id", "ACC-123"), ("id", "77"), ("id", "12-34-56")]),
        (
            "mail a.b+c@d-e.co.uk or see http://x.y/z?q=1.",
            [("email", "a.b+c@d-e.co.uk"), ("url", "http://x.y/z?q=1")],
        ),
        ("the 'red wine' and `code`", [("quoted", "red wine"), ("quoted", "code")]),
        ('say "call 911"', [("quoted", "call 911"), ("number", "911")]),
        ("don't ask Alice O'Neil's boss", [("name", "Alice O'Neil")]),
        ("What about New York?", [("name", "New York")]),
    ],
)
def test_values_by_their_form(text: str, found: list[tuple[str, str]]) -> None:
    assert [(one.kind, one.value) for one in findings(text)] == found


def filled(schema: JsonObject, *sources: str) -> tuple[JsonObject, tuple[str, ...]]:
    result = fill(schema, sources)
    return result.arguments, result.missing


def schema(*required: str, **properties: Json) -> JsonObject:
    return {"type": "object", "properties": properties, "required": list(required)}


TEXT: Final[JsonObject] = {"type": "string"}


@pytest.mark.parametrize(
    ("parameters", "text", "arguments", "missing"),
    [
        (
            schema("from_account", "to_account", from_account=TEXT, to_account=TEXT),
            "move 5 from ACC-2 to ACC-1",
            {"from_account": "ACC-2", "to_account": "ACC-1"},
            (),
        ),
        (
            schema("order_id", "account_id", order_id=TEXT, account_id=TEXT),
            "ACC-1 paid ORD-9",
            {"order_id": "ORD-9", "account_id": "ACC-1"},
            (),
        ),
        (
            schema("code", code={"type": "string", "pattern": "^[A-Z]{2}\\d{2}$"}),
            "codes AB12 and ABC-1",
            {"code": "AB12"},
            (),
        ),
        (schema("sku", sku={"type": "string", "examples": ["KB-100"]}), "WX-9 please", {"sku": "WX-9"}, ()),
        (
            schema("booking", booking={"type": "string", "description": "Such as BK-1."}),
            "flight BA117",
            {},
            ("booking",),
        ),
        (schema("number", number={"type": "integer"}), "is 7.5 right", {}, ("number",)),
        (
            schema("ids", ids={"type": "array", "items": {"type": "integer"}}),
            "ids 3, 4 and 5",
            {"ids": [3, 4, 5]},
            (),
        ),
        (
            schema("colors", colors={"type": "array", "items": {"enum": ["red", "green", "blue"]}}),
            "blue and red",
            {"colors": ["blue", "red"]},
            (),
        ),
        (
            schema("tags", tags={"type": "array", "items": TEXT}),
            'tag it "a" and "b"',
            {"tags": ["a", "b"]},
            (),
        ),
        (
            schema("address", address=schema("city", "zip", city=TEXT, zip={"type": "integer"})),
            "ship to Berlin",
            {},
            ("address.zip",),
        ),
        (schema("plan", plan={"anyOf": [TEXT, {"type": "null"}]}), "the Gold plan", {"plan": "Gold"}, ()),
        (schema("size", size={"enum": [1, 2, 15]}), "take 15", {"size": 15}, ()),
        (schema("mode", mode={"const": "fast"}), "whatever", {"mode": "fast"}, ()),
        (schema(limit={"type": "integer", "default": 10}), "show 3 rows", {}, ()),
        (schema(limit={"type": "integer", "default": 10}), "with a limit of 3", {"limit": 3}, ()),
        (schema("express", express={"type": "boolean"}), "not express", {"express": False}, ()),
        (schema("express", express={"type": "boolean"}), "send it", {}, ("express",)),
        (schema("gone"), "anything", {}, ("gone",)),
        (schema("city", city=TEXT, extra=schema(zip={"type": "integer"})), "in Rome", {"city": "Rome"}, ()),
        (schema(extra={"type": "object"}), "in Rome", {}, ()),
        (schema("person", person=schema("name", name=TEXT)), "for Alice", {"person": {"name": "Alice"}}, ()),
    ],
)
def test_parameters_take_the_values_that_are_theirs(
    parameters: JsonObject, text: str, arguments: JsonObject, missing: tuple[str, ...]
) -> None:
    assert filled(parameters, text) == (arguments, missing)


def test_the_first_source_that_has_a_value_counts() -> None:
    wanted = schema("account_id", account_id=TEXT)
    assert filled(wanted, "the balance", "ACC-2 it was", "ACC-1 before")[0] == {"account_id": "ACC-2"}


def test_values_that_break_the_whole_are_asked_for() -> None:
    wanted: JsonObject = {**schema("a", a=TEXT), "not": {"required": ["a"]}}
    assert filled(wanted, 'the "word"')[1] == ("a",)


def test_references_and_alternatives_are_followed() -> None:
    root: JsonObject = {
        "$defs": {"a/b": {"anyOf": [{"type": "null"}, {"allOf": [{"type": "integer"}]}], "title": "x"}},
        "loop": {"$ref": "#/loop"},
    }
    assert resolved({"$ref": "#/$defs/a~1b", "description": "d"}, root) == {
        "type": "integer",
        "title": "x",
        "description": "d",
    }
    assert resolved({"$ref": "#/loop"}, root) == {}
    assert resolved({"$ref": "https://elsewhere"}, root) == {}
    assert not fits(1, {"$ref": "#/loop"}, root)


def test_the_type_of_a_schema_that_does_not_say_it() -> None:
    untyped: list[JsonObject] = [{"properties": {}}, {"items": {}}, {}, {"type": ["null", "number"]}]
    assert [type_of(one) for one in untyped] == ["object", "array", "string", "number"]
