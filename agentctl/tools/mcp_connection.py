"""One connection to an MCP server, from its start to its end: the only importer of the mcp library.

A connection lives in a task of its own, since the library wants to be left where it was entered. A program
ends when its stdin closes, also when this process is killed; what it writes to stderr is kept for messages.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Final, TypeAlias

from agentctl.document.variables import expand
from agentctl.jsontypes import JsonObject, to_json
from agentctl.spec.settings import McpServer
from agentctl.tools.mcp_content import result_parts
from agentctl.tools.mcp_faults import fault_text
from agentctl.tools.mcp_processes import end_programs, noted
from agentctl.tools.mcp_stderr import Tail
from agentctl.tools.mcp_watch import watched
from agentctl.tools.tool import Attachment
from agentctl.tools.wording import exception_text

if TYPE_CHECKING:
    from mcp import Client, MCPError

ANSWER: Final = 5.0
"""Seconds that a server has to answer when it is asked whether it is still there."""
END: Final = 8.0
"""Seconds that the end of a connection may take before it is left to itself."""
_MOST_PAGES: Final = 100
_SHOWN: Final = 400
"""Characters of a server's last words that a message repeats."""
Given: TypeAlias = "tuple[str, bool, tuple[Attachment, ...]]"
"""Text, whether it is an error, and files."""


class ServerFailed(Exception):
    """A server did not start, or says what is no MCP; the message is complete."""


class Disconnected(Exception):
    """The connection ended; `sent` tells whether the call may have reached the server before."""

    def __init__(self, *, sent: bool) -> None:
        super().__init__()
        self.sent = sent


class Connection:
    """Made by `connect`. `gone` is set as soon as the server is known to have ended."""

    def __init__(self, server: McpServer, environ: Mapping[str, str]) -> None:
        self._server = server
        self._environ = environ
        self._stop = asyncio.Event()
        self._gone = asyncio.Event()
        self._tail = Tail()
        self._client: Client | None = None
        self._task: asyncio.Task[None] | None = None
        self._programs: set[int] = set()

    @property
    def gone(self) -> bool:
        return self._gone.is_set()

    async def start(self) -> None:
        """Raises ServerFailed where it does not come up in time."""
        started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._live(started))
        try:
            await asyncio.wait_for(asyncio.shield(started), self._server.start_timeout)
        except TimeoutError:
            await self.close(now=True)
            raise ServerFailed(
                f"it did not start within {self._server.start_timeout:g} s, its `start_timeout`{self._said()}"
            ) from None
        except asyncio.CancelledError:
            end_programs(self._programs)
            self._task.cancel()
            raise

    async def answers(self) -> bool:
        """Whether it answers at all, which one that hangs in a call does not."""
        try:
            async with asyncio.timeout(ANSWER):
                await self._connected().session.list_tools()
        except TimeoutError:
            return False
        except Exception:  # an error is an answer, and a connection that ended is found by the next call
            return True
        return True

    async def close(self, *, now: bool = False) -> None:
        """Ends the server: its stdin is closed, and it is made to end if it does not. `now`: at once."""
        self._stop.set()
        if now:
            end_programs(self._programs)
        if self._task is not None:
            _, late = await asyncio.wait({self._task}, timeout=END)
            for task in late:
                end_programs(self._programs)
                task.cancel()
                await asyncio.wait({task}, timeout=END)

    async def list_tools(self) -> list[JsonObject]:
        """Every tool as `{name, description, schema, hints}`, in the server's order."""
        from mcp import MCPError
        from mcp_types import METHOD_NOT_FOUND

        found: list[JsonObject] = []
        cursor: str | None = None
        for _ in range(_MOST_PAGES):
            try:
                page = await self._connected().list_tools(cursor=cursor)
            except MCPError as error:
                if error.code == METHOD_NOT_FOUND:
                    return found
                raise ServerFailed(f"it does not tell its tools: {fault_text(error)}") from error
            except Exception as error:
                raise ServerFailed(f"it does not tell its tools: {fault_text(error)}") from error
            for tool in page.tools:
                hints = tool.annotations
                found.append(
                    {
                        "name": tool.name,
                        "description": tool.description or tool.title or "",
                        "schema": to_json(tool.input_schema),
                        "read_only": bool(hints and hints.read_only_hint),
                        "idempotent": bool(hints and hints.idempotent_hint),
                        "destructive": bool(hints and hints.destructive_hint),
                    }
                )
            cursor = page.next_cursor
            if not cursor:
                break
        return found

    async def call(self, tool: str, arguments: JsonObject) -> Given:
        """Raises Disconnected; whatever else goes wrong is an error text."""
        from mcp import MCPError

        if self.gone:
            raise Disconnected(sent=False)
        try:
            result = await self._connected().call_tool(tool, dict(arguments))
        except MCPError as error:
            if self.gone or _is_closed(error):
                self._gone.set()
                raise Disconnected(sent=True) from error
            return error.message or exception_text(error), True, ()
        except Exception as error:
            if _is_transport(error):
                self._gone.set()
                raise Disconnected(sent=True) from error
            return fault_text(error), True, ()
        text, files = result_parts(result)
        return text, result.is_error, files

    def _connected(self) -> Client:
        assert self._client is not None, "started"
        return self._client

    async def _live(self, started: asyncio.Future[None]) -> None:
        """Everything from the start of the server to its end; `started` tells how the start went."""
        try:
            async with self._opened() as client:
                self._client = client
                if not started.done():
                    started.set_result(None)
                await self._stop.wait()
        except Exception as error:  # the library's groups of exceptions included
            if not started.done():
                started.set_exception(ServerFailed(f"{_cause(error, self._server)}{self._said()}"))
                started.exception()  # retrieved also where nobody waits any more
        finally:
            self._gone.set()
            if not started.done():
                started.set_exception(ServerFailed("its start was broken off"))
                started.exception()

    def _opened(self) -> AbstractAsyncContextManager[Client]:
        _quiet()
        return self._program() if self._server.command else self._address()

    @asynccontextmanager
    async def _program(self) -> AsyncIterator[Client]:
        from mcp import Client, StdioServerParameters, stdio_client

        server = self._server
        parameters = StdioServerParameters(
            command=server.command,
            args=list(server.args),
            env={key: self._filled(value) for key, value in server.env.items()},
            cwd=server.cwd,
        )
        with self._tail.writing() as errlog, noted(self._programs):
            transport = stdio_client(parameters, errlog=errlog)
            async with Client(watched(transport, self._gone, errlog.close)) as client:
                yield client

    @asynccontextmanager
    async def _address(self) -> AsyncIterator[Client]:
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        headers = {key: self._filled(value) for key, value in self._server.headers.items()}
        timeout = httpx2.Timeout(30.0, read=None)
        async with httpx2.AsyncClient(headers=headers, timeout=timeout) as http:
            transport = streamable_http_client(self._server.url, http_client=http)
            async with Client(watched(transport, asyncio.Event(), _nothing)) as client:
                yield client

    def _filled(self, text: str) -> str:
        return expand(text, self._environ)[0]

    def _said(self) -> str:
        last = " ".join(self._tail.text().split())[-_SHOWN:]
        return f"; its last words were: {last}" if last else ""


def _nothing() -> None:
    """No program has been started."""


def _is_closed(error: MCPError) -> bool:
    """Whether it is the library's own word for a connection that ended, not an error of the server's."""
    from mcp_types import CONNECTION_CLOSED

    return (error.code == CONNECTION_CLOSED and error.message == "Connection closed") or (
        error.message == "Session terminated"
    )


def _is_transport(error: Exception) -> bool:
    import anyio
    import httpx2

    return isinstance(error, httpx2.TransportError | anyio.ClosedResourceError | anyio.BrokenResourceError)


def _cause(error: Exception, server: McpServer) -> str:
    """Why a server did not start, from whatever the library wraps it in."""
    from mcp import MCPError

    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    if isinstance(error, FileNotFoundError) and not server.cwd.is_dir():
        return f'there is no folder "{server.cwd}" to run it in'
    if isinstance(error, FileNotFoundError):
        return f'there is no program "{server.command}"'
    if isinstance(error, MCPError) and _is_closed(error):
        return "it ended at once"
    return fault_text(error)


def _quiet() -> None:
    """What the library logs of a server's faults is told by this program, in its own words."""
    for name in ("mcp", "client", "httpx2"):
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False
