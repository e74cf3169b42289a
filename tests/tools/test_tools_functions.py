from __future__ import annotations

import asyncio
from functools import partial

import pytest
from tools_desk import Desk, desk_fixture

from agentctl.errors import ExecutionFailed, FatalToolError
from agentctl.jsontypes import Json
from agentctl.tools.functions import call_function

desk = desk_fixture

SOURCE = """
    import enum, threading
    from agentctl.errors import FatalToolError
    class To(enum.Enum):
        BILLING = 'billing'
    def sync(request, agents, *, loud=False):
        print('routing')
        return [To.BILLING, sorted(agents), threading.current_thread() is threading.main_thread(), loud]
    async def later(request):
        return request
    def bad(request):
        raise ValueError('no idea')
    def fatal():
        raise FatalToolError('stop')
    class Chooser:
        def __call__(self):
            raise KeyError('k')
    chooser = Chooser()
"""


def run(desk: Desk, target: str, *arguments: object, **named: object) -> Json:
    desk.write("tools.py", SOURCE)
    function = desk.function(target)
    assert callable(function)

    async def main() -> Json:
        return await call_function(function, *arguments, **named)

    return asyncio.run(main())


def test_a_function_gives_json(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(desk, "tools:sync", "q", {"b": 1, "a": 2}, loud=True) == ["billing", ["a", "b"], False, True]
    assert capsys.readouterr() == ("", "routing\n")


def test_an_async_function_is_awaited(desk: Desk) -> None:
    assert run(desk, "tools:later", "q") == "q"


def test_a_failure_names_the_function_and_what_it_raised(desk: Desk) -> None:
    with pytest.raises(ExecutionFailed) as caught:
        run(desk, "tools:bad", "q")
    assert caught.value.message == "the function 'tools:bad' raised ValueError: no idea"
    assert caught.value.as_json()["code"] == "function-failed"
    with pytest.raises(ExecutionFailed, match="'tools:Chooser' raised KeyError: 'k'"):
        run(desk, "tools:chooser")
    with pytest.raises(ExecutionFailed, match=r"'tools:sync' raised TypeError: sync\(\) missing"):
        run(desk, "tools:sync")


def test_a_fatal_error_comes_through(desk: Desk) -> None:
    with pytest.raises(FatalToolError, match="stop"):
        run(desk, "tools:fatal")


def test_a_partial_is_named_by_what_it_calls() -> None:
    with pytest.raises(ExecutionFailed, match="'builtins:int' raised ValueError"):
        asyncio.run(_await(partial(int, "x")))


async def _await(function: partial[int]) -> Json:
    return await call_function(function)
