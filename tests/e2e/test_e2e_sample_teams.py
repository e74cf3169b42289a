"""The sample teams, each doing what it is there for: offline, without a key."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

import agentctl
from agentctl import Reply, RunView

TEAMS = Path(__file__).parents[2] / "teams"
SAMPLES = sorted(path.name for path in TEAMS.iterdir() if (path / "team.yaml").is_file())


@pytest.fixture(autouse=True)
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AGENTCTL_MODEL", raising=False)


def ask(team: str, question: str, *, runs_dir: Path | None = None) -> RunView:
    durable = runs_dir is not None
    return asyncio.run(agentctl.run(TEAMS / team, question, durable=durable, runs_dir=runs_dir))


def said(run: RunView) -> str:
    assert run.answer is not None, run.error
    return run.answer


@pytest.mark.parametrize("team", SAMPLES)
def test_it_is_valid_without_a_word_of_advice(team: str) -> None:
    assert agentctl.validate([TEAMS / team]).found == []


@pytest.mark.parametrize("team", SAMPLES)
def test_an_editor_finds_its_schema(team: str) -> None:
    first, *_ = (TEAMS / team / "team.yaml").read_text(encoding="utf-8").splitlines()
    schema = first.removeprefix("# yaml-language-server: $schema=")
    assert (TEAMS / team / schema).resolve().name == "team.schema.json"


@pytest.mark.parametrize(
    ("question", "answers", "part"),
    [
        ("Is there a Wi-Fi outage in Berlin?", "network", "Wi-Fi on floors 2 and 3"),
        ("Why can user U-104 not sign in?", "accounts", "five wrong passwords"),
        ("Is the repair of LT-204 under warranty?", "devices", "2027-05-31"),
    ],
)
def test_the_help_desk_routes_by_what_is_broken(question: str, answers: str, part: str) -> None:
    run = ask("router", question)
    assert (run.status, run.path) == ("completed", ("helpdesk", answers))
    assert part in said(run)


def test_the_invoice_review_opens_a_case_for_a_difference_only() -> None:
    case = ask("review_chain", "Please review invoice INV-204")
    assert (case.agent, "AP-204" in said(case)) == ("clerk", True)
    fine = ask("review_chain", "Please review invoice INV-205")
    assert (fine.agent, "NO ACTION" in said(fine)) == ("auditor", True)


def test_the_panel_gives_every_reviewers_findings() -> None:
    run = ask("panel", "Review change CHG-7")
    assert (run.agent, list(run.answers)) == ("change_panel", ["security", "performance", "testing"])
    assert "## security\n\n" in said(run)
    assert "api/limits.py" in run.answers["testing"]


def test_the_travel_desk_finds_a_room_after_a_cancelled_flight() -> None:
    run = ask("swarm", "My flight AZ-571 was cancelled, what now?")
    assert (run.path, "Via Marina" in said(run)) == (("travel_desk", "hotels"), True)
    assert ask("swarm", "Is flight LX-318 on time?").path == ("travel_desk", "flights")


def test_editor_and_critic_end_with_the_notes() -> None:
    run = ask("editor_critic", "Write the release notes of REL-24")
    assert run.agent == "release_notes"
    assert "Export to CSV" in said(run)


def test_the_ab_test_answers_by_either_way() -> None:
    asked = "What does the toaster cost?"
    drawn = Counter(ask("ab_test", asked).agent for _ in range(12))
    assert set(drawn) <= {"concise", "guided"}
    assert "54.00" in said(ask("ab_test", asked))


def test_the_research_plan_joins_its_look_ups() -> None:
    question = (
        "How large is the market for e-bikes in Germany, who are the competitors for e-bikes, "
        "and which rules do e-bikes have to meet?"
    )
    run = ask("research_plan", question)
    assert run.agent == "market_research"
    assert all(part in said(run) for part in ("2100000", "Velomat", "250 W"))


def test_the_dispatch_waits_for_the_person_at_the_desk(tmp_path: Path) -> None:
    waits = ask("dispatch", "There is a leak in the south district", runs_dir=tmp_path)
    assert waits.status == "waiting"

    def reply(kind: Reply) -> RunView:
        return asyncio.run(agentctl.resume(waits.run_id, runs_dir=tmp_path, replies=[kind]))

    assert reply(Reply(kind="choose", text="plumbing")).status == "waiting"
    ended = reply(Reply(kind="finish"))
    assert (ended.status, ended.path) == ("completed", ("dispatch", "plumbing"))
    assert "Bo" in said(ended)
