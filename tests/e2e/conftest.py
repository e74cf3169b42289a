"""Desks for the end-to-end tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.cast import Stage
from e2e.command import Desk
from loopback.server import LoopbackServer


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(folder=tmp_path)


@pytest.fixture
def wired(tmp_path: Path, openai_server: LoopbackServer) -> Desk:
    """A desk whose OpenAI models are on the loopback server."""
    variables = {
        "AGENTCTL_MODEL": "openai/gpt-4o-mini",
        "OPENAI_API_KEY": "sk-loopback-0123456789abcdef",
        "OPENAI_BASE_URL": openai_server.base_url,
    }
    return Desk(folder=tmp_path, variables=variables)


@pytest.fixture
def stage(wired: Desk, openai_server: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """A team whose models are on the loopback server, for this process and for those of `wired`."""
    for name, value in wired.variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(wired.folder)
    return Stage(folder=wired.folder, server=openai_server)
