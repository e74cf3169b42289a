from __future__ import annotations

from pathlib import Path

import pytest

from agentctl.checks import check_team, load_tools
from agentctl.diagnostics import Report
from agentctl.spec.read import read_team
from agentctl.tools.importing import Importer

TOOLS = """
import agentctl

open("imported", "w").close()


def lookup(word: str) -> str:
    '''Look a word up.'''
    return word


@agentctl.tool(name="transfer_to_one")
def disguised(word: str) -> str:
    '''Look a word up.'''
    return word


@agentctl.tool(idempotent=True)
def send_safely(word: str) -> str:
    '''Send a word.'''
    return word


def send_mail(word: str) -> str:
    '''Send a word.'''
    return word


def get_refund_policy(word: str) -> str:
    '''Look up how refunds work.'''
    return word
"""


def checked(
    folder: Path, text: str, *, imports: bool = True, environ: dict[str, str] | None = None
) -> Report:
    (folder / "desk_tools.py").write_text(TOOLS, encoding="utf-8")
    (folder / "team.yaml").write_text(text, encoding="utf-8")
    report = Report()
    team = read_team(folder / "team.yaml", environ=environ or {}, report=report, shown="team.yaml")
    assert team is not None
    toolboxes = load_tools(team, Importer([folder])) if imports else None
    check_team(team, report, environ=environ or {}, toolboxes=toolboxes)
    return report


def codes(report: Report) -> list[str]:
    return [found.code for found in report]


HEAD = "name: desk\nmodel: offline\ninstructions: x\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_without_imports_nothing_of_the_team_is_run(tmp_path: Path) -> None:
    text = f"{HEAD}tools: [desk_tools:lookup, desk_tools:none]\n"
    assert codes(checked(tmp_path, text, imports=False)) == []
    assert not (tmp_path / "imported").exists()
    assert codes(checked(tmp_path, text)) == ["attribute-missing"]
    assert (tmp_path / "imported").exists()


def test_functions_that_are_no_tools_are_imported_too(tmp_path: Path) -> None:
    text = f"""{HEAD}
strategy: {{type: sequential, stop_if: {{function: "desk_tools:none"}}}}
agents:
  - name: one
    instructions: x
    tools: [{{function: "desk_tools:lookup", approve: {{when: "desk_tools:nil"}}}}]
  - {{name: two, instructions: x}}
"""
    assert sorted(codes(checked(tmp_path, text))) == ["attribute-missing", "attribute-missing", "unread-key"]


def test_a_tool_that_names_itself_like_a_transfer(tmp_path: Path) -> None:
    text = f"{HEAD}tools: [desk_tools:disguised]\nagents: [{{name: one, instructions: x}}]\n"
    assert codes(checked(tmp_path, text)) == ["tool-duplicate"]
    elsewhere = f"{HEAD}agents: [{{name: one, instructions: x, tools: [desk_tools:disguised]}}]\n"
    assert codes(checked(tmp_path, elsewhere)) == []


def test_what_a_decorator_says_counts(tmp_path: Path) -> None:
    tools = "[desk_tools:send_safely, {function: desk_tools:send_safely, name: sent, retry: {attempts: 2}}]"
    assert codes(checked(tmp_path, f"{HEAD}tools: {tools}\n")) == []


def test_only_tools_that_act_and_about_which_nothing_is_said(tmp_path: Path) -> None:
    text = f"{HEAD}tools: [desk_tools:send_mail, desk_tools:get_refund_policy]\n"
    assert codes(checked(tmp_path, text)) == ["risky-tool"]


def test_two_agents_of_one_name_are_two(tmp_path: Path) -> None:
    agent = "{name: one, instructions: x, tools: [desk_tools:lookup]}"
    assert codes(checked(tmp_path, f"{HEAD}agents: [{agent}, {agent}]\n")) == ["duplicate-name"]


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ("{to: two, tool: lookup}", []),
        ("{to: two, from: one, tool: lookup}", []),
        ("{to: one, from: two, tool: lookup}", ["unknown-tool"]),
        ("{to: two, tool: look}", ["unknown-tool"]),
        ("{to: two, text: look}", []),
    ],
)
def test_a_rule_waits_for_a_tool_that_is_there(tmp_path: Path, rule: str, found: list[str]) -> None:
    text = f"""
name: desk
model: offline
strategy: {{type: swarm, handoff_when: [{rule}]}}
agents:
  - {{name: one, description: d, instructions: x, tools: [desk_tools:lookup]}}
  - {{name: two, description: d, instructions: x}}
"""
    assert codes(checked(tmp_path, text)) == found
    broken = text.replace("desk_tools:lookup", "desk_tools:none")
    assert "unknown-tool" not in codes(checked(tmp_path, broken)) or found == ["unknown-tool"]


def test_a_missing_key_is_a_warning_told_once_where_the_model_is_stated(tmp_path: Path) -> None:
    text = """
models: {fast: {id: openai/gpt-4o-mini}}
name: desk
model: fast
instructions: x
agents:
  - {name: one, instructions: x}
  - {name: two, instructions: x}
"""
    report = checked(tmp_path, text)
    assert [(found.severity, found.code, found.span.line) for found in report] == [
        ("warning", "model-key", 2)
    ]
    assert codes(checked(tmp_path, text, environ={"OPENAI_API_KEY": "k"})) == []


def test_only_models_that_are_asked_are_looked_at(tmp_path: Path) -> None:
    text = """
name: desk
model: openai/gpt-4o-mini
strategy: parallel
agents:
  - {name: one, model: offline, instructions: x}
  - {name: two, model: offline, instructions: x}
"""
    assert codes(checked(tmp_path, text)) == []
    planned = """
name: desk
model: offline
strategy: {type: plan_execute, planner: {model: openai/gpt-4o-mini, instructions: Plan.}}
agents: [{name: one, instructions: x}]
"""
    assert codes(checked(tmp_path, planned)) == ["model-key"]


def test_a_key_in_the_env_file_is_a_key(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("OPENAI_API_KEY=k\n", encoding="utf-8")
    assert codes(checked(tmp_path, "name: desk\nmodel: openai/gpt-4o-mini\ninstructions: x\n")) == []


def test_a_mistaken_model_is_an_error(tmp_path: Path) -> None:
    assert codes(checked(tmp_path, "name: desk\nmodel: opnai/gpt-4o\ninstructions: x\n")) == ["model-unknown"]


def test_agents_that_are_chosen_among_need_a_description(tmp_path: Path) -> None:
    panel = (
        "{name: panel, strategy: parallel, agents: [{name: a, instructions: x}, {name: b, instructions: x}]}"
    )
    text = f"{HEAD}agents: [{panel}, {{name: one, instructions: x}}]\n"
    assert codes(checked(tmp_path, text)) == ["no-description"]
    assert codes(
        checked(tmp_path, text.replace("agents: [{name: panel", "strategy: parallel\nagents: [{name: panel"))
    ) == ["unread-key"]
