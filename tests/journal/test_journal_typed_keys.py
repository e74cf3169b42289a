"""Keys that are typed under ordinary names, inside of addresses and among a program's arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentctl.api.equip import team_secrets
from agentctl.api.inner_secrets import in_address, in_arguments, is_key
from agentctl.api.literals import kept_text, typed_secrets, with_typed
from agentctl.diagnostics import Report
from agentctl.document import Filled
from agentctl.spec.read import read_team
from agentctl.spec.team import Team

TEAM = """
version: 1
name: desk
model:
  id: openai/m
  base_url: "http://user:urlpass-5566@127.0.0.1:1/v1?key=query-4455&page=2"
  params: {extra_headers: {x-typed: "hdrtyped-SECRET-55667788", X-Plain: support, Accept: "application/json"}}
instructions: You are desk.
mcp_servers:
  far: {url: "http://127.0.0.1:1/mcp?token=urlq-777666", headers: {X-Typed: "typedmcp-SECRET-9977"}}
  by_name: {url: "${FAR_URL}"}
  near: {command: python, args: [stdio.py, "--token", "${ARGTOK}", "--level=${LEVEL}", "--key=argkey-3322"]}
tools: [{mcp: far}, {mcp: by_name}, {mcp: near}]
"""
ENVIRON = {
    "OPENAI_API_KEY": "sk-real-0123456789",
    "FAR_URL": "https://me:farpass-88@far.example/mcp?sid=abcdef123456789012",
    "ARGTOK": "argtok-VALUE-1",
    "LEVEL": "debug",
}
SECRETS = (
    "urlpass-5566",
    "query-4455",
    "hdrtyped-SECRET-55667788",
    "urlq-777666",
    "typedmcp-SECRET-9977",
    "farpass-88",
    "abcdef123456789012",
    "argtok-VALUE-1",
    "argkey-3322",
)


def read(text: str, folder: Path) -> Team:
    report = Report()
    team = read_team(text, environ=ENVIRON, report=report, shown="team.yaml", folder=folder)
    assert team is not None, report.found
    return team


def test_none_of_them_stands_in_the_team_that_a_run_keeps_and_each_is_put_back(tmp_path: Path) -> None:
    team = read(TEAM, tmp_path)
    secrets = team_secrets(team, ENVIRON)
    kept = kept_text(team, secrets)
    assert [secret for secret in SECRETS if secret in kept.text] == []
    for stays in ("X-Plain: support", "Accept: application/json", "${FAR_URL}", "${ARGTOK}", "--level=debug"):
        assert stays in kept.text
    assert "page=2" in kept.text
    assert read(with_typed(kept.text, team, secrets, "r1"), tmp_path) == team


def test_each_is_hidden_wherever_it_is_told(tmp_path: Path) -> None:
    typed = typed_secrets(read(TEAM, tmp_path))
    assert set(SECRETS) <= typed
    assert not typed & {"support", "application/json", "debug", "2", "stdio.py", "user"}


@pytest.mark.parametrize(
    ("name", "value", "hidden"),
    [
        ("X-Anything", "abc-def-12345", True),
        ("X-Anything", "a8$f", True),
        ("X-Api-Key", "word", True),
        ("X-Region", "europe", False),
        ("X-Depth", "3", False),
        ("anthropic-version", "2023-06-01-beta-4711", False),
    ],
)
def test_a_header_is_a_key_by_its_name_or_by_its_value(name: str, value: str, hidden: bool) -> None:
    assert is_key(name, value) is hidden


@pytest.mark.parametrize(
    ("address", "keys"),
    [
        ("https://token-only@host/x", {"token-only"}),
        ("https://a:p%40ss@host", {"p%40ss", "p@ss"}),
        ("https://host/x?page=2&lang=en&sig=Zm9v%2Bx1234", {"Zm9v%2Bx1234", "Zm9v+x1234"}),
        ("https://host/x?api_key=short", {"short"}),
        ("https://[broken", set()),
        ("no address", set()),
    ],
)
def test_what_an_address_holds(address: str, keys: set[str]) -> None:
    assert set(in_address(address)) == keys


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (["--token", "abc", "run"], {"abc"}),
        (["--password=abc", "API_KEY=def", "x=y"], {"abc", "def"}),
        (["--header", "Authorization: Bearer abc", "-H", "X-Way: europe"], {"Bearer abc"}),
        (["-y", "server", "https://u:pw@host"], {"pw"}),
        ([Filled("postgres://u:pw@h", "${DSN}")], {"postgres://u:pw@h", "pw"}),
        ([Filled("/data", "${FOLDER}"), Filled("word", "${MY_TOKEN}")], {"word"}),
    ],
)
def test_what_a_program_is_started_with(arguments: list[str], keys: set[str]) -> None:
    assert set(in_arguments(arguments)) == keys


def test_what_is_typed_for_a_variable_that_is_not_set_is_hidden_too(tmp_path: Path) -> None:
    servers = (
        "mcp_servers:\n"
        '  near: {command: python, env: {TOKEN: "${MY_TOKEN:-tok-typed-1}", LANG: "${MY_LANG:-german}"}}\n'
        '  far: {url: "http://h/mcp", headers: {X-Way: "Bearer ${WAY:-${OTHER:-way-typed-2233}}"}}\n'
        "tools: [{mcp: near}, {mcp: far}]\n"
    )
    team = read(f"name: desk\nmodel: offline\ninstructions: Hi.\n{servers}", tmp_path)
    assert typed_secrets(team) == {"tok-typed-1", "way-typed-2233"}
    kept = kept_text(team, {})
    assert "-typed-" not in kept.text
    assert "german" in kept.text
    assert read(with_typed(kept.text, team, {}, "r1"), tmp_path) == team
