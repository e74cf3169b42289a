"""Short ways to a team and to what is said about it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from agentctl.diagnostics import Report
from agentctl.spec.read import read_team
from agentctl.spec.team import Agent, Team

EXAMPLES = Path(__file__).parents[1] / "examples"
VALID = sorted(path.parent for path in (EXAMPLES / "valid").glob("*/team.yaml"))
NOWHERE = Path("/nowhere")


def reported(
    text: str, *, folder: Path = NOWHERE, environ: Mapping[str, str] | None = None
) -> tuple[Team | None, Report]:
    report = Report()
    team = read_team(text, environ=environ or {}, report=report, shown="team.yaml", folder=folder)
    return team, report


def read(text: str, *, folder: Path = NOWHERE, environ: Mapping[str, str] | None = None) -> Team:
    """The team of a text that has no errors."""
    team, report = reported(text, folder=folder, environ=environ)
    assert [found.message for found in report if found.severity == "error"] == []
    assert team is not None
    return team


def codes(text: str, *, folder: Path = NOWHERE) -> list[str]:
    return [found.code for found in reported(text, folder=folder)[1]]


def agent(team: Team, name: str) -> Agent:
    return next(agent for agent in team.agents() if agent.name == name)


def told(text: str, *, folder: Path = NOWHERE) -> list[str]:
    """Each diagnostic as `line:column code`."""
    report = reported(text, folder=folder)[1]
    return [f"{found.span.line}:{found.span.column} {found.code}" for found in report]
