from __future__ import annotations

import os
from pathlib import Path

import pytest
from spec_teams import agent, codes, read, reported

from agentctl.diagnostics import Report
from agentctl.spec.agents import DEEPEST
from agentctl.spec.read import read_team

PART = """
models: {fast: {id: openai/gpt-4o, temperature: 1}}
name: part
description: Its own
model: fast
instructions: x
limits: {turns: 9, tokens: 5}
retry: {attempts: 5}
agents:
  - {name: below, instructions: x}
  - {name: offline_one, model: offline, instructions: x}
"""
HEAD = "name: desk\nmodel: offline\ninstructions: x\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "part.yaml").write_text(PART, encoding="utf-8")
    return tmp_path


def test_an_included_agent_is_its_file_s_root(folder: Path) -> None:
    team = read(f"{HEAD}agents: [{{file: part.yaml}}]\n", folder=folder)
    part = agent(team, "part")
    assert (part.description, part.limits["turns"].value) == ("Its own", 9)
    assert part.model is not None
    assert part.model.id == "openai/gpt-4o"
    assert part.spans["description"].path == "part.yaml"
    assert (part.spans["file"].path, part.pointer) == ("team.yaml", "")


def test_what_stands_beside_file_replaces(folder: Path) -> None:
    beside = "name: mine, description: Mine, model: openai/o3, limits: {time: 5s}, retry: {attempts: 1}"
    team = read(f"{HEAD}agents: [{{file: part.yaml, {beside}}}]\n", folder=folder)
    part = agent(team, "mine")
    assert (part.description, list(part.limits)) == ("Mine", ["time"])
    assert part.retry is not None
    assert part.retry.attempts == 1
    models = {each.name: each.model.id for each in part.walk() if each.model}
    assert models == {"mine": "openai/o3", "below": "openai/o3", "offline_one": "offline"}
    assert part.spans["name"].path == "team.yaml"


def test_named_models_hold_in_their_own_file(folder: Path) -> None:
    agents = "agents: [{file: part.yaml}, {name: x, model: fast, instructions: x}]\n"
    named = f"models: {{fast: offline}}\n{HEAD}{agents}"
    team = read(named, folder=folder)
    part, other = agent(team, "part").model, agent(team, "x").model
    assert part is not None
    assert other is not None
    assert (part.id, other.id) == ("openai/gpt-4o", "offline")


def test_a_model_is_inherited_into_an_included_file(folder: Path) -> None:
    (folder / "bare.yaml").write_text("name: bare\ninstructions: x\n", encoding="utf-8")
    team = read(f"{HEAD}agents: [{{file: bare.yaml}}]\n", folder=folder)
    bare = agent(team, "bare").model
    assert bare is not None
    assert bare.id == "offline"


def test_a_file_that_includes_itself_is_a_cycle(folder: Path) -> None:
    (folder / "team.yaml").write_text(f"{HEAD}agents: [{{file: ./team.yaml}}]\n", encoding="utf-8")
    report = Report()
    read_team(folder / "team.yaml", environ={}, report=report, shown="team.yaml")
    assert [found.code for found in report] == ["include-cycle"]
    assert "team.yaml -> team.yaml" in report.sorted()[0].message


def test_a_file_included_twice_is_told_of_once(folder: Path) -> None:
    (folder / "bad.yaml").write_text("name: bad\ninstructions: x\ncolour: 1\n", encoding="utf-8")
    text = f"{HEAD}agents: [{{file: bad.yaml}}, {{file: bad.yaml, name: other}}]\n"
    assert codes(text, folder=folder) == ["unknown-key"]


def test_included_files_that_multiply_are_bounded(tmp_path: Path) -> None:
    for level in range(20):
        below = f"agents: [{{file: f{level + 1}.yaml}}, {{file: f{level + 1}.yaml}}]\n" if level < 19 else ""
        (tmp_path / f"f{level}.yaml").write_text(
            f"name: a{level}\ninstructions: x\n{below}", encoding="utf-8"
        )
    text = f"{HEAD}agents: [{{file: f0.yaml}}]\n"
    found = codes(text, folder=tmp_path)
    assert found.count("too-many-agents") == 1


def test_included_files_that_nest_are_bounded(tmp_path: Path) -> None:
    for level in range(DEEPEST + 10):
        below = f"agents: [{{file: f{level + 1}.yaml}}]\n" if level < DEEPEST + 9 else ""
        (tmp_path / f"f{level}.yaml").write_text(
            f"name: a{level}\ninstructions: x\n{below}", encoding="utf-8"
        )
    assert "too-many-agents" in codes(f"{HEAD}agents: [{{file: f0.yaml}}]\n", folder=tmp_path)


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"\xff\xfe\x00", "unreadable-file"), (b"x" * 5_000_001, "unreadable-file"), (None, "missing-file")],
)
def test_instructions_that_cannot_be_read(tmp_path: Path, data: bytes | None, code: str) -> None:
    if data is not None:
        (tmp_path / "desk.md").write_bytes(data)
    text = "name: desk\nmodel: offline\ninstructions: {file: desk.md}\n"
    assert codes(text, folder=tmp_path) == [code]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    text = "name: desk\nmodel: offline\ninstructions: {file: pipe}\n"
    assert codes(text, folder=tmp_path) == ["unreadable-file"]


def test_a_path_with_a_null_is_no_file() -> None:
    assert codes('name: desk\nmodel: offline\ninstructions: {file: "a\\0b"}\n') == ["unreadable-file"]


def test_instructions_of_a_file_are_read_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "desk.md").write_bytes(b"\xef\xbb\xbfOne ${HOME}.\r\nTwo.\r\n")
    team = read("name: desk\nmodel: offline\ninstructions: {file: desk.md}\n", folder=tmp_path)
    assert team.root.instructions == "One ${HOME}.\nTwo.\n"


def test_an_included_file_that_is_missing_hides_nothing(tmp_path: Path) -> None:
    strategy = "strategy: {type: router, fallback: gone}\n"
    text = f"{HEAD}{strategy}agents: [{{file: gone.yaml}}, {{name: b, colour: 1}}]\n"
    found = codes(text, folder=tmp_path)
    assert sorted(found) == ["missing-file", "no-instructions", "unknown-key"]


def test_an_included_file_that_is_no_mapping(tmp_path: Path) -> None:
    (tmp_path / "list.yaml").write_text("- a\n", encoding="utf-8")
    team, report = reported(f"{HEAD}agents: [{{file: list.yaml, name: mine}}]\n", folder=tmp_path)
    assert [found.span.path for found in report] == ["list.yaml"]
    assert team is not None
    assert [each.name for each in team.agents()] == ["desk", "mine"]


@pytest.mark.parametrize("path", ['"a\\0b"', "''", "'..'", f"'{'a' * 300}'"])
def test_an_included_path_that_can_be_none(tmp_path: Path, path: str) -> None:
    assert len(codes(f"{HEAD}agents: [{{file: {path}, name: one}}]\n", folder=tmp_path)) == 1
