"""Whatever stands in a team file: reading ends, raises nothing, and places each diagnostic in its file."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spec_teams import EXAMPLES

from agentctl.diagnostics import Report
from agentctl.document import dump
from agentctl.jsontypes import Json
from agentctl.spec.read import read_team
from agentctl.spec.resolve import dump_team
from agentctl.spec.schema import team_schema

FILES = sorted(EXAMPLES.glob("*/*/team.yaml"))
WORDS = sorted(
    {
        word
        for text in (str(team_schema()),)
        for word in text.replace("'", " ").replace("`", " ").split()
        if word.isidentifier() and len(word) < 20
    }
)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(WORDS)
    | st.text(max_size=8),
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=8), below, max_size=4)
    ),
    max_leaves=20,
)


def check(source: str | Path, folder: Path) -> None:
    report = Report()
    team = read_team(source, environ={"HOME": "/home"}, report=report, shown="team.yaml", folder=folder)
    for found in report:
        lines = report.sources[found.span.path].split("\n")
        assert 1 <= found.span.line <= found.span.end_line <= len(lines), found
        assert 1 <= found.span.column <= len(lines[found.span.line - 1]) + 1, found
    if team is not None and not report.errors:
        again = read_team(dump_team(team), environ={}, report=Report(), shown="team.yaml", folder=folder)
        assert again == team


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_real_teams_with_lines_moved_and_letters_lost(file: Path, tmp_path: Path) -> None:
    shutil.copytree(file.parent, tmp_path, dirs_exist_ok=True)
    text = file.read_text(encoding="utf-8", errors="replace")
    chance = random.Random(file.parent.name)
    for _ in range(8):
        lines = text.split("\n")
        for _ in range(chance.randint(1, 3)):
            at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
            match chance.randrange(5):
                case 0:
                    lines[at], lines[other] = lines[other], lines[at]
                case 1:
                    lines.pop(at)
                    lines.append("")
                case 2:
                    lines[at] = lines[at].replace(chance.choice("aeiou:-{["), "", 1)
                case 3:
                    lines[at] = lines[at].replace(": ", f": {chance.choice(WORDS)} ", 1)
                case _:
                    lines.insert(at, lines[other])
        (tmp_path / "team.yaml").write_text("\n".join(lines), encoding="utf-8")
        check(tmp_path / "team.yaml", tmp_path)


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(
            ["model", "instructions", "tools", "agents", "strategy", "limits", "inputs", "models"]
        ),
        json_values,
    )
)
def test_any_values_under_known_keys(values: dict[str, Json]) -> None:
    agents: Json = [{"name": "one", "model": "offline"}, {"name": "two", **values}]
    check(dump({"name": "desk", **values, "agents": values.get("agents", agents)}), Path("/nowhere"))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["handoff", "router", "sequential", "swarm", "random", "plan_execute"]), json_values)
def test_any_options_of_a_strategy(name: str, options: Json) -> None:
    strategy: Json = {**options, "type": name} if isinstance(options, dict) else options
    pair: Json = [{"name": "one", "instructions": "x"}, {"name": "two", "instructions": "y"}]
    check(dump({"name": "desk", "model": "offline", "strategy": strategy, "agents": pair}), Path("/nowhere"))
