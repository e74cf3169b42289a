"""Fixtures for every room's tests."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopback.server import LoopbackServer

HERE = Path(__file__).parent
OF_PROCESSES = tuple(
    HERE / place
    for place in (
        "cli/test_cli_robust.py",
        "docs/test_docs_pages.py",
        "docs/test_docs_testing.py",
        "e2e",
        "models/test_models_litellm_habits.py",
        "servers",
    )
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        theirs = any(item.path.is_relative_to(place) for place in OF_PROCESSES)
        if theirs and not any(item.iter_markers("chaos")) and not any(item.iter_markers("mcp")):
            item.add_marker("processes")


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
