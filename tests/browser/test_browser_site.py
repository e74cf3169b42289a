"""The site of the documentation in Chromium: opened from disk, without a network, wide and narrow."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final, Literal

import pytest
from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

ROOT: Final = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=True)
    return folder


@pytest.mark.parametrize("width", [360, 1280])
def test_every_page_opens_from_disk_and_fits(chromium: Browser, site: Path, width: int) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for path in sorted(site.rglob("*.html")):
        page.goto(path.as_uri())
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{path.name} is {wide} wide"
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert wrong == []
    context.close()


def test_a_drawing_has_the_colour_of_the_page(chromium: Browser, site: Path) -> None:
    colours = []
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        context = chromium.new_context(color_scheme=scheme)
        page = context.new_page()
        page.goto((site / "strategies" / "swarm.html").as_uri())
        words = "getComputedStyle(document.querySelector('.drawing text')).fill"
        text = "getComputedStyle(document.querySelector('article p')).color"
        colours.append(page.evaluate(words))
        assert colours[-1] == page.evaluate(text)
        context.close()
    assert colours[0] != colours[1]
