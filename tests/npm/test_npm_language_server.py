"""What an editor shows of a team file: descriptions, mistakes and suggestions, by the published schema."""

from __future__ import annotations

from pathlib import Path
from typing import Final, cast

import pytest

from agentctl.spec.strategies import STRATEGIES
from npm.npm_language_server import LanguageServer

pytestmark = pytest.mark.npm
ROOT: Final = Path(__file__).parents[2]
TEAMS: Final = sorted((ROOT / "teams").glob("*/team.yaml"))
SUPPORT: Final = ROOT / "teams" / "support" / "team.yaml"


def position(text: str, marked: str) -> tuple[int, int]:
    """Line and column of the end of `marked` in `text`."""
    before = text[: text.index(marked) + len(marked)]
    return before.count("\n"), len(before) - before.rfind("\n") - 1


@pytest.mark.parametrize("team", TEAMS, ids=lambda team: team.parent.name)
def test_every_sample_team_is_clean_in_an_editor(editor: LanguageServer, team: Path) -> None:
    text = team.read_text(encoding="utf-8")
    assert text.startswith("# yaml-language-server: $schema=../../schemas/team.schema.json\n")
    assert editor.show(team, text) == []


def test_an_unknown_key_is_marked(editor: LanguageServer) -> None:
    text = SUPPORT.read_text(encoding="utf-8").replace("\ninstructions:", "\ninstruction:", 1)
    (found,) = editor.show(SUPPORT, text)
    line = text.split("\n").index(next(row for row in text.split("\n") if row.startswith("instruction:")))
    span = cast("dict[str, dict[str, int]]", found["range"])
    assert "instruction" in cast("str", found["message"])
    assert (span["start"]["line"], span["start"]["character"]) == (line, 0)


@pytest.mark.parametrize(
    ("written", "word"),
    [
        ("strategy: handof", "strategy"),
        ("strategy: {type: router, max_handoffs: 3}", "max_handoffs"),
        ("strategy: {type: parallel, on_error: ignore}", "on_error"),
    ],
)
def test_wrong_strategies_and_options_are_marked(editor: LanguageServer, written: str, word: str) -> None:
    text = SUPPORT.read_text(encoding="utf-8").replace("strategy: handoff", written)
    found = editor.show(SUPPORT, text)
    line = next(index for index, row in enumerate(text.split("\n")) if row.startswith("strategy:"))
    assert {cast("dict[str, dict[str, int]]", each["range"])["start"]["line"] for each in found} == {line}


def test_keys_are_described_on_hover(editor: LanguageServer) -> None:
    text = SUPPORT.read_text(encoding="utf-8")
    editor.show(SUPPORT, text)
    for key, words in (
        ("\ninstruc", "The system prompt"),
        ("\nstrat", "How this agent uses its"),
        ("    limi", "delegation"),
        ("idempo", "again"),
        ("    descrip", "what a model is shown"),
    ):
        assert words in editor.hover(SUPPORT, *position(text, key)), key


def test_keys_of_an_agent_are_suggested(editor: LanguageServer) -> None:
    text = SUPPORT.read_text(encoding="utf-8").partition("\ntests:")[0] + "\n    \n"
    editor.show(SUPPORT, text)
    suggested = editor.complete(SUPPORT, text.count("\n") - 1, 4)
    assert {"limits", "model", "examples", "context", "retry"} <= suggested
    assert not suggested & {"version", "inputs", "models"}


def test_every_strategy_is_suggested(editor: LanguageServer) -> None:
    text = SUPPORT.read_text(encoding="utf-8").replace("strategy: handoff", "strategy: ")
    editor.show(SUPPORT, text)
    assert set(STRATEGIES) <= editor.complete(SUPPORT, *position(text, "\nstrategy: "))


@pytest.mark.parametrize(
    ("name", "own", "others"),
    [
        ("handoff", {"final", "required", "max_handoffs"}, {"transitions", "weights", "plan"}),
        ("router", {"by", "fallback"}, {"max_handoffs", "weights", "plan"}),
        ("swarm", {"start", "transitions", "handoff_when"}, {"final", "weights", "fallback"}),
        ("random", {"weights", "seed", "turns"}, {"final", "start", "fallback"}),
        ("plan_execute", {"planner", "plan", "max_replans"}, {"final", "start", "weights"}),
        ("parallel", {"max_concurrency", "on_error"}, {"final", "start", "plan"}),
    ],
)
def test_the_options_of_a_strategy_are_suggested_and_no_others(
    editor: LanguageServer, name: str, own: set[str], others: set[str]
) -> None:
    text = SUPPORT.read_text(encoding="utf-8").replace("strategy: handoff", f"strategy:\n  type: {name}\n  ")
    editor.show(SUPPORT, text)
    suggested = editor.complete(SUPPORT, *position(text, f"type: {name}\n  "))
    assert own <= suggested
    assert not suggested & others
