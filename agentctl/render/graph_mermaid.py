"""A team drawn as a Mermaid flowchart: who passes work to whom, and each agent's tools."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, TypeAlias

from agentctl.render.graph_tree import tools_words
from agentctl.render.strategy_words import condition_words, share_words, strategy_words
from agentctl.render.visible import one_line
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
from agentctl.spec.team import Agent, Team

_ESCAPES: Final = str.maketrans({"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;"})

Edge: TypeAlias = tuple[str, str, str]
"""From, to, label."""


def graph_mermaid(team: Team) -> str:
    """Ids are `a1`, `a2`, …, since a name such as `end` would be a keyword."""
    ids = {agent.name: f"a{number}" for number, agent in enumerate(team.agents(), start=1)}
    lines = ["flowchart TD"]
    for agent in team.agents():
        lines.append(f"  {ids[agent.name]}[{_label(*_words(agent))}]")
        if agent.has_tools:
            lines.append(f"  {ids[agent.name]} --- {ids[agent.name]}t([{_label(*tools_words(agent))}])")
    for agent in team.agents():
        lines += [_edge(ids, edge) for edge in _edges(agent)]
    return "\n".join(lines) + "\n"


def _words(agent: Agent) -> list[str]:
    return [agent.name, strategy_words(agent.strategy)] if agent.strategy else [agent.name]


def _label(*lines: str) -> str:
    escaped = (one_line(line, 120).translate(_ESCAPES) for line in lines)
    return f'"{"<br/>".join(escaped)}"'


def _edge(ids: dict[str, str], edge: Edge) -> str:
    start, end, label = edge
    arrow = f"-->|{_label(label)}|" if label else "-->"
    return f"  {ids[start]} {arrow} {ids[end]}"


def _edges(agent: Agent) -> Iterator[Edge]:
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
