"""The site is built without a warning, and a page of it needs nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from docs_pages import DOCS, ROOT, pages

pytestmark = pytest.mark.docs


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_every_page_is_there_and_loads_nothing_from_elsewhere(site: Path) -> None:
    for page in pages():
        html = (site / page.relative_to(DOCS).with_suffix(".html")).read_text(encoding="utf-8")
        assert re.findall(r'(?:src|srcset)="?(?:https?:)?//[^">]+', html) == []
        assert re.findall(r'<link [^>]*href="?(?:https?:)?//[^">]+', html) == []
        assert 'class="mermaid"' not in html


def test_code_has_its_name_and_drawings_are_part_of_the_page(site: Path) -> None:
    html = (site / "strategies" / "handoff.html").read_text(encoding="utf-8")
    assert '<span class="filename">teams/support/team.yaml</span>' in html
    assert re.search(r'<svg role="img" aria-label="The supervisor[^"]+"', html)
    assert "<img" not in html
    assert "```" not in (site / "testing.html").read_text(encoding="utf-8")
    assert "```" not in (site / "diagnostics.html").read_text(encoding="utf-8")


def test_every_anchor_is_there(site: Path) -> None:
    for page in site.rglob("*.html"):
        for path, name in re.findall(
            r'href="(?!https?:|\.\./*"|//)([^"#]*)#([^"]+)"', page.read_text("utf-8")
        ):
            target = (page.parent / path).resolve() if path and path != "." else page
            html = target.read_text(encoding="utf-8")
            assert f'id="{name}"' in html or name == "__codelineno-0-1", (page.name, path, name)
