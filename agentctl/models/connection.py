"""The HTTP connections of the openai client: one pool an event loop, shared by every model and run in it.

A pool of its own for each agent would cost a TLS handshake an agent, and 16 ms for its certificates. It ends
with its loop.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from ssl import SSLContext
from typing import TYPE_CHECKING, Final, Protocol
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    import httpx2
    from openai import DefaultAsyncHttpxClient


class Http(Protocol):
    """What is used of the HTTP library under the openai client: `httpx2`, or `httpx` before openai 3."""

    Response: type[httpx2.Response]
    RequestError: type[Exception]
    TimeoutException: type[Exception]

    def create_ssl_context(self) -> SSLContext: ...


@dataclass(frozen=True, slots=True)
class _Pool:
    client: DefaultAsyncHttpxClient
    end: AsyncGenerator[None, None]
    """Suspended until the loop ends what generators it has left, as `asyncio.run` does."""


_POOLS: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, _Pool]] = WeakKeyDictionary()


def http() -> Http:
    """The HTTP library that the imported openai client brought."""
    module: Http = import_module("httpx2" if "httpx2" in sys.modules else "httpx")
    return module


@lru_cache(maxsize=1)
def certificates() -> SSLContext:
    """The usual trust store, read once (it takes 16 to 40 ms)."""
    return http().create_ssl_context()


async def pool() -> DefaultAsyncHttpxClient:
    """The running loop's pool, with the openai client's own defaults and the usual proxy variables."""
    from openai import DefaultAsyncHttpxClient

    loop = asyncio.get_running_loop()
    found = _POOLS.get(loop)
    if found is None:
        client = DefaultAsyncHttpxClient(verify=certificates())
        found = _POOLS[loop] = _Pool(client, _ended(loop, client))
        await anext(found.end)
    return found.client


async def _ended(
    loop: asyncio.AbstractEventLoop, client: DefaultAsyncHttpxClient
) -> AsyncGenerator[None, None]:
    try:
        yield
    finally:
        _POOLS.pop(loop, None)
        await client.aclose()
