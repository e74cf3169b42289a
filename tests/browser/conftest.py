"""Chromium, and the page of a run in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.browser_page import Opener, write_page

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the page."""
    return write_page(tmp_path_factory.mktemp("desk"))


@pytest.fixture(scope="session")
def chromium(written: Path) -> Iterator[Browser]:
    """Opened after the page is written, since it keeps a loop of its own going."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    assert found, f"none of {', '.join(NAMES)} is installed"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opens(chromium: Browser, written: Path) -> Iterator[Opener]:
    yield Opener(chromium, written)
    for context in chromium.contexts:
        context.close()
