"""Who passes work to whom in a team, as arrows with a word on each, for every format that draws them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

from agentctl.render.strategy_words import condition_words, share_words
from agentctl.spec.strategies import (
    Parallel,
    PlanExecute,
    Random,
    RoundRobin,
    Router,
    Sequential,
    Strategy,
    Swarm,
)
from agentctl.spec.team import Agent

Edge: TypeAlias = tuple[str, str, str]
"""From, to, label."""


def edges(agent: Agent) -> Iterator[Edge]:
    """Those that the strategy of one agent draws, not those of the agents below it."""
    names = [member.name for member in agent.agents]
    strategy = agent.strategy
    if strategy is None or not names:
        return
    if isinstance(strategy, Sequential | RoundRobin):
        yield agent.name, names[0], ""
        yield from ((first, second, "then") for first, second in pairwise(names))
        if isinstance(strategy, RoundRobin) and len(names) > 1:
            yield names[-1], names[0], "again"
    elif isinstance(strategy, Swarm):
        yield agent.name, strategy.start or names[0], "starts"
        yield from _passes(strategy, names)
    elif isinstance(strategy, PlanExecute) and strategy.plan:
        yield from ((agent.name, step.agent, step.id) for step in strategy.plan)
    else:
        yield from ((agent.name, name, _how(strategy, name)) for name in names)


def _passes(strategy: Swarm, names: list[str]) -> Iterator[Edge]:
    for name in names:
        peers = names if strategy.transitions is None else strategy.transitions.get(name, ())
        yield from ((name, peer, "may pass") for peer in peers if peer != name)
    for rule in strategy.handoff_when:
        froms = [rule.from_] if rule.from_ else [name for name in names if name != rule.to]
        yield from ((name, rule.to, condition_words(rule)) for name in froms)


def _how(strategy: Strategy, name: str) -> str:
    if isinstance(strategy, Parallel):
        return "all at once"
    if isinstance(strategy, Random) and strategy.weights:
        return share_words(strategy.weights, name)
    return "fallback" if isinstance(strategy, Router) and strategy.fallback == name else ""
