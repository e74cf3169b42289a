"""Options and fixtures of the chaos suite: `pytest tests/chaos -m chaos [--chaos-all] [--chaos-seed N]`."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from chaos.nursery import Nursery


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--chaos-all", action="store_true", help="every point instead of every n-th one")
    parser.addoption("--chaos-seed", type=int, default=None, help="that of the random kills")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker("chaos")


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    with Nursery() as found:
        yield found


@pytest.fixture(scope="session")
def everything(pytestconfig: pytest.Config) -> bool:
    return bool(pytestconfig.getoption("--chaos-all", default=False))


@pytest.fixture
def seed(pytestconfig: pytest.Config) -> int:
    given = pytestconfig.getoption("--chaos-seed", default=None)
    return given if isinstance(given, int) else secrets.randbits(32)
