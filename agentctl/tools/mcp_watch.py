"""A transport of the mcp library that tells as soon as the other side is gone, not only when it is used, and
that mends what a server says before the library refuses all of it for a part."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING

from agentctl.tools.mcp_faults import mend

if TYPE_CHECKING:
    from mcp.client import Transport
    from mcp.client._transport import TransportStreams


@asynccontextmanager
async def _watched(
    transport: AbstractAsyncContextManager[TransportStreams],
    gone: asyncio.Event,
    opened: Callable[[], object],
) -> AsyncIterator[TransportStreams]:
    import anyio
    from mcp.shared.message import SessionMessage

    async with transport as (read, write), anyio.create_task_group() as group:
        opened()
        passing, passed = anyio.create_memory_object_stream[SessionMessage | Exception](0)

        async def pass_on() -> None:
            async with passing:
                async for item in read:
                    if not isinstance(item, Exception):
                        mend(getattr(item.message, "result", None))
                    await passing.send(item)
            gone.set()

        group.start_soon(pass_on)
        yield passed, write
        group.cancel_scope.cancel()


def watched(
    transport: AbstractAsyncContextManager[TransportStreams],
    gone: asyncio.Event,
    opened: Callable[[], object],
) -> Transport:
    """`gone` is set at the end of what the server sends; `opened` is called once it was started."""
    return _watched(transport, gone, opened)
