from __future__ import annotations

import pytest
from tools_desk import Desk, desk_fixture, span

from agentctl.spec.settings import Retry

desk = desk_fixture


@pytest.mark.parametrize(
    ("source", "message", "hint"),
    [
        (
            "def f(*args): ...",
            '"tools:f" takes "*args", which a model cannot be told how to fill',
            "name each parameter",
        ),
        ("def f(**more: int): ...", '"tools:f" takes "**more", which', "`functools.wraps`"),
        (
            "def f(x): ...",
            'parameter "x" of "tools:f" has neither a type hint nor a default',
            "such as `x: str`",
        ),
        (
            "class C:\n    def f(self, x: int): ...\nf = C.f",
            '"tools:f" is a method without its object',
            "`@staticmethod`",
        ),
        (
            (
                "from __future__ import annotations\n"
                "from typing import TYPE_CHECKING\n"
                "if TYPE_CHECKING:\n"
                "    from decimal import Decimal\n"
                "def f(x: list[Decimal]) -> Missing: ..."
            ),
            (
                'the type hint of parameter "x" of "tools:f" cannot be evaluated: '
                '"Decimal" is not defined in its module'
            ),
            'import "Decimal" at the top of the module, not only under `TYPE_CHECKING`',
        ),
        ("def f(x: '1 +'): ...", "cannot be evaluated: SyntaxError", "a type that Python can evaluate"),
        (
            "import itertools\nf = type('N', (), {'__call__': 5})()",
            '"tools:f" does not say which parameters',
            "wrap it",
        ),
    ],
)
def test_a_signature_that_no_model_could_fill(desk: Desk, source: str, message: str, hint: str) -> None:
    desk.write("tools.py", source)
    problem = desk.problems("tools:f")[0]
    assert problem.code == "tool-signature"
    assert message in problem.message
    assert problem.hint is not None
    assert hint in problem.hint


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("socket.socket", "Unable to generate pydantic-core schema for <class 'socket.socket'>"),
        ("Callable[[], int]", "Cannot generate a JsonSchema"),
        ("Broken", "RuntimeError"),
    ],
)
def test_a_type_without_a_schema_is_blamed_on_its_parameter(desk: Desk, kind: str, reason: str) -> None:
    desk.write(
        "tools.py",
        f"""
        import socket
        from collections.abc import Callable
        class Broken:
            @classmethod
            def __get_pydantic_core_schema__(cls, *given): raise RuntimeError('RuntimeError inside')
        def f(a: int, b: {kind}, c: str): ...
        """,
    )
    problem = desk.problem("tools:f")
    assert problem.code == "tool-type"
    assert problem.message.startswith('parameter "b" of "tools:f" has no JSON Schema: ')
    assert reason in problem.message


def test_every_problem_of_every_tool_and_function_at_once(desk: Desk) -> None:
    desk.write("tools.py", "def good(x: int): ...\ndef two(a, b): ...")
    loaded = desk.load(
        desk.entry("tools:good", line=1),
        desk.entry("tools:two", line=2),
        desk.entry("missing:f", line=3),
        desk.entry("tools:good", line=4, name="bad name", args={"y": 1}),
        functions=[desk.ref("tools:none", line=5), desk.ref("tools:good", line=6)],
    )
    assert [(each.code, each.span.line, each.pointer) for each in loaded.problems] == [
        ("tool-signature", 2, "/refs/2"),
        ("tool-signature", 2, "/refs/2"),
        ("module-missing", 3, "/refs/3"),
        ("tool-name", 4, "/tools/4/name"),
        ("tool-args", 4, "/tools/4/args/y"),
        ("attribute-missing", 5, "/refs/5"),
    ]
    assert [tool.name for tool in loaded.tools["agent"]] == ["good"]
    assert [ref.target for ref in loaded.functions] == ["tools:good"]


def test_the_same_fault_at_two_places_is_told_at_both(desk: Desk) -> None:
    problems = desk.problems(
        desk.entry("no:f", line=1), desk.entry("no:f", line=2), desk.entry("no:f", line=2)
    )
    assert [each.span.line for each in problems] == [1, 2]


def test_conditions_of_approval_are_functions_too(desk: Desk) -> None:
    desk.write("tools.py", "def f(x: int): ...\ndef when(x): return True")
    condition, missing = desk.ref("tools:when", line=8), desk.ref("tools:whn", line=9)
    loaded = desk.load(
        desk.entry("tools:f", approve=condition), desk.entry("tools:f", name="g", approve=missing)
    )
    assert loaded.tools["agent"][0].approve == condition
    assert condition in loaded.functions
    assert [(each.code, each.span.line) for each in loaded.problems] == [("attribute-missing", 9)]


@pytest.mark.parametrize("name", ["bad name", "x" * 65, "größe", "a.b", "a/b"])
def test_a_name_that_providers_refuse(desk: Desk, name: str) -> None:
    desk.write("tools.py", "def f(): ...")
    problem = desk.problem(desk.entry("tools:f", name=name))
    assert problem.code == "tool-name"
    assert f'"{name}" cannot be a tool\'s name' in problem.message


def test_a_function_with_a_name_that_providers_refuse_needs_another(desk: Desk) -> None:
    desk.write("tools.py", "def prüfe(): ...")
    assert desk.problem("tools:prüfe").hint == "give the tool another `name`"
    assert desk.tool(desk.entry("tools:prüfe", name="check")).name == "check"


def test_two_tools_of_one_agent_with_one_name(desk: Desk) -> None:
    desk.write(
        "tools.py", "from agentctl.tools.decorator import tool\ndef f(): ...\n@tool(name='f')\ndef g(): ..."
    )
    problem = desk.problems(desk.entry("tools:f", line=3), desk.entry("tools:g", line=7))[0]
    assert (problem.code, problem.span.line) == ("tool-duplicate", 7)
    assert problem.message == 'this agent already has a tool called "f" (line 3)'
    assert [each.span for each in problem.related] == [span(3)]


def test_a_name_is_free_in_another_agent(desk: Desk) -> None:
    from agentctl.tools.toolbox import load_toolboxes

    desk.write("tools.py", "def f(): ...")
    loaded = load_toolboxes(
        {"a": [desk.entry("tools:f")], "b": [desk.entry("tools:f")]}, [], importer=desk.importer
    )
    assert loaded.problems == ()
    assert [tool.name for tools in loaded.tools.values() for tool in tools] == ["f", "f"]


def test_retry_of_what_may_not_run_twice(desk: Desk) -> None:
    desk.write("tools.py", "from agentctl.tools.decorator import tool\n@tool(retry=2)\ndef f(): ...")
    problem = desk.problem("tools:f")
    assert (problem.code, problem.message) == ("tool-retry", '"f" has `retry` but may not be run twice')
    assert desk.problems(desk.entry("tools:f", idempotent=True)) == ()
    assert desk.problem(desk.entry("tools:f", retry=Retry())).code == "tool-retry"


def test_fixed_arguments_are_hidden_checked_and_converted(desk: Desk) -> None:
    desk.write(
        "tools.py",
        "import datetime\ndef f(amount: float, currency: str, day: datetime.date, tags: list[str] = []):\n"
        "    tags.append('x')\n    return [amount, currency, day.year, tags]",
    )
    entry = desk.entry("tools:f", args={"currency": "USD", "day": "2026-01-02", "tags": ["a"]})
    tool = desk.tool(entry)
    assert tool.parameters["properties"] == {"amount": {"type": "number"}}
    assert desk.call(entry, amount="2").text == '[2.0,"USD",2026,["a","x"]]'
    assert desk.call(entry, amount=2).text == '[2.0,"USD",2026,["a","x"]]'
    assert (
        tool.check({"amount": 1, "currency": "EUR"})
        == "currency: there is no such parameter, there are 'amount'"
    )


def test_fixed_arguments_that_do_not_exist_or_fit(desk: Desk) -> None:
    desk.write(
        "tools.py",
        (
            "from agentctl.tools.tool import ToolContext\n"
            "def f(a: int, colour: str, ctx: ToolContext): ...\n"
            "def g(): ..."
        ),
    )
    problems = desk.problems(desk.entry("tools:f", args={"a": "x", "color": "red", "ctx": 1}))
    assert [(each.message, each.hint) for each in problems] == [
        ('"tools:f" has no parameter "color", which `args` fixes', 'did you mean "colour"?'),
        ('"tools:f" has no parameter "ctx", which `args` fixes', 'it has "a", "colour"'),
        (
            'the fixed `args` do not fit "tools:f": a: Input should be a valid integer, '
            "unable to parse string as an integer, got 'x'",
            "give values of those types",
        ),
    ]
    assert desk.problem(desk.entry("tools:g", args={"a/b": 1})).pointer == "/tools/1/args/a~1b"


def test_what_a_tool_tells_of_itself(desk: Desk) -> None:
    desk.write("tools.py", "class C:\n    @staticmethod\n    def check(x: int): ...")
    tool = desk.tool(desk.entry("tools:C.check", approve="always", idempotent=True))
    assert (tool.name, tool.source, tool.folder) == ("check", "tools:C.check", desk.folder)
    assert (tool.approve, tool.idempotent) == (True, True)


def test_a_signature_of_its_own_that_raises(desk: Desk) -> None:
    desk.write(
        "tools.py",
        """
        class Odd:
            @property
            def __signature__(self): raise RuntimeError('none today')
            def __call__(self): ...
        odd = Odd()
        """,
    )
    message = desk.problem("tools:odd").message
    assert message == '"tools:odd" does not say which parameters it takes: RuntimeError: none today'


def test_a_type_that_fails_only_the_first_time_is_still_told(desk: Desk) -> None:
    desk.write(
        "tools.py",
        """
        class Moody:
            asked = []
            @classmethod
            def __get_pydantic_core_schema__(cls, source, handler):
                cls.asked.append(1)
                if len(cls.asked) == 1: raise RuntimeError('not now')
                return handler(int)
        def f(x: Moody): ...
        """,
    )
    assert desk.problem("tools:f").message == '"tools:f" has no JSON Schema: not now'
