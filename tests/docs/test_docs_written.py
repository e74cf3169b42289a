"""What the pages say of keys, results, commands and strategies is what the program says now."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs_pages import DOCS
from write_pages import written

from agentctl.cli.commands import HELP
from agentctl.cli.main import main
from agentctl.jsontypes import Json
from agentctl.schemafiles import schema
from agentctl.spec.strategies import STRATEGIES

WRITTEN = written()


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_what_is_written_by_the_program_is_up_to_date(path: Path) -> None:
    stated = path.read_text(encoding="utf-8") if path.exists() else ""
    assert stated == WRITTEN[path], "run `python docs/writers/write_pages.py`"


def test_every_key_of_the_team_file_is_told() -> None:
    page = (DOCS / "team-file.md").read_text(encoding="utf-8")
    told = {
        name for row in re.findall(r"^\| `([^`]+)` \|", page, re.M) for name in re.split(r"\[?\]?\.", row)
    }
    assert keys(schema("team")) <= told


def keys(found: Json) -> set[str]:
    """Names of all properties, at any depth."""
    if isinstance(found, list):
        return set().union(*map(keys, found))
    if not isinstance(found, dict):
        return set()
    properties = found.get("properties")
    own = set(properties) if isinstance(properties, dict) else set()
    return own.union(*map(keys, found.values()))


def test_every_command_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    assert set(HELP) <= set(re.findall(r"^## agentctl (\w+)$", page, re.M))
    assert main(["--help"]) == 0
    for option in re.findall(r"^ +(-.*?)  ", capsys.readouterr().out, re.M):
        assert f"| `{option}` |" in page.partition("<!--")[0]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_has_a_page_with_a_drawing_and_a_team(strategy: str) -> None:
    page = (DOCS / "strategies" / f"{strategy}.md").read_text(encoding="utf-8")
    assert f"](../drawings/{strategy}.svg)" in page
    assert re.search(rf"^strategy: (\{{type: )?{strategy}\b|^  type: {strategy}$", page, re.M)
