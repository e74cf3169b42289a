"""Every link of the README and of the pages leads to a file, and to a heading where it names one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from docs_pages import DOCS, ROOT, pages

README: Final = ROOT / "README.md"
_LINK: Final = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)\s]+))?\)")
_FENCED: Final = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def headings(page: Path) -> set[str]:
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    return {anchor(found) for found in re.findall(r"^#+ (.+)$", text, re.M)}


def anchor(heading: str) -> str:
    """As hosts of Markdown and mkdocs both make it, for headings of plain words."""
    return re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-")


@pytest.mark.parametrize("page", [README, *pages()], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_its_links_lead_somewhere(page: Path) -> None:
    for path, name in _LINK.findall(_FENCED.sub("", page.read_text(encoding="utf-8"))):
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"({path}) leads nowhere"
        assert not name or name in headings(target), f"{target.name} has no heading #{name}"


def test_the_readme_leads_to_the_documentation() -> None:
    assert "](docs/index.md)" in README.read_text(encoding="utf-8")


def test_every_page_is_in_the_navigation() -> None:
    listed = re.findall(r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    assert sorted(listed) == sorted(page.relative_to(DOCS).as_posix() for page in pages())
