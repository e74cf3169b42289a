"""The servers of one run: each started on first need, shared by all who name it, ended with the run.

A server that stops is started again once; one that stops again before a call came through is given up. One
that a call waited for in vain is started again too, unless it answers or other calls still wait for it.
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Callable, Mapping
from typing import Final

from agentctl.errors import ExecutionFailed
from agentctl.jsontypes import JsonObject
from agentctl.spec.settings import McpServer
from agentctl.tools.mcp_connection import Connection, Disconnected, Given, ServerFailed
from agentctl.tools.tool import ToolResult

_MOST_STOPS: Final = 2
MISSING: Final = 'the servers of `mcp_servers` need the library "mcp", which is not installed'
INSTALL: Final = "install it with: pip install 'mcp>=2.3,<3'"


class McpServers:
    """`redact` takes secrets out of what servers say when they fail."""

    def __init__(self, environ: Mapping[str, str], redact: Callable[[str], str]) -> None:
        self._environ = environ
        self._redact = redact
        self._shared: list[SharedServer] = []

    def get(self, server: McpServer) -> SharedServer:
        """The one for this server; it is not started by that."""
        for shared in self._shared:
            if shared.server == server:
                return shared
        self._shared.append(SharedServer(server, self._environ, self._redact))
        return self._shared[-1]

    async def close(self) -> None:
        await asyncio.gather(*(shared.close() for shared in self._shared))


class SharedServer:
    def __init__(self, server: McpServer, environ: Mapping[str, str], redact: Callable[[str], str]) -> None:
        self.server = server
        self._environ = environ
        self._redact = redact
        self._lock = asyncio.Lock()
        self._connection: Connection | None = None
        self._stops = 0
        """How often it stopped since a call last came through."""
        self._under_way = 0
        self._late: Connection | None = None
        """The connection on which a call last ran out of time."""

    async def list_tools(self) -> list[JsonObject]:
        """Raises ExecutionFailed where it cannot be started or asked."""
        try:
            connection = await self._connected()
            async with asyncio.timeout(self.server.start_timeout):
                return await connection.list_tools()
        except TimeoutError:
            seconds = f"{self.server.start_timeout:g} s, its `start_timeout`"
            raise self._failed(f"it did not tell its tools within {seconds}") from None
        except ServerFailed as failed:
            raise self._failed(str(failed)) from failed

    async def call(
        self,
        tool: str,
        arguments: JsonObject,
        *,
        again: bool,
        timeout: float,  # noqa: ASYNC109  it is that of the call alone, without the start of the server
    ) -> ToolResult:
        """`again`: a call that may have reached a server that then stopped is made a second time.

        Raises TimeoutError for a call that took longer than `timeout`, in seconds.
        """
        for attempt in (1, 2):
            try:
                text, error, files = await self._asked(tool, arguments, timeout)
            except ServerFailed as failed:
                return _error(f'The server "{self.server.name}" cannot be used: {self._redact(str(failed))}.')
            except Disconnected as lost:
                self._stops += 1
                if attempt == 2 or (lost.sent and not again):
                    return _error(self._lost(sent=lost.sent))
            else:
                self._stops = 0
                return ToolResult(text=text, error=error, files=files)
        raise AssertionError("the second attempt returns")

    async def _asked(self, tool: str, arguments: JsonObject, seconds: float) -> Given:
        connection = await self._connected()
        self._under_way += 1
        try:
            async with asyncio.timeout(seconds):
                return await connection.call(tool, arguments)
        except TimeoutError:
            self._late = connection
            raise
        finally:
            self._under_way -= 1

    async def close(self) -> None:
        async with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _connected(self) -> Connection:
        async with self._lock:
            if self._connection is not None and self._connection.gone:
                await self._connection.close()
                self._connection = None
            if self._connection is not None and await self._hangs(self._connection):
                await self._connection.close(now=True)
                self._connection = None
            if self._connection is None:
                if self._stops >= _MOST_STOPS:
                    raise ServerFailed("it stopped again and again, and is not started any more")
                connection = Connection(self.server, self._environ)
                await connection.start()
                self._connection = connection
            return self._connection

    async def _hangs(self, connection: Connection) -> bool:
        """Whether a call waited for it in vain and it does not answer; what others wait for is left."""
        if self._late is not connection or self._under_way:
            return False
        self._late = None
        return not await connection.answers()

    def _lost(self, *, sent: bool) -> str:
        effect = "Whether the call took effect is unknown." if sent else "The call was not made."
        return f'The server "{self.server.name}" stopped. {effect}'

    def _failed(self, cause: str) -> ExecutionFailed:
        where = self.server.url or shlex.join((self.server.command, *self.server.args))
        return ExecutionFailed(
            self._redact(f'the server "{self.server.name}" cannot be used: {cause}'),
            rule="mcp-server",
            hint=self._redact(f"see whether it works by itself: {where}"),
        )


def _error(text: str) -> ToolResult:
    return ToolResult(text=text, error=True)
