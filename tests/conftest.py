"""Fixtures for every room's tests."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from loopback.server import LoopbackServer


@pytest.fixture
def openai_server() -> Iterator[LoopbackServer]:
    """A loopback model server; at the end every request must have kept the rules of the wire."""
    with LoopbackServer() as server:
        yield server
    assert server.lenient or server.broken == []


@pytest.fixture
def port() -> int:
    """One that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
