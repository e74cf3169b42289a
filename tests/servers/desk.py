"""The test server as the settings of a team file, and its tools taken from it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from agentctl.diagnostics import Span
from agentctl.jsontypes import Json
from agentctl.spec.settings import McpEntry, McpServer
from agentctl.tools.mcp_servers import McpServers
from agentctl.tools.mcp_toolset import McpToolset
from agentctl.tools.tool import Tool, ToolContext, ToolResult

PROGRAM = Path(__file__).with_name("desk_server.py")
SPAN = Span(path="team.yaml", line=4, column=5, end_line=4, end_column=9)
CONTEXT = ToolContext(run_id="r", execution_id="e", agent="a", idempotency_key="k")


def desk_server(folder: Path, env: Mapping[str, str] | None = None, name: str = "desk") -> McpServer:
    return McpServer(
        name=name,
        command=sys.executable,
        args=(str(PROGRAM), str(folder)),
        env=env or {},
        cwd=folder,
        span=SPAN,
    )


def desk_tools(folder: Path, env: Mapping[str, str] | None = None) -> McpEntry:
    return McpEntry(mcp=desk_server(folder, env), span=SPAN)


def starts(folder: Path) -> list[int]:
    """The process ids of the server's starts."""
    path = folder / "starts"
    return [int(line) for line in path.read_text("utf-8").split()] if path.exists() else []


@dataclass(kw_only=True)
class Held:
    """The tools of one entry while its servers are held; `call` goes by the server's name for a tool."""

    servers: McpServers
    toolset: McpToolset
    tools: Sequence[Tool] = ()
    listing: Json = None
    environ: Mapping[str, str] = field(default_factory=dict)

    def tool(self, own: str) -> Tool:
        return next(tool for tool in self.tools if tool.source.endswith(f"/{own}"))

    async def call(self, own: str, **arguments: Json) -> ToolResult:
        tool = self.tool(own)
        assert tool.check(arguments) is None
        return await tool.call(arguments, CONTEXT)


@asynccontextmanager
async def held(
    entry: McpEntry, *, environ: Mapping[str, str] | None = None, listed: bool = True
) -> AsyncIterator[Held]:
    servers = McpServers(environ or {}, lambda text: text.replace("hunter2-0123", "•••"))
    toolset = McpToolset(entry=entry, server=servers.get(entry.mcp))
    try:
        found = Held(servers=servers, toolset=toolset)
        if listed:
            found.listing = await toolset.listing()
            found.tools = toolset.tools(found.listing, ())
        yield found
    finally:
        await servers.close()


async def listening(port: int) -> None:
    """Waits until somebody does."""
    for _ in range(600):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            await writer.wait_closed()
            return


async def ended(pid: int, seconds: float = 5) -> bool:
    """Whether no process of that id is left."""
    for _ in range(int(seconds / 0.02)):
        if not alive(pid):
            return True
        await asyncio.sleep(0.02)
    return False


def alive(pid: int) -> bool:
    """A process that nobody has waited for yet is gone, too."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text("utf-8")
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] not in ("Z", "X")
