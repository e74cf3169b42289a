"""Servers of team files: read, shared, kept without their secrets, and read back the same."""

from __future__ import annotations

from pathlib import Path

from spec_teams import EXAMPLES, agent, codes, read, told

from agentctl.diagnostics import Report
from agentctl.spec.read import read_team
from agentctl.spec.resolve import dump_team
from agentctl.spec.team import Team

SECRET = "hunter2-0123"
TEAM = """
name: desk
model: offline
instructions: Work.
mcp_servers:
  files:
    command: ${PROGRAM}
    args: ["${FOLDER}", "$${KEPT}"]
    env: {TOKEN: "${TOKEN}", PORT: 8080, LITERAL: "$${X}"}
  issues:
    url: https://example.com/${FOLDER}
    headers: {Authorization: "Bearer ${TOKEN:?no token}"}
tools:
  - {mcp: files, include: [read_*], exclude: [read_all], approve: always, idempotent: false}
  - {mcp: issues, approve: {when: "tools:needs"}, timeout: 5s, max_output: 10}
  - builtin: ask_person
"""
ENVIRON = {"PROGRAM": "npx", "FOLDER": "here", "TOKEN": SECRET}


def test_what_a_file_says_of_servers_is_read_with_secrets_left_out() -> None:
    team = read(TEAM, environ=ENVIRON)
    files, issues = team.root.mcp_tools
    assert (files.mcp.name, files.mcp.command, files.mcp.args) == ("files", "npx", ("here", "${KEPT}"))
    assert files.mcp.env == {"TOKEN": "${TOKEN}", "PORT": "8080", "LITERAL": "$${X}"}
    assert files.mcp.cwd == team.folder
    assert issues.mcp.url == "https://example.com/here"
    assert issues.mcp.headers == {"Authorization": "Bearer ${TOKEN:?no token}"}
    assert (files.include, files.exclude) == (("read_*",), ("read_all",))
    assert (files.approve, files.idempotent) == ("always", False)
    assert (issues.idempotent, issues.timeout, issues.max_output) == (None, 5.0, 10)
    assert [entry.builtin for entry in team.root.builtins] == ["ask_person"]


def test_the_resolved_team_holds_no_secret_and_reads_back_the_same() -> None:
    team = read(TEAM, environ=ENVIRON)
    text = dump_team(team)
    assert SECRET not in text
    assert "TOKEN: ${TOKEN}" in text
    assert read(text, environ={"TOKEN": SECRET}) == team
    assert dump_team(read(text, environ={"TOKEN": "another"})) == text


def test_a_variable_that_is_not_set_is_told_where_it_stands() -> None:
    text = TEAM.replace("${PROGRAM}", "npx").replace("${FOLDER}", "here")
    assert told(text) == ["9:19 variable-unset", "12:38 variable-unset"]


def test_servers_of_an_included_file_hold_inside_it() -> None:
    case = EXAMPLES / "valid" / "mcp-servers"
    team = read_example(case)
    own, other = agent(team, "clerk").mcp_tools[0].mcp, agent(team, "other").mcp_tools[0].mcp
    assert (own.name, other.name) == ("files", "files_2")
    assert own != other
    assert other.cwd == case / "parts"
    assert other.env == {"PORT": "8080", "FULL": "true", "TOKEN": "${ISSUES_TOKEN:-none}"}
    text = dump_team(team)
    assert "files_2:" in text
    again = read(text, folder=case)
    assert again.root == team.root
    assert agent(again, "other").mcp_tools[0].mcp.args == ("clock.sh",)
    assert agent(again, "other").mcp_tools[0].mcp.cwd == case / "parts"


def read_example(case: Path) -> Team:
    report = Report()
    team = read_team(case / "team.yaml", environ={}, report=report)
    assert team is not None
    assert report.errors == 0
    return team


def test_a_server_of_the_outer_file_is_not_there_in_an_included_one(tmp_path: Path) -> None:
    (tmp_path / "inner.yaml").write_text(
        "name: inner\ninstructions: x\ndescription: y\ntools: [{mcp: files}]\n", "utf-8"
    )
    outer = (
        "name: desk\nmodel: offline\ninstructions: x\nmcp_servers: {files: {command: npx}}\n"
        "tools: [{mcp: files}]\nagents: [{file: inner.yaml}]\n"
    )
    assert "unknown-mcp-server" in codes(outer, folder=tmp_path)
