"""A key that is short, or an ordinary word, as a dummy for a local server: no file of a run is spoilt."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentctl.api.equip import team_secrets
from agentctl.api.literals import kept_text
from agentctl.diagnostics import Report
from agentctl.journal.redact import Redactor
from agentctl.jsontypes import Json
from agentctl.models.failures import without_key
from agentctl.spec.read import read_team
from agentctl.spec.team import Team

TEAM = """
version: 1
name: support
model:
  id: openai/m
  params: {extra_headers: {X-Key: "${OPENAI_API_KEY}", X-Way: "by ${GATE}"}}
instructions: "The maximum of 1 handoff goes to billing, by ${SOME_TOKEN} to ${HOST}."
strategy: {type: handoff, max_handoffs: 10}
agents:
  - {name: billing, description: Balances., instructions: "Say $${HOST} and balances."}
  - {name: orders, description: Orders., instructions: Tell orders.}
"""


def read(text: str, environ: dict[str, str], folder: Path) -> Team:
    report = Report()
    team = read_team(text, environ=environ, report=report, shown="team.yaml", folder=folder)
    assert team is not None, report.found
    return team


@pytest.mark.parametrize(
    "key", ["x", "1", "handoff", "billing", "max_handoffs", "orders", "sk-real-0123456789"]
)
def test_the_kept_team_is_the_team_whatever_the_key(key: str, tmp_path: Path) -> None:
    environ = {"OPENAI_API_KEY": key, "SOME_TOKEN": "t0ken-4711", "HOST": "h", "GATE": "g8-4711"}
    team = read(TEAM, environ, tmp_path)
    kept = kept_text(team, team_secrets(team, environ))
    assert not kept.typed
    assert "X-Key: ${OPENAI_API_KEY}" in kept.text
    assert "by ${SOME_TOKEN} to h" in kept.text
    assert "by ${GATE}" in kept.text
    assert kept.text.count("${OPENAI_API_KEY}") == 1
    again = read(kept.text, {**environ, "HOST": "another"}, tmp_path)
    assert again == team
    other = read(kept.text, {**environ, "OPENAI_API_KEY": "another"}, tmp_path)
    assert other.root.strategy == team.root.strategy
    assert [agent.name for agent in other.agents()] == [agent.name for agent in team.agents()]


def test_a_long_key_goes_from_wherever_else_it_stands(tmp_path: Path) -> None:
    key = "sk-real-0123456789"
    environ = {"OPENAI_API_KEY": key, "SOME_TOKEN": "t0ken-4711", "HOST": "h", "GATE": "g8-4711"}
    team = read(TEAM.replace("Tell orders.", f"Tell {key}."), environ, tmp_path)
    kept = kept_text(team, team_secrets(team, environ))
    assert key not in kept.text
    assert read(kept.text, environ, tmp_path) == team


def test_a_name_of_the_team_is_not_hidden_from_its_records(tmp_path: Path) -> None:
    environ = {"OPENAI_API_KEY": "billing", "SOME_TOKEN": "t0ken-4711", "HOST": "h", "GATE": "g8-4711"}
    team = read(TEAM, environ, tmp_path)
    redactor = Redactor(team_secrets(team, environ).values())
    reply: Json = {"calls": [{"name": "transfer_to_billing"}], "text": "I ask billing, by t0ken-4711."}
    assert redactor.redact(reply) == {
        "calls": [{"name": "transfer_to_billing"}],
        "text": "I ask billing, by •••.",
    }


def test_an_ordinary_word_is_hidden_by_itself_and_makes_no_holes_in_names() -> None:
    redactor = Redactor(["balance", "dummy-key"])
    value: Json = {"name": "check_balance", "balance": 1, "text": "balance, balances; dummy-key"}
    assert redactor.redact(value) == {
        "name": "check_balance",
        "balance": 1,
        "text": "•••, balances; •••",
    }
    assert redactor.text('"a\\nbalance" q=%3Dbalance \\u00e9balance') == '"a\\n•••" q=%3D••• \\u00e9•••'


def test_a_server_s_words_keep_their_letters_under_a_short_key() -> None:
    assert without_key("x", "quota exceeded") == "quota exceeded"
    assert without_key("sk-0123456789", "wrong key sk-0123456789") == "wrong key …"
