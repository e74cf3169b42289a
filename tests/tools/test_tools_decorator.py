from __future__ import annotations

import pytest
from tools_desk import Desk, desk_fixture

from agentctl.spec.settings import FunctionRef, Retry
from agentctl.tools.decorator import tool

desk = desk_fixture

SOURCE = """
    from agentctl.tools.decorator import tool
    @tool(name="balance", description="In code.", idempotent=True, approve=True, timeout=5, max_output=10)
    def f():
        '''Doc.'''
        return 'x' * 100
    @tool
    def bare(): ...
    class C:
        @tool(name="outer")
        @staticmethod
        def s(): ...
        @tool(name="klass")
        @classmethod
        def k(cls): ...
"""


def test_options_in_code_hold_where_the_file_states_none(desk: Desk) -> None:
    desk.write("tools.py", SOURCE)
    found = desk.tool("tools:f")
    assert (found.name, found.description, found.idempotent, found.approve) == (
        "balance",
        "In code.",
        True,
        True,
    )
    assert desk.call("tools:f").text == "x" * 10


def test_the_file_wins(desk: Desk) -> None:
    desk.write("tools.py", SOURCE)
    when = FunctionRef(target="tools:bare", folder=desk.folder, span=desk.entry("a:b").span)
    found = desk.tool(desk.entry("tools:f", name="other", description="In YAML.", approve=when))
    assert (found.name, found.description, found.approve) == ("other", "In YAML.", when)
    assert desk.call(desk.entry("tools:f", max_output=20)).text == "x" * 20


def test_the_file_wins_also_with_what_is_the_default(desk: Desk) -> None:
    desk.write("tools.py", SOURCE)
    stated = frozenset({"approve", "idempotent", "timeout", "retry", "max_output"})
    entry = desk.entry("tools:f", stated=stated)
    found = desk.tool(entry)
    assert (found.approve, found.idempotent) == (False, False)
    assert desk.call(entry).text == "x" * 100


def test_bare_and_above_static_and_class_methods(desk: Desk) -> None:
    desk.write("tools.py", SOURCE)
    assert [desk.tool(f"tools:{name}").name for name in ("bare", "C.s", "C.k")] == ["bare", "outer", "klass"]


def test_a_function_stays_what_it_is() -> None:
    def plain(x: int) -> int:
        return x + 1

    assert tool(plain) is plain
    assert tool(timeout=3, approve="never", retry=Retry())(plain)(1) == 2


def test_values_out_of_range_are_refused_where_they_are_written(desk: Desk) -> None:
    for option in ("timeout=0", "timeout=float('nan')", "max_output=0", "retry=0", "approve='maybe'"):
        desk.write("tools.py", f"from agentctl.tools.decorator import tool\n@tool({option})\ndef f(): ...")
        with pytest.raises(ValueError, match=f"'{option.partition('=')[0]}' is "):
            exec((desk.folder / "tools.py").read_text(), {})


def test_retries_in_code(desk: Desk) -> None:
    desk.write(
        "tools.py",
        """
        from agentctl.spec.settings import Retry
        from agentctl.tools.decorator import tool
        n = []
        @tool(idempotent=True, retry=Retry(attempts=2, delay=0.0))
        def f():
            n.append(1)
            if len(n) < 2: raise OSError
            return len(n)
        """,
    )
    assert desk.call("tools:f").text == "2"
