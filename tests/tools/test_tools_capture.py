from __future__ import annotations

import asyncio
import sys

import pytest
from tools_desk import Desk, call, context, desk_fixture

from agentctl.tools.capture import PRINTED_LIMIT, ToStderr, routed
from agentctl.tools.tool import ToolResult

desk = desk_fixture


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_what_a_tool_prints_is_kept_and_not_on_stdout(
    desk: Desk, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.write(
        "tools.py",
        f"""
        import sys
        {kind} f():
            print("one")
            print("two", file=sys.stderr, flush=True)
            sys.stdout.buffer.write(b"three\\n")
            sys.stdout.buffer.flush()
            sys.stdout.writelines(["four", "\\n"])
            print("\\ud800")
            sys.stdout.close()
            assert not sys.stdout.isatty()
            assert sys.stdout.encoding.lower() == "utf-8"
            raise ValueError
        """,
    )
    before = (sys.stdout, sys.stderr)
    result = desk.call("tools:f")
    assert result == ToolResult(text="ValueError", error=True, printed="one\ntwo\nthree\nfour\n?\n")
    assert (sys.stdout, sys.stderr) == before
    assert capsys.readouterr() == ("", "")


def test_each_of_several_calls_keeps_its_own(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.write(
        "tools.py",
        """
        import asyncio, threading
        meet = threading.Barrier(2)
        def f(n: int):
            meet.wait(10)
            print(n)
            meet.wait(10)
            print(n)
        async def g(n: int):
            print(n)
            await asyncio.sleep(0)
            await asyncio.create_task(inner(n))
        async def inner(n):
            print(n)
        """,
    )

    async def main() -> list[str]:
        tools = [desk.tool("tools:f"), desk.tool("tools:g")]
        calls = [tool.call({"n": n}, context()) for tool in tools for n in (1, 2)]
        gathered = asyncio.gather(*calls)
        await asyncio.sleep(0)
        sys.stdout.write("the program's own\n")
        return [result.printed for result in await gathered]

    assert asyncio.run(main()) == ["1\n1\n", "2\n2\n", "1\n1\n", "2\n2\n"]
    assert capsys.readouterr() == ("the program's own\n", "")


POOLS = """
    import threading
    from concurrent.futures import ThreadPoolExecutor
    meet = threading.Barrier(2)
    def say(n): print(n)
    def f():
        with ThreadPoolExecutor(1) as pool:
            list(pool.map(say, [1]))
    def g():
        meet.wait(10)
        f()
        meet.wait(10)
"""


def test_threads_that_a_tool_starts_print_for_it(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.write("tools.py", POOLS)
    assert desk.call("tools:f").printed == "1\n"
    assert capsys.readouterr() == ("", "")


def test_threads_of_several_tools_at_once_print_to_stderr(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.write("tools.py", POOLS)
    tool = desk.tool("tools:g")

    async def main() -> None:
        await asyncio.gather(tool.call({}, context()), tool.call({}, context()))

    asyncio.run(main())
    assert capsys.readouterr() == ("", "1\n1\n")


def test_endless_printing_is_bounded(desk: Desk) -> None:
    desk.write("tools.py", "def f():\n    for _ in range(100):\n        print('x' * 999)")
    printed = desk.call("tools:f").printed
    assert printed.startswith("xxx")
    assert printed.endswith("… 50,000 more characters were printed")
    assert len(printed) < PRINTED_LIMIT + 100


def test_a_process_without_streams(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write("tools.py", "def f():\n    print('kept')")
    tool = desk.tool("tools:f")
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert call(tool).printed == "kept\n"
    with routed(ToStderr()):
        sys.stdout.write("nowhere")
    assert sys.stdout is None


def test_streams_outside_a_route_stay_what_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    import contextvars

    def outside() -> None:
        sys.stdout.write("plain\n")
        sys.stdout.flush()
        sys.stdout.buffer.write(b"bytes")
        sys.stdout.buffer.flush()
        assert sys.stdout.isatty() is False

    context_before = contextvars.copy_context()
    with routed(ToStderr()):
        context_before.run(outside)
        sys.stdout.write("routed")
    assert capsys.readouterr() == ("plain\nbytes", "routed")


def test_a_stream_that_was_replaced_during_a_call_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    replaced = io.StringIO()
    with routed(ToStderr()):
        monkeypatch.setattr(sys, "stdout", replaced)
        monkeypatch.setattr(sys, "stderr", replaced)
    assert sys.stdout is replaced
    assert sys.stderr is replaced


def test_closing_a_stream_outside_a_route_closes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import contextvars
    import io

    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    before = contextvars.copy_context()
    with routed(ToStderr()):
        before.run(lambda: sys.stdout.close())
    assert stream.closed
