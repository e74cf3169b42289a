from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest
from tools_desk import Desk, call, context, desk_fixture

from agentctl.errors import FatalToolError
from agentctl.jsontypes import Json
from agentctl.spec.settings import Retry
from agentctl.tools.results import NO_VALUE, NO_WORDS
from agentctl.tools.tool import Tool, ToolResult

desk = desk_fixture

DEEP = '"<nested too deeply>"'
ONCE = Retry(attempts=3, backoff="fixed", delay=0.0)


def one(desk: Desk, body: str, **arguments: Json) -> ToolResult:
    """The result of a function with this body."""
    desk.write("tools.py", f"import asyncio, sys, threading, time\nfrom agentctl.errors import *\n{body}")
    return desk.call("tools:f", **arguments)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("'5432.10'", "5432.10"),
        ("{'b': 1, 'a': [True, None]}", '{"b":1,"a":[true,null]}'),
        ("'é' * 2", "éé"),
        ("['é']", '["é"]'),
        ("0", "0"),
        ("False", "false"),
        ("''", ""),
        ("None", NO_VALUE),
        ("{1, 2}", "[1,2]"),
        ("__import__('decimal').Decimal('1.10')", "1.10"),
        ("__import__('datetime').date(2026, 1, 2)", "2026-01-02"),
        ("(n for n in range(3))", "[0,1,2]"),
        ("map(str, [1])", '["1"]'),
        ("b'a'", "base64:YQ=="),
        ("__import__('datetime').timedelta(minutes=5)", "PT300S"),
        ("-__import__('datetime').timedelta(milliseconds=1500)", "-PT1.5S"),
        ("[float('nan'), float('inf')]", "[null,null]"),
        ("10**4000", str(10**4000)),
        ("[2**20000]", f'["{hex(2**20000)}"]'),
    ],
)
def test_a_value_as_the_model_reads_it(desk: Desk, expression: str, text: str) -> None:
    result = one(desk, f"def f():\n    return {expression}")
    assert result == ToolResult(text=text)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            "def f():\n    a = [1]\n    a += [a, a]\n    return a",
            '[1,"<contains itself>","<contains itself>"]',
        ),
        ("class C:\n    def __repr__(self): raise ValueError\ndef f(): return [1, C()]", '[1,"<C>"]'),
        ("class C(str):\n    def __str__(self): raise ValueError\ndef f(): return [1, C()]", '[1,"<C>"]'),
        (
            "def f():\n    a = []\n    for _ in range(102): a = [a]\n    return a",
            f"{'[' * 101}{DEEP}{']' * 101}",
        ),
        ("def f(): return '\\ud800'", "?"),
        (
            "class C:\n    def __iter__(self):\n        while True: yield 1\ndef f(): return C()",
            f'[{"1," * 100_000}"<and more>"]',
        ),
    ],
)
def test_no_value_is_too_odd_to_be_told(desk: Desk, body: str, text: str) -> None:
    result = one(desk, body)
    assert (result.full or result.text) == text


@pytest.mark.parametrize(
    "body",
    ["import itertools\ndef f(): return itertools.count()", "async def f():\n    while True: yield 1"],
)
def test_what_has_no_end_is_an_error_and_fills_no_memory(desk: Desk, body: str) -> None:
    result = one(desk, body)
    assert (result.error, "more than 100,000 items" in result.text) == (True, True)


@pytest.mark.parametrize(
    "body",
    [
        "async def f(): return 7",
        "def f(): return asyncio.sleep(0, 7)",
        "async def g(): return 7\ndef f(): return g()",
        "async def g(): return 7\nasync def f(): return g()",
        "class C:\n    async def __call__(self): return 7\nf = C()",
        "import functools\nasync def g(n: int): return n\nf = functools.partial(g, 7)",
        "def f(): return asyncio.run(asyncio.sleep(0, 7))",
    ],
)
def test_whatever_awaitable_comes_back_is_awaited(desk: Desk, body: str) -> None:
    assert one(desk, body).text == "7"


def test_async_generators_are_collected(desk: Desk) -> None:
    assert one(desk, "async def f():\n    yield 1\n    yield 2").text == "[1,2]"


def test_functions_run_in_daemon_threads_and_async_ones_share_one(desk: Desk) -> None:
    body = "t = threading.current_thread()\n    return [t.daemon, t is threading.main_thread(), t.ident]"
    desk.write("tools.py", f"import threading\ndef f():\n    {body}\nasync def g():\n    {body}")

    async def main() -> list[str]:
        tools = [desk.tool(f"tools:{name}") for name in ("f", "g", "g")]
        return [(await tool.call({}, context())).text for tool in tools]

    sync, one, other = asyncio.run(main())
    assert sync.startswith("[true,false,")
    assert one.startswith("[true,false,")
    assert one == other


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_context_variables_reach_the_thread(desk: Desk, kind: str) -> None:
    from contextvars import ContextVar

    import agentctl.tools.running as running

    variable: ContextVar[str] = ContextVar("variable", default="unset")
    desk.write(
        "tools.py",
        (
            "import contextvars\n"
            f"{kind} f(): return {{v.name: x for v, x in contextvars.copy_context().items()}}['variable']"
        ),
    )

    async def main() -> str:
        variable.set("set")
        return (await desk.tool("tools:f").call({}, context())).text

    assert running.GRACE > 0
    assert asyncio.run(main()) == "set"


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("raise ValueError('no such account')", "ValueError: no such account"),
        ("raise ValueError", "ValueError"),
        ("{}['x']", "KeyError: 'x'"),
        ("raise ToolError('Ask for the id first.')", "Ask for the id first."),
        ("raise ToolError", NO_WORDS),
        ("sys.exit(3)", "SystemExit: 3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise StopIteration", "StopIteration"),
        ("raise asyncio.CancelledError", "CancelledError"),
        ("raise GeneratorExit", "GeneratorExit"),
        (
            "raise ExceptionGroup('two', [ValueError('a'), OSError('b')])",
            "ExceptionGroup: two: ValueError: a; OSError: b",
        ),
        ("raise UsageError('not fatal')", "UsageError: not fatal"),
    ],
)
def test_an_exception_is_an_error_result_and_never_a_traceback(desk: Desk, statement: str, text: str) -> None:
    assert one(desk, f"def f():\n    {statement}") == ToolResult(text=text, error=True)


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("raise ValueError('no')", "ValueError: no"),
        ("sys.exit(3)", "SystemExit: 3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise asyncio.CancelledError", "CancelledError"),
        ("asyncio.current_task().cancel(); await asyncio.sleep(9)", "CancelledError"),
    ],
)
def test_an_async_function_may_raise_the_same(desk: Desk, statement: str, text: str) -> None:
    assert one(desk, f"async def f():\n    {statement}") == ToolResult(text=text, error=True)


def test_a_generator_that_fails_midway_is_an_error(desk: Desk) -> None:
    assert one(desk, "def f():\n    yield 1\n    raise ValueError('midway')").text == "ValueError: midway"


def test_a_long_error_is_bounded(desk: Desk) -> None:
    result = one(desk, "def f(): raise ValueError('x' * 100_000)")
    assert len(result.text) < 2_100


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_a_fatal_error_comes_through(desk: Desk, kind: str) -> None:
    with pytest.raises(FatalToolError, match="the database is gone"):
        one(desk, f"{kind} f(): raise FatalToolError('the database is gone')")


def test_arguments_that_do_not_fit_are_an_error_and_nothing_runs(desk: Desk) -> None:
    result = one(desk, "def f(x: int):\n    raise FatalToolError('ran')", x="many")
    assert result.error
    assert result.text.startswith("x: Input should be a valid integer")


def test_arguments_are_converted_and_defaults_left_to_the_function(desk: Desk) -> None:
    body = "def f(a: int, /, b: float = 1.5, *, c: list[int] = [7]): return [a, b, c]"
    assert one(desk, body, a="5").text == "[5,1.5,[7]]"
    assert one(desk, body, a=5, b="2", c=["1"]).text == "[5,2.0,[1]]"


@pytest.mark.parametrize(
    ("hint", "given", "text"),
    [
        ("Literal[1, 2]", "2", "2"),
        ("Literal[1, 2]", " 1 ", "1"),
        ("Literal[1, 2]", 2, "2"),
        ("Literal[True, False]", "false", "false"),
        ("Literal['1', 2]", "1", "1"),
        ("list[Literal[1, 2]]", ["1", 2], "[1,2]"),
        ("Literal[1, 2] | None", "2", "2"),
        ("Literal[1, 2] | list[str]", "2", "2"),
        ("Size", "3", "3"),
        ("Size", "0.5", "0.5"),
        ("Item", {"size": "3", "n": "1"}, '{"size":3,"n":1}'),
    ],
)
def test_a_listed_number_is_read_from_text_as_an_int_is(
    desk: Desk, hint: str, given: Json, text: str
) -> None:
    body = (
        "import enum\nfrom typing import Literal\nfrom pydantic import BaseModel\n"
        "class Size(enum.Enum):\n    LARGE = 3\n    SMALL = 0.5\n"
        "class Item(BaseModel):\n    size: Size\n    n: Literal[1, 2]\n"
        f"def f(x: {hint}): return x"
    )
    assert one(desk, body, x=given) == ToolResult(text=text)


def test_what_is_not_among_the_listed_numbers_is_told(desk: Desk) -> None:
    body = "from typing import Literal\ndef f(x: Literal[1, 2], y: int = 0): return x"
    assert one(desk, body, x="3").text.startswith("x: Input should be 1 or 2")
    both = desk.call("tools:f", x="2", y="many")
    assert both.text.startswith("y: ")


def test_positional_only_parameters_with_a_gap(desk: Desk) -> None:
    assert one(desk, "def f(a: int, b: int = 2, c: int = 3, /): return [a, b, c]", a=1, c=9).text == "[1,2,9]"


def test_defaults_written_as_fields(desk: Desk) -> None:
    body = (
        "from pydantic import Field\n"
        "def f(a: int = Field(5, ge=1), b: list[int] = Field(default_factory=list)):\n"
        "    b.append(a)\n    return b"
    )
    assert one(desk, body).text == "[5]"
    assert desk.call("tools:f", a=6).text == "[6]"
    assert "greater than or equal to 1" in desk.call("tools:f", a=0).text


def test_what_a_tool_does_to_its_arguments_changes_no_record(desk: Desk) -> None:
    desk.write("tools.py", "from typing import Any\ndef f(x: Any):\n    x['n'].append(2)\n    return x")
    given: dict[str, Json] = {"n": [1]}
    assert desk.call("tools:f", x=given).text == '{"n":[1,2]}'
    assert given == {"n": [1]}


class Waiting:
    """A file that a tool waits for, so that nothing depends on how fast a machine is."""

    def __init__(self, desk: Desk) -> None:
        self.path = desk.folder / "go"
        self.source = (
            "import pathlib, time\n"
            "def wait():\n"
            f"    while not pathlib.Path({str(self.path)!r}).exists():\n"
            "        time.sleep(0.001)\n"
        )

    def go(self) -> None:
        self.path.touch()
        for thread in threading.enumerate():
            if thread.name == "agentctl-function":
                thread.join(5)


def test_a_blocking_call_out_of_time_tells_the_model_and_goes_on_by_itself(desk: Desk) -> None:
    waiting = Waiting(desk)
    desk.write(
        "tools.py",
        waiting.source
        + "def f():\n    wait()\n    pathlib.Path(__file__).with_name('effect').touch()\n    print('late')",
    )
    result = desk.call(desk.entry("tools:f", timeout=0.01))
    assert result == ToolResult(
        text=(
            "'f' did not finish within 0.01 s. It may still be running, and "
            "whether it took effect is unknown."
        ),
        error=True,
    )
    waiting.go()
    assert (desk.folder / "effect").exists()


@pytest.mark.parametrize(
    "body",
    [
        "async def f():\n    await asyncio.sleep(60)",
        "def f():\n    return asyncio.sleep(60)",
        (
            "async def f():\n"
            "    try:\n"
            "        await asyncio.sleep(60)\n"
            "    finally:\n"
            "        await asyncio.sleep(0)"
        ),
        (
            "async def f():\n"
            "    try:\n"
            "        await asyncio.sleep(60)\n"
            "    except asyncio.CancelledError:\n"
            "        return 'late'"
        ),
    ],
)
def test_an_async_call_out_of_time_is_stopped(desk: Desk, body: str) -> None:
    desk.write("tools.py", f"import asyncio\n{body}")
    result = desk.call(desk.entry("tools:f", timeout=0.01))
    assert result.error
    assert "unknown" in result.text


def test_an_async_call_that_will_not_stop_is_left_to_itself(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agentctl.tools.running.GRACE", 0.01)
    desk.write(
        "tools.py",
        """
        import asyncio
        async def f():
            event = asyncio.Event()
            try:
                await event.wait()
            except asyncio.CancelledError:
                await event.wait()
        """,
    )
    assert "may still be running" in desk.call(desk.entry("tools:f", timeout=0.01)).text


def test_an_async_function_that_blocks_is_out_of_time_and_others_go_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agentctl.tools.function_loop.TAKEN", 0.05)
    monkeypatch.setattr("agentctl.tools.running.GRACE", 0.01)
    waiting = Waiting(desk)
    desk.write(
        "tools.py",
        waiting.source
        + "import asyncio\nasync def f():\n    wait()\n"
        + "async def g():\n    await asyncio.sleep(0)\n    return 'on'",
    )

    async def main() -> None:
        blocked = desk.tool(desk.entry("tools:f", timeout=0.2))
        free = desk.tool("tools:g")
        late, *found = await asyncio.gather(_call(blocked), *(_call(free) for _ in range(3)))
        assert "may still be running" in late.text
        assert [each.text for each in found] == ["on", "on", "on"]
        waiting.path.touch()

    asyncio.run(main())


def test_a_call_that_was_not_begun_in_time_is_never_made(desk: Desk) -> None:
    waiting = Waiting(desk)
    desk.write(
        "tools.py",
        waiting.source
        + "async def f():\n    pathlib.Path(__file__).with_name('begun').touch()\n    wait()\n"
        + "async def g():\n    pathlib.Path(__file__).with_name('effect').touch()",
    )

    async def main() -> None:
        blocked = asyncio.create_task(_call(desk.tool("tools:f")))
        for _ in range(20_000):
            if (desk.folder / "begun").exists():
                break
            await asyncio.sleep(0.001)
        late = await _call(desk.tool(desk.entry("tools:g", timeout=0.01)))
        assert late.error
        waiting.path.touch()
        assert not (await blocked).error

    asyncio.run(main())
    assert not (desk.folder / "effect").exists()


def test_calls_of_a_run_share_what_is_bound_to_a_loop(desk: Desk) -> None:
    desk.write(
        "tools.py",
        """
        import asyncio
        queue = asyncio.Queue(1)
        async def f(n: int):
            return await queue.put(n) if n else await queue.get()
        """,
    )
    tool = desk.tool("tools:f")

    async def main() -> list[str]:
        calls = (tool.call({"n": n}, context()) for n in (0, 1, 0, 2))
        return sorted(result.text for result in await asyncio.gather(*calls))

    assert asyncio.run(main()) == [NO_VALUE, NO_VALUE, "1", "2"]


def test_tasks_that_a_function_leaves_behind_end_with_the_loop_of_the_run(desk: Desk) -> None:
    desk.write(
        "tools.py",
        """
        import asyncio, pathlib, sys
        async def left():
            try:
                await asyncio.sleep(600)
            finally:
                pathlib.Path(__file__).with_name('cleaned').touch()
        async def exits():
            sys.exit(3)
        tasks = []
        async def f():
            tasks.append(asyncio.create_task(left()))
            tasks.append(asyncio.create_task(exits()))
            await asyncio.sleep(0.01)
            tasks[1].exception()
            return 'fine'
        """,
    )
    assert desk.call("tools:f").text == "fine"
    assert (desk.folder / "cleaned").exists()


@pytest.mark.parametrize("kind", ["thread", "async"])
def test_cancellation_comes_through_at_once(desk: Desk, kind: str) -> None:
    waiting = Waiting(desk)
    body = "def f(): wait()" if kind == "thread" else "import asyncio\nasync def f(): await asyncio.sleep(60)"
    desk.write("tools.py", waiting.source + body)
    tool = desk.tool("tools:f")

    async def main() -> None:
        task = asyncio.create_task(_call(tool))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    began = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - began < 5
    waiting.go()


def test_a_coroutine_that_comes_too_late_is_discarded_without_a_warning(desk: Desk) -> None:
    waiting = Waiting(desk)
    desk.write(
        "tools.py", waiting.source + "import asyncio\ndef f():\n    wait()\n    return asyncio.sleep(0)"
    )
    tool = desk.tool(desk.entry("tools:f", timeout=0.01))

    async def outlived() -> str:
        text = (await tool.call({}, context())).text
        waiting.go()
        await asyncio.sleep(0)
        return text

    assert "did not finish" in asyncio.run(outlived())
    waiting.path.unlink()
    assert "did not finish" in call(tool).text
    waiting.go()


async def _call(tool: Tool) -> ToolResult:
    return await tool.call({}, context())


def test_a_thread_that_cannot_start_is_an_error(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    desk.write("tools.py", "def f(): ...")
    tool = desk.tool("tools:f")
    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert call(tool) == ToolResult(text="RuntimeError: can't start new thread", error=True)


FAILS_TWICE = """
    import pathlib
    from agentctl.errors import ToolError
    from agentctl.tools.tool import ToolContext
    def f(ctx: ToolContext, error: str = 'OSError'):
        log = pathlib.Path(__file__).with_name('log')
        log.write_text((log.read_text() if log.exists() else '') + ctx.idempotency_key + ' ')
        ctx.state['tries'] = ctx.state.get('tries', 0) + 1
        print('try')
        if len(log.read_text().split()) < 3:
            raise {'OSError': OSError, 'ToolError': ToolError}[error]('busy')
        return 'done'
"""


def test_an_idempotent_tool_is_tried_again_with_the_same_key(desk: Desk) -> None:
    desk.write("tools.py", FAILS_TWICE)
    result = desk.call(desk.entry("tools:f", idempotent=True, retry=ONCE))
    assert result == ToolResult(text="done", state={"tries": 1}, printed="try\ntry\ntry\n")
    assert (desk.folder / "log").read_text() == "key-1 key-1 key-1 "


@pytest.mark.parametrize(
    ("error", "retry", "text", "tries"),
    [
        ("OSError", Retry(attempts=2, delay=0.0), "OSError: busy", 2),
        ("OSError", None, "OSError: busy", 1),
        ("ToolError", ONCE, "busy", 1),
    ],
)
def test_when_it_is_not_tried_again(
    desk: Desk, error: str, retry: Retry | None, text: str, tries: int
) -> None:
    desk.write("tools.py", FAILS_TWICE)
    result = desk.call(desk.entry("tools:f", idempotent=True, retry=retry), error=error)
    assert (result.text, result.state) == (text, {})
    assert len((desk.folder / "log").read_text().split()) == tries


def test_a_call_out_of_time_is_tried_again(desk: Desk) -> None:
    waiting = Waiting(desk)
    desk.write(
        "tools.py",
        waiting.source + "n = []\ndef f():\n    n.append(1)\n    if len(n) == 1: wait()\n    return len(n)",
    )
    result = desk.call(desk.entry("tools:f", idempotent=True, retry=ONCE, timeout=0.2))
    assert result.text in ("2", "3")  # a busy machine may need one attempt more
    waiting.go()


def test_the_context_is_filled_in_and_its_state_is_a_copy(desk: Desk) -> None:
    desk.write(
        "tools.py",
        """
        from typing import Annotated, Optional
        from agentctl.tools.tool import ToolContext
        def f(x: int, ctx: ToolContext, other: Optional[Annotated[ToolContext, 'too']] = None):
            assert other is ctx
            ctx.state['list'].append(ctx.inputs['customer'])
            ctx.state['new'] = {x}
            ctx.state['same'] = ctx.state['same']
            del ctx.state['gone']
            ctx.inputs['customer'] = 'Eve'
            return [ctx.run_id, ctx.execution_id, ctx.agent, ctx.idempotency_key]
        """,
    )
    tool = desk.tool("tools:f")
    given = context(list=["a"], same={"k": 1}, gone=5)
    result = asyncio.run(_with(tool, given))
    assert result.text == '["run-1","root.1/billing.1","billing","key-1"]'
    assert result.state == {"list": ["a", "Ada"], "new": [1], "gone": None}
    assert given == context(list=["a"], same={"k": 1}, gone=5)
    assert tool.check({"x": 1, "ctx": {}}) is not None


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("ctx.state['x'] = object()", "'x' holds 'object', which has no JSON form"),
        ("ctx.state['x'] = {'y': [open]}", "'x' holds 'builtin_function_or_method', which has no JSON form"),
        ("ctx.state['x'] = (n for n in [1])", "'x' holds 'generator', which has no JSON form"),
        ("ctx.state['x'] = [float('nan')]", "'x' holds 'nan', which has no JSON form"),
        ("ctx.state['x'] = ctx.state", "'x' holds 'dict in itself', which has no JSON form"),
        ("ctx.state = 'x'", "it is no mapping any more but of type 'str'"),
    ],
)
def test_state_that_cannot_be_kept_is_told_and_nothing_of_it_is_kept(
    desk: Desk, statement: str, fault: str
) -> None:
    body = "from agentctl.tools.tool import ToolContext\ndef f(ctx: ToolContext):\n    ctx.state['n'] = 1\n"
    result = one(desk, f"{body}    {statement}\n    return 'done'")
    assert result == ToolResult(
        text=(
            f"'f' came to its end, but what it left in `context.state` cannot be kept: {fault}. "
            "The state is as it was before; whatever else the call did is done."
        ),
        error=True,
    )


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("{1}", [1]),
        ("(1, b'a')", [1, "base64:YQ=="]),
        ("__import__('datetime').date(2026, 1, 2)", "2026-01-02"),
        ("__import__('collections').OrderedDict(a=None)", {"a": None}),
        ("__import__('types').SimpleNamespace", None),
    ],
)
def test_state_may_hold_whatever_a_result_may(desk: Desk, value: str, kept: Json) -> None:
    body = "from agentctl.tools.tool import ToolContext\ndef f(ctx: ToolContext):\n"
    result = one(desk, f"{body}    ctx.state['x'] = {value}")
    assert result.state == ({} if kept is None else {"x": kept})
    assert result.error is (kept is None)


async def _with(tool: Tool, given: object) -> ToolResult:
    from agentctl.tools.tool import ToolContext

    assert isinstance(given, ToolContext)
    return await tool.call({"x": 1}, given)


def test_a_long_result_is_cut_in_the_middle_and_kept_whole(desk: Desk) -> None:
    desk.write("tools.py", "def f(n: int): return 'a' * n + 'z' * n\ndef g(): raise ValueError('e' * 500)")
    entry = desk.entry("tools:f", max_output=200)
    result = desk.call(entry, n=5_000)
    assert len(result.text) == 200
    assert result.text.startswith("aaaa")
    assert result.text.endswith("zzzz")
    assert "10,000 characters in all" in result.text
    assert result.full == "a" * 5_000 + "z" * 5_000
    assert desk.call(entry, n=100) == ToolResult(text="a" * 100 + "z" * 100)
    assert desk.call(desk.entry("tools:f", max_output=10), n=100).text == "a" * 10
    failed = desk.call(desk.entry("tools:g", max_output=100))
    assert (len(failed.text), failed.error) == (100, True)


def test_many_calls_at_once(desk: Desk) -> None:
    desk.write(
        "tools.py",
        (
            "import threading\n"
            "meet = threading.Barrier(20)\n"
            "def f(n: int):\n"
            "    meet.wait(10)\n"
            "    print(n)\n"
            "    return n"
        ),
    )
    tool = desk.tool("tools:f")

    async def main() -> list[ToolResult]:
        return await asyncio.gather(*(tool.call({"n": n}, context()) for n in range(20)))

    assert asyncio.run(main()) == [ToolResult(text=str(n), printed=f"{n}\n") for n in range(20)]


def test_the_check_and_the_call_agree(desk: Desk) -> None:
    desk.write("tools.py", "def f(a: int, b: bool = False): return a")
    tool = desk.tool("tools:f")
    check: Callable[[dict[str, Json]], str | None] = tool.check
    several: list[dict[str, Json]] = [{"a": 1}, {"a": "1", "b": "yes"}, {}, {"a": "x"}, {"a": 1, "c": 2}]
    for arguments in several:
        assert (check(arguments) is None) is not call(tool, **arguments).error


def test_a_validator_that_fails_in_the_call_is_an_error_too(desk: Desk) -> None:
    body = (
        "from typing import Annotated\n"
        "from pydantic import AfterValidator\n"
        "def g(n): raise KeyError(n)\n"
        "def f(n: Annotated[int, AfterValidator(g)]): ..."
    )
    assert one(desk, body, n=1).text == "the arguments could not be checked: KeyError: 1"


def test_a_process_ends_while_a_call_hangs_and_its_stdout_is_its_own(desk: Desk) -> None:
    desk.write(
        "tools.py", "import time\nprint('importing')\ndef f():\n    print('hanging')\n    time.sleep(600)"
    )
    program = f"""
import asyncio, pathlib
from agentctl.diagnostics import Span
from agentctl.spec.settings import FunctionRef, ToolEntry
from agentctl.tools.importing import Importer
from agentctl.tools.tool import ToolContext
from agentctl.tools.toolbox import load_toolboxes
span = Span(path="t", line=1, column=1, end_line=1, end_column=2)
ref = FunctionRef(target="tools:f", folder=pathlib.Path({str(desk.folder)!r}), span=span)
entry = ToolEntry(function=ref, timeout=0.01, span=span)
(tool,) = load_toolboxes({{"a": [entry]}}, [], importer=Importer()).tools["a"]
context = ToolContext(run_id="r", execution_id="e", agent="a", idempotency_key="k")
print(asyncio.run(tool.call({{}}, context)).error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert (done.stdout, done.stderr) == ("True\n", "importing\n")
