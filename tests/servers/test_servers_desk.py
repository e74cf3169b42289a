"""A real server of the Model Context Protocol as a set of tools: listed, called, lost and found again."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from agentctl.errors import ExecutionFailed
from agentctl.spec.settings import FunctionRef, McpEntry, McpServer
from agentctl.tools.mcp_servers import McpServers
from servers.desk import CONTEXT, PROGRAM, SPAN, Held, desk_server, desk_tools, ended, held, listening, starts

NOWHERE = Path("/no/such/folder")
BROKEN = {"DESK_BROKEN": "1", "DESK_SAYS": "no ${TOKEN}"}
MUTE = ("-c", "import time; print('hello', flush=True); time.sleep(60)")


def test_the_tools_are_what_the_server_lists(tmp_path: Path) -> None:
    async def play() -> None:
        async with held(desk_tools(tmp_path)) as desk:
            balance = desk.tool("check_balance")
            assert (balance.name, balance.description) == ("check_balance", "Balance of an account.")
            assert balance.source == "mcp:desk/check_balance"
            assert "account" in balance.search_text
            assert balance.check({"account_id": "A"}) is None
            assert "account_id" in str(balance.check({}))
            assert "account_id" in str(balance.check({"account_id": 5}))
            marks = {tool.source.partition("/")[2]: (tool.idempotent, tool.approve) for tool in desk.tools}
            assert marks["check_balance"] == (True, False), "read-only"
            assert marks["close_account"] == (False, True), "destructive"
            assert marks["set_limit"] == (True, False), "idempotent"
            assert marks["slow"] == (False, False), "says nothing"
            (long,) = [tool for tool in desk.tools if "long.name" in tool.source]
            assert len(long.name) == 64
            assert (await long.call({}, CONTEXT)).text == "called"
            again = desk.toolset.tools(desk.listing, ())
            assert [tool.name for tool in again] == [tool.name for tool in desk.tools]
            assert starts(tmp_path) == starts(tmp_path)[:1], "started once"

    asyncio.run(play())


def test_the_file_has_the_last_word(tmp_path: Path) -> None:
    when = FunctionRef(target="tools:needs", folder=tmp_path, span=SPAN)

    async def play() -> None:
        own = replace(desk_tools(tmp_path), include=("*_account", "check_*", "slow"), exclude=("slow",))
        async with held(replace(own, approve="never", idempotent=False)) as desk:
            assert [tool.name for tool in desk.tools] == ["check_balance", "close_account"]
            assert {(tool.idempotent, tool.approve) for tool in desk.tools} == {(False, False)}
            for entry, expected in (
                (replace(own, approve="always"), True),
                (replace(own, approve=when), when),
            ):
                tools = replace(desk.toolset, entry=entry).tools(desk.listing, ("check_balance",))
                assert {tool.approve for tool in tools} == {expected}
                assert [tool.name for tool in tools] == ["desk_check_balance", "close_account"]

    asyncio.run(play())


@pytest.mark.parametrize(
    ("choose", "message", "hint"),
    [
        (
            lambda own: replace(own, include=("check_balanc",)),
            'no tool that fits "check_balanc"',
            'did you mean "check_balance"?',
        ),
        (
            lambda own: replace(own, exclude=("delete_*",)),
            'no tool that fits "delete_*"',
            "it has: check_balance",
        ),
    ],
)
def test_what_fits_no_tool_is_told_with_its_place(
    tmp_path: Path, choose: Callable[[McpEntry], McpEntry], message: str, hint: str
) -> None:
    async def play() -> None:
        async with held(choose(desk_tools(tmp_path)), listed=False) as desk:
            with pytest.raises(ExecutionFailed) as failed:
                await desk.toolset.listing()
            assert message in failed.value.message
            assert "team.yaml:4:5" in failed.value.message
            assert hint in str(failed.value.hint)

    asyncio.run(play())


def test_calls_give_texts_files_errors_and_no_more_than_is_wanted(tmp_path: Path) -> None:
    environ = {"TOKEN": "hunter2-0123", "HOME_OF": "/home/me"}
    env = {"DESK_TOKEN": "Bearer ${TOKEN}", "DESK_HOME": "${HOME_OF}"}

    async def play() -> None:
        async with held(replace(desk_tools(tmp_path, env), max_output=1_000), environ=environ) as desk:
            assert (await desk.call("check_balance", account_id="A")).text == "A has 5432.10"
            assert "12.5" in (await desk.call("structured", account_id="A")).text
            pictures = await desk.call("pictures")
            assert [file.suffix for file in pictures.files] == [".png", ".wav", ".pdf"]
            failed = await desk.call("fails")
            assert failed.error
            long = await desk.call("long_text")
            assert len(long.text) == 1_000
            assert long.full is not None
            assert long.full.endswith("line 2999 of a long text")
            assert (await desk.call("secret")).text == "token Bearer hunter2-0123, home /home/me"
            entry = replace(desk_tools(tmp_path, env), timeout=0.2)
            hurried = replace(desk.toolset, entry=entry).tools(desk.listing, ())
            (slow,) = [tool for tool in hurried if tool.name == "slow"]
            late = await slow.call({"seconds": 0.5}, CONTEXT)
            assert late.error
            assert "may still be running" in late.text
            assert (await desk.call("check_balance", account_id="B")).text == "B has 5432.10"
            assert len(starts(tmp_path)) == 1

    asyncio.run(play())


def test_calls_run_at_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with held(desk_tools(tmp_path)) as desk:
            found = await asyncio.gather(*(desk.call("check_balance", account_id=f"{n}") for n in range(20)))
            assert [result.text for result in found] == [f"{n} has 5432.10" for n in range(20)]

    asyncio.run(play())


def test_a_server_that_stops_is_started_again_and_a_call_with_an_effect_is_not(tmp_path: Path) -> None:
    async def play() -> None:
        async with held(desk_tools(tmp_path)) as desk:
            lost = await desk.call("dies")
            assert lost.error
            assert "took effect is unknown" in lost.text
            assert (tmp_path / "dies").read_text("utf-8").count("\n") == 1, "not called again"
            assert (await desk.call("dies")).text == "alive again"
            assert (await desk.call("dies_once")).text == "alive again", "harmless, so called again"
            assert len(starts(tmp_path)) == 3

    asyncio.run(play())


def test_a_call_that_was_never_sent_is_made_on_the_new_server(tmp_path: Path) -> None:
    async def play() -> None:
        async with held(desk_tools(tmp_path)) as desk:
            (pid,) = starts(tmp_path)
            os.kill(pid, signal.SIGKILL)
            assert await ended(pid)
            await asyncio.sleep(0.05)
            assert (await desk.call("close_account", account_id="A")).text == "A is closed"
            assert len(starts(tmp_path)) == 2

    asyncio.run(play())


def test_a_server_that_stops_again_and_again_is_given_up(tmp_path: Path) -> None:
    async def play() -> None:
        async with held(desk_tools(tmp_path)) as desk:
            told = [(await desk.call("always_dies")).text for _ in range(3)]
            assert "not started any more" in told[2]
            assert len(starts(tmp_path)) == 2
            assert (await desk.call("check_balance", account_id="A")).error

    asyncio.run(play())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda server: replace(server, command="no-such-program"), 'there is no program "no-such-program"'),
        (lambda server: replace(server, cwd=NOWHERE), 'there is no folder "/no/such/folder"'),
        (lambda server: replace(server, env=BROKEN), "ended at once; its last words were: "),
        (lambda server: replace(server, args=MUTE), "did not start within 2 s"),
    ],
)
def test_a_server_that_does_not_start_is_told_with_the_cause(
    tmp_path: Path, change: Callable[[McpServer], McpServer], message: str
) -> None:
    async def play() -> None:
        server = replace(change(desk_server(tmp_path)), start_timeout=2.0 if "2 s" in message else 60.0)
        async with held(
            McpEntry(mcp=server, span=SPAN), environ={"TOKEN": "hunter2-0123"}, listed=False
        ) as desk:
            with pytest.raises(ExecutionFailed) as failed:
                await desk.toolset.listing()
            assert failed.value.rule == "mcp-server"
            assert message in failed.value.message
            assert "hunter2" not in failed.value.message
            assert failed.value.hint is not None

    asyncio.run(play())


def test_a_slow_start_is_waited_for_once(tmp_path: Path) -> None:
    async def play() -> None:
        server = desk_server(tmp_path, {"DESK_SLOW": "0.5"})
        async with held(McpEntry(mcp=server, span=SPAN), listed=False) as desk:
            one, other = await asyncio.gather(desk.toolset.listing(), desk.toolset.listing())
            assert one == other
            assert len(starts(tmp_path)) == 1, "shared"

    asyncio.run(play())


def test_the_end_of_the_run_ends_the_server(tmp_path: Path) -> None:
    async def play() -> None:
        async with held(desk_tools(tmp_path)):
            (pid,) = starts(tmp_path)
        assert await ended(pid, 0.1)

    asyncio.run(play())


def test_servers_are_one_where_they_are_the_same(tmp_path: Path) -> None:
    servers = McpServers({}, str)
    one = servers.get(desk_server(tmp_path))
    assert servers.get(desk_server(tmp_path)) is one
    assert servers.get(desk_server(tmp_path, {"X": "1"})) is not one


@asynccontextmanager
async def served(folder: Path, port: int) -> AsyncIterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(  # noqa: ASYNC220 - nothing else is to go on until it was started
        [sys.executable, PROGRAM, folder, str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        await listening(port)
        yield process
    finally:
        process.kill()
        process.wait()


def test_a_server_at_an_address_is_called_and_found_again(tmp_path: Path, port: int) -> None:
    server = McpServer(
        name="desk",
        cwd=tmp_path,
        url=f"http://127.0.0.1:{port}/mcp",
        headers={"Authorization": "Bearer ${TOKEN}"},
        span=SPAN,
    )

    async def play() -> None:
        environ = {"TOKEN": "hunter2-0123"}
        async with held(McpEntry(mcp=server, span=SPAN), environ=environ, listed=False) as desk:
            with pytest.raises(ExecutionFailed, match="All connection attempts failed"):
                await desk.toolset.listing()
            async with served(tmp_path, port) as process:
                desk.listing = await desk.toolset.listing()
                desk.tools = desk.toolset.tools(desk.listing, ())
                assert (await desk.call("check_balance", account_id="A")).text == "A has 5432.10"
                assert (await desk.call("authorization")).text == "Bearer hunter2-0123"
                process.kill()
                process.wait()
                gone = await desk.call("close_account", account_id="A")
                assert gone.error
                assert not (tmp_path / "close_account").exists()
            async with served(tmp_path, port):
                assert (await desk.call("check_balance", account_id="A")).text == "A has 5432.10"

    asyncio.run(play())


def test_an_address_without_a_server_is_told(tmp_path: Path, port: int) -> None:
    async def play() -> Held:
        async with served(tmp_path, port):
            server = McpServer(name="x", cwd=tmp_path, url=f"http://127.0.0.1:{port}/other", span=SPAN)
            async with held(McpEntry(mcp=server, span=SPAN), listed=False) as desk:
                with pytest.raises(ExecutionFailed, match='the server "x" cannot be used'):
                    await desk.toolset.listing()
        return desk

    asyncio.run(play())
