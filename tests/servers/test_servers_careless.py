"""Servers that hang, or say what the protocol does not allow."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from agentctl.errors import ExecutionFailed
from agentctl.spec.settings import McpEntry, McpServer
from agentctl.tools import mcp_connection
from agentctl.tools.mcp_faults import NO_MCP
from loopback.replies import Raw
from loopback.server import LoopbackServer
from servers.desk import CONTEXT, SPAN, desk_server, ended, held, starts

RAW = Path(__file__).with_name("raw_server.py")


def raw_tools(folder: Path, timeout: float = 60.0) -> McpEntry:
    return McpEntry(
        mcp=replace(desk_server(folder), args=(str(RAW), str(folder))), timeout=timeout, span=SPAN
    )


def test_a_bad_tool_hides_no_other(tmp_path: Path) -> None:
    async def play() -> None:
        async with held(raw_tools(tmp_path)) as desk:
            names = ["plain", "no_schema", "odd", "martian", "no_list", "hang"]
            assert [tool.name for tool in desk.tools] == names
            assert desk.tool("odd").idempotent, "its sound hints are kept"
            assert (await desk.call("plain")).text == "plain got {}"
            assert (await desk.call("no_schema", any=1)).text == 'no_schema got {"any": 1}'

    asyncio.run(play())


def test_a_result_of_another_kind_is_one_line_of_our_own(tmp_path: Path) -> None:
    async def play() -> None:
        async with held(raw_tools(tmp_path)) as desk:
            assert (await desk.call("martian")).text == '{"type":"martian","x":1}\nand words'
            result = await desk.call("no_list")
            assert result.error
            assert result.text.startswith("what it answers is not as the Model Context Protocol wants it")
            assert "pydantic" not in result.text
            assert len(result.text) < 200

    asyncio.run(play())


def test_a_server_that_hangs_is_started_again_for_the_next_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_connection, "ANSWER", 0.2)

    async def play() -> None:
        async with held(raw_tools(tmp_path, timeout=0.3)) as desk:
            late = await desk.call("hang")
            assert "may still be running" in late.text
            again = replace(desk.toolset, entry=raw_tools(tmp_path)).tools(desk.listing, ())
            plain = next(tool for tool in again if tool.name == "plain")
            assert (await plain.call({}, CONTEXT)).text == "plain got {}"
            first, second = starts(tmp_path)
            assert await ended(first)
            assert first != second

    asyncio.run(play())


@pytest.mark.parametrize(
    ("method", "seconds", "told"),
    [("initialize", 0.5, "did not start"), ("tools/list", 4, "did not tell its tools")],
)
def test_a_start_that_hangs_is_told_with_the_key_that_bounds_it(
    tmp_path: Path, method: str, seconds: float, told: str
) -> None:
    async def play() -> str:
        entry = raw_tools(tmp_path)
        server = replace(entry.mcp, args=(*entry.mcp.args, method), start_timeout=seconds)
        async with held(replace(entry, mcp=server), listed=False) as desk:
            with pytest.raises(ExecutionFailed) as failed:
                await desk.toolset.listing()
        return failed.value.message

    found = asyncio.run(play())
    assert found == f'the server "desk" cannot be used: it {told} within {seconds:g} s, its `start_timeout`'


def test_an_address_that_answers_other_json_is_told_in_one_line(tmp_path: Path) -> None:
    async def play(address: str) -> str:
        server = McpServer(name="x", cwd=tmp_path, url=address, span=SPAN)
        async with held(McpEntry(mcp=server, span=SPAN), listed=False) as desk:
            with pytest.raises(ExecutionFailed) as failed:
                await desk.toolset.listing()
            return failed.value.message

    with LoopbackServer() as server:
        server.lenient = True
        server.script = lambda _: Raw(
            body='{"id": "chatcmpl-1", "object": "chat.completion"}', content_type="application/json"
        )
        message = asyncio.run(play(f"{server.address}/v1/chat/completions"))
    assert message == f'the server "x" cannot be used: {NO_MCP}'
