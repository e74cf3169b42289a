"""The teams of `docs/examples` have no fault, and what stands in code blocks is what it says it is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from docs_pages import DOCS, ELSEWHERE, ROOT, blocks, pages

from agentctl.api.teams import validate
from agentctl.diagnostics import Report
from agentctl.document import read_document

EXAMPLES = sorted((DOCS / "examples").glob("*/team.yaml"))
KEYS = dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OUR_MODEL_KEY"), "set")


@pytest.mark.parametrize("team", EXAMPLES, ids=lambda team: team.parent.name)
def test_an_example_has_no_fault(team: Path) -> None:
    assert [found.message for found in validate([team], environ=KEYS)] == []


def test_every_example_is_shown_on_a_page() -> None:
    shown = {block.name for page in pages() for block in blocks(page)}
    assert {team.relative_to(ROOT).as_posix() for team in EXAMPLES} <= shown


@pytest.mark.parametrize(
    "page",
    [page for page in pages() if page.name not in ELSEWHERE],
    ids=lambda page: page.relative_to(DOCS).as_posix(),
)
def test_code_is_of_its_language(page: Path) -> None:
    for block in blocks(page):
        if block.language == "python":
            ast.parse(block.text)
        if block.language == "yaml":
            report = Report()
            read_document(f"{block.text}x-more:\n".encode(), path=page.name, report=report)
            assert [found.message for found in report] == []
