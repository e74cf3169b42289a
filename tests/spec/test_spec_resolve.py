from __future__ import annotations

from pathlib import Path

import pytest
from spec_teams import VALID, agent, read, reported

from agentctl.diagnostics import Report
from agentctl.spec.read import read_team
from agentctl.spec.resolve import dump_team, team_digest, team_json
from agentctl.spec.team import Team


def load(path: Path) -> Team:
    report = Report()
    team = read_team(path, environ={}, report=report, shown="team.yaml")
    assert report.errors == 0
    assert team is not None
    return team


@pytest.mark.parametrize("case", VALID, ids=lambda case: case.name)
def test_a_resolved_team_reads_back_equal(case: Path) -> None:
    team = load(case / "team.yaml")
    again, report = reported(dump_team(team), folder=team.folder)
    assert list(report) == []
    assert again == team
    assert again is not None
    assert dump_team(again) == dump_team(team)


def test_nothing_is_left_to_the_environment_or_to_other_files(tmp_path: Path) -> None:
    (tmp_path / "desk.md").write_text("Keep ${HOME} and {{ inputs.city }}.\n", encoding="utf-8")
    head = "name: ${NAME}\nmodel: offline\ninputs: {city: {}}\n"
    text = head + "instructions: {file: desk.md}\nexamples: ['$${X}']\n"
    team = read(text, folder=tmp_path, environ={"NAME": "desk"})
    (tmp_path / "desk.md").unlink()
    again = read(dump_team(team), folder=tmp_path)
    assert again == team
    assert again.root.instructions == "Keep ${HOME} and {{ inputs.city }}.\n"
    assert (again.root.name, again.root.examples) == ("desk", ("${X}",))


def test_functions_and_scripts_of_included_files_begin_in_their_folder(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "parts").mkdir()
    (tmp_path / "shared").mkdir()
    part = """
name: {name}
model: script:replies.yaml
instructions: x
tools: [tools:look, ./tools.py:find, ../up.py:climb, /abs/tools.py:reach]
"""
    (tmp_path / "home" / "parts" / "one.yaml").write_text(part.format(name="one"), encoding="utf-8")
    (tmp_path / "shared" / "two.yaml").write_text(part.format(name="two"), encoding="utf-8")
    text = """
name: desk
model: offline
instructions: x
agents: [{file: parts/one.yaml}, {file: ../shared/two.yaml}]
"""
    (tmp_path / "home" / "team.yaml").write_text(text, encoding="utf-8")
    team = load(tmp_path / "home" / "team.yaml")
    one = agent(team, "one")
    assert one.tools[0].function.folder == tmp_path / "home" / "parts"
    assert one.model is not None
    assert (one.model.id, one.model.folder) == ("script:replies.yaml", tmp_path / "home" / "parts")
    dumped = dump_team(team)
    assert "./parts/./tools:look" in dumped
    assert "../shared/./tools.py:find" in dumped
    assert "script:./parts/./replies.yaml" in dumped
    assert read(dumped, folder=tmp_path / "home") == team


def test_the_hash_is_that_of_what_is_said(tmp_path: Path) -> None:
    inline = "name: desk\nmodel: offline\ninstructions: Answer.\n"
    (tmp_path / "desk.md").write_text("Answer.", encoding="utf-8")
    filed = "# a note\nmodel: offline\nname: desk\ninstructions: {file: desk.md}\n"
    other = inline.replace("Answer", "Reply")
    digests = [team_digest(read(text, folder=tmp_path)) for text in (inline, filed, other)]
    assert digests[0] == digests[1]
    assert digests[0] != digests[2]


def test_a_model_is_stated_where_it_changes() -> None:
    text = """
name: desk
model: offline
instructions: x
agents:
  - {name: one, model: offline, instructions: x}
  - {name: two, model: openai/gpt-4o, instructions: x}
"""
    written = team_json(read(text))
    assert written["model"] == "offline"
    assert isinstance(written["agents"], list)
    assert ["model" in each for each in written["agents"]] == [False, True]


def test_strings_that_look_like_something_else_stay_strings() -> None:
    examples = """['12:30', 'null', '1', "a: b", '$${', "\\n", '# x']"""
    text = f"name: 'no'\nmodel: offline\nexamples: {examples}\ninstructions: 'on'\n"
    team = read(text)
    assert read(dump_team(team)) == team
