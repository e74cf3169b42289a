from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from tools_desk import Desk, desk_fixture

from agentctl.jsontypes import Json, JsonObject, as_object

desk = desk_fixture

HEAD = """
from __future__ import annotations
import dataclasses, datetime, decimal, enum, typing, uuid
from typing import *
import pydantic
from pydantic import BaseModel, Field
from agentctl.tools.tool import ToolContext
"""


def schema_of(desk: Desk, parameters: str, before: str = "") -> JsonObject:
    """The schema of a function with these parameters."""
    desk.write("tools.py", f"{HEAD}{before}\ndef f({parameters}): ...\n")
    return desk.tool("tools:f").parameters


def property_of(desk: Desk, parameter: str, before: str = "") -> JsonObject:
    properties = as_object(schema_of(desk, parameter, before)["properties"])
    (found,) = properties.values()
    return as_object(found)


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ("x: str", {"type": "string"}),
        ("x: int = 3", {"type": "integer", "default": 3}),
        ("x: float", {"type": "number"}),
        ("x: bool", {"type": "boolean"}),
        ("x: Any", {}),
        ("x: Optional[int] = None", {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}),
        ("x: int | None", {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        ("x: str = None", {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}),
        ("x: Literal['a', 'b']", {"type": "string", "enum": ["a", "b"]}),
        ("x: Literal['a']", {"type": "string", "const": "a"}),
        ("x: list[int]", {"type": "array", "items": {"type": "integer"}}),
        ("x: Sequence[str]", {"type": "array", "items": {"type": "string"}}),
        ("x: dict[str, int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
        ("x: set[str]", {"type": "array", "items": {"type": "string"}, "uniqueItems": True}),
        ("x: datetime.date", {"type": "string", "format": "date"}),
        ("x: uuid.UUID", {"type": "string", "format": "uuid"}),
        ("x: int | str", {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (
            "x: Annotated[int, Field(ge=1, description='how many')]",
            {"type": "integer", "minimum": 1, "description": "how many"},
        ),
        ("x: Annotated[int, 'how many']", {"type": "integer", "description": "how many"}),
        (
            "x: int = Field(5, description='how many', le=9)",
            {"type": "integer", "default": 5, "maximum": 9, "description": "how many"},
        ),
        ("x: str = Field(description='needed')", {"type": "string", "description": "needed"}),
        ("x: Annotated[str, Field(title='Loud', alias='y')]", {"type": "string"}),
        ("x=5", {"type": "integer", "default": 5}),
        ("x=None", {"default": None}),
        ("x='a'", {"type": "string", "default": "a"}),
        ("x: float = float('nan')", {"type": "number", "default": None}),
        ("x: object = object()", {}),
        (
            "x: datetime.date = datetime.date(2026, 1, 2)",
            {"type": "string", "format": "date", "default": "2026-01-02"},
        ),
    ],
)
def test_a_type_hint_becomes_its_schema(desk: Desk, parameter: str, expected: Json) -> None:
    assert property_of(desk, parameter) == expected


def test_a_whole_schema_is_closed_and_lists_what_is_required(desk: Desk) -> None:
    assert schema_of(desk, "a: str, b: int = 1, *, c: bool, ctx: ToolContext") == {
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "integer", "default": 1},
            "c": {"type": "boolean"},
        },
        "required": ["a", "c"],
        "additionalProperties": False,
    }


def test_a_tool_without_parameters(desk: Desk) -> None:
    assert schema_of(desk, "") == {"type": "object", "properties": {}, "additionalProperties": False}


def test_an_enum_is_its_values(desk: Desk) -> None:
    enum = "class Colour(enum.Enum):\n    RED = 'red'\n    BLUE = 'blue'"
    assert property_of(desk, "x: Colour = Colour.RED", enum) == {
        "type": "string",
        "enum": ["red", "blue"],
        "default": "red",
    }


@pytest.mark.parametrize(
    "kind",
    [
        "class Item(BaseModel):\n    sku: str\n    count: int = 1",
        "@dataclasses.dataclass\nclass Item:\n    sku: str\n    count: int = 1",
        "@pydantic.dataclasses.dataclass\nclass Item:\n    sku: str\n    count: int = 1",
    ],
)
def test_a_nested_object_stands_where_it_is_used(desk: Desk, kind: str) -> None:
    item = {
        "type": "object",
        "properties": {"sku": {"type": "string"}, "count": {"type": "integer", "default": 1}},
        "required": ["sku"],
        "additionalProperties": False,
    }
    assert schema_of(desk, "items: list[Item]", f"import pydantic.dataclasses\n{kind}")["properties"] == {
        "items": {"type": "array", "items": item}
    }


@pytest.mark.parametrize("module", ["typing", "typing_extensions"])
@pytest.mark.parametrize(
    "hint",
    ["Item", "list[Item]", "dict[str, Item]", "Optional[Item]", "Annotated[Item, 'it']", "tuple[Item, ...]"],
)
def test_typed_dicts_of_both_kinds(desk: Desk, module: str, hint: str) -> None:
    before = f"""
import {module} as t
class Inner(t.TypedDict):
    '''Inside.'''
    n: int
class Item(t.TypedDict, total=False):
    a: Required[int]
    b: list[Inner]
    c: Literal['x']
"""
    text = json.dumps(schema_of(desk, f"x: {hint}", before))
    assert '"required": ["a"]' in text
    assert '"b": {"items": {' in text
    assert '"n": {"type": "integer"}' in text
    desk.write("more.py", f"{HEAD}{before}\ndef f(x: {hint}): return repr(x)")
    value: Mapping[str, Json] = {"a": "1", "b": [{"n": 2}]}
    given: Json = [value] if "list" in hint or "tuple" in hint else {"k": value} if "dict[" in hint else value
    assert "'a': 1, 'b': [{'n': 2}]" in desk.call("more:f", x=given).text


def test_a_typed_dict_within_itself_says_what_to_use(desk: Desk) -> None:
    desk.write("tools.py", f"{HEAD}\nclass Node(TypedDict):\n    below: list[Node]\ndef f(x: Node): ...")
    problem = desk.problem("tools:f")
    assert problem.code == "tool-type"
    assert "typing_extensions.TypedDict" in problem.message


def test_a_type_used_twice_or_within_itself_is_defined_once(desk: Desk) -> None:
    before = (
        "class Part(BaseModel):\n    n: int\nclass Node(BaseModel):\n    kids: list[Node]\n    part: Part"
    )
    schema = schema_of(desk, "a: Node, b: Part", before)
    assert set(as_object(schema["$defs"])) == {"Node", "Part"}
    assert schema["properties"] == {"a": {"$ref": "#/$defs/Node"}, "b": {"$ref": "#/$defs/Part"}}
    assert "title" not in json.dumps(schema)


def test_a_property_may_be_called_title_and_values_stay_untouched(desk: Desk) -> None:
    before = "class Book(BaseModel):\n    title: str\n    default: dict[str, str] = {'title': 'kept'}"
    book = property_of(desk, "x: Book", before)
    assert as_object(book["properties"]).keys() == {"title", "default"}
    assert as_object(as_object(book["properties"])["default"])["default"] == {"title": "kept"}


def test_an_open_object_stays_open(desk: Desk) -> None:
    before = "class Loose(BaseModel):\n    model_config = {'extra': 'allow'}\n    n: int"
    assert property_of(desk, "x: Loose", before)["additionalProperties"] is True


def test_a_description_beside_a_definition_is_kept(desk: Desk) -> None:
    before = "class Colour(enum.Enum):\n    '''Any colour.'''\n    RED = 'red'\n    BLUE = 'blue'"
    found = property_of(desk, "x: Annotated[Colour, Field(description='of the car')]", before)
    assert found == {"type": "string", "enum": ["red", "blue"], "description": "of the car"}


@pytest.mark.parametrize("name", ["model_config", "schema", "_hidden", "json", "class_", "self_", "copy"])
def test_a_parameter_may_be_called_what_a_pydantic_field_may_not(desk: Desk, name: str) -> None:
    desk.write("tools.py", f"def f({name}: int): return {name} + 1")
    assert desk.call("tools:f", **{name: 2}).text == "3"


GOOGLE = """
    Looks up one
    account.

    More about it.

    Args:
        account_id: The account's id,
            such as ACC-1.
        limit (int): How many.

    Returns:
        The balance.
"""
NUMPY = """
    Looks up one
    account.

    Parameters
    ----------
    account_id : str
        The account's id,
        such as ACC-1.
    limit : int
        How many.
"""
REST = """Looks up one
    account.

    :param account_id: The account's id,
        such as ACC-1.
    :param int limit: How many.
    :returns: The balance.
"""


@pytest.mark.parametrize("docstring", [GOOGLE, NUMPY, REST])
def test_three_styles_of_docstrings_describe_tool_and_parameters(desk: Desk, docstring: str) -> None:
    desk.write("tools.py", f'def f(account_id: str, limit: int = 5):\n    """{docstring}"""\n')
    tool = desk.tool("tools:f")
    assert tool.description == "Looks up one account."
    properties = as_object(tool.parameters["properties"])
    assert as_object(properties["account_id"])["description"] == "The account's id, such as ACC-1."
    assert as_object(properties["limit"])["description"] == "How many."


@pytest.mark.parametrize(
    ("docstring", "description"),
    [
        ("", ""),
        ("One line.", "One line."),
        ("One.\n\n    Two.", "One."),
        (":param x: only this", ""),
        ("Note: keep Args in mind.", "Note: keep Args in mind."),
        ("Finds it.\n    Args:\n        x: the thing", "Finds it."),
    ],
)
def test_the_first_paragraph_is_the_description(desk: Desk, docstring: str, description: str) -> None:
    desk.write("tools.py", f'def f(x: int):\n    """{docstring}"""\n')
    assert desk.tool("tools:f").description == description


def test_a_docstring_that_the_library_fails_on_still_describes_the_tool(desk: Desk) -> None:
    desk.write("tools.py", 'def f(x: int):\n    """:    :\n    :raises:\n    """')
    assert desk.tool("tools:f").description == ": : :raises:"


def test_an_annotation_describes_before_the_docstring(desk: Desk) -> None:
    desk.write(
        "tools.py",
        (
            f"{HEAD}\n"
            'def f(x: Annotated[int, Field(description="near")]):\n'
            '    """A.\n'
            "\n"
            "    Args:\n"
            "        x: far\n"
            '    """\n'
        ),
    )
    assert as_object(as_object(desk.tool("tools:f").parameters["properties"])["x"])["description"] == "near"


def test_search_text_has_every_word_of_the_tool(desk: Desk) -> None:
    desk.write(
        "tools.py",
        f'''{HEAD}
class Leg(BaseModel):
    fromPlace: str = Field(description="where it starts")
def book_trip(legs: list[Leg], travel_class: Literal["economy", "business"], n: Optional[Leg] = None):
    """Books.

    With rail passes too.
    """
''',
    )
    tool = desk.tool(desk.entry("tools:book_trip", description="Reserves seats"))
    for words in (
        "book trip",
        "Reserves seats",
        "rail passes",
        "from Place",
        "where it starts",
        "travel class",
        "economy",
    ):
        assert words in tool.search_text
    assert tool.description == "Reserves seats"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import functools\ndef g(a: int, b: int): return a * b\nf = functools.partial(g, 2)", "b"),
        (
            (
                "class C:\n"
                "    '''No.'''\n"
                "    def __call__(self, b: int):\n"
                "        '''Yes.'''\n"
                "        return b * 2\n"
                "f = C()"
            ),
            "b",
        ),
        ("class C:\n    def g(self, b: int): return b * 2\nf = C().g", "b"),
        ("class C:\n    @classmethod\n    def g(cls, b: int): return b * 2\nf = C.g", "b"),
        (
            (
                "from functools import wraps\n"
                "def d(g):\n"
                "    @wraps(g)\n"
                "    def h(*a, **k): return g(*a, **k) * 2\n"
                "    return h\n"
                "@d\n"
                "def f(b: int): return b"
            ),
            "b",
        ),
    ],
)
def test_any_callable_with_a_signature(desk: Desk, source: str, name: str) -> None:
    desk.write("tools.py", f"from __future__ import annotations\n{source}")
    tool = desk.tool("tools:f")
    assert tool.parameters["properties"] == {name: {"type": "integer"}}
    assert desk.call("tools:f", b=3).text in ("6", '{"b":3}')


def test_a_discriminated_union_names_no_definitions_that_are_gone(desk: Desk) -> None:
    before = (
        "class Cat(BaseModel):\n    kind: Literal['cat']\n"
        "class Dog(BaseModel):\n    kind: Literal['dog']\n    age: int"
    )
    found = json.dumps(schema_of(desk, "x: Annotated[Cat | Dog, Field(discriminator='kind')]", before))
    assert "$defs" not in found
    assert '"oneOf"' in found
