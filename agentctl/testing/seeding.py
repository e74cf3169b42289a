"""Chance that falls the same way every time a test is run: draws without a seed get one."""

from __future__ import annotations

from dataclasses import replace

from agentctl.jsontypes import digest
from agentctl.spec.strategies import Random
from agentctl.spec.team import Agent, Team


def seeded(team: Team, words: str) -> Team:
    """The seed is made of `words`, such as the name of the test."""
    return replace(team, root=_seeded(team.root, int(digest(words)[:8], 16)))


def _seeded(agent: Agent, seed: int) -> Agent:
    strategy = agent.strategy
    if isinstance(strategy, Random) and strategy.seed is None:
        strategy = replace(strategy, seed=seed)
    return replace(agent, strategy=strategy, agents=tuple(_seeded(below, seed) for below in agent.agents))
