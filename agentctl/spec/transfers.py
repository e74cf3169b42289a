"""Which agents are offered generated transfer tools, and to whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from agentctl.spec.strategies import Handoff, Swarm
from agentctl.spec.team import Agent

TRANSFER: Final = "transfer_to_"
Transfers: TypeAlias = Mapping[str, Agent]


def offers(agent: Agent, from_above: Transfers | None = None) -> Iterator[tuple[Agent, Transfers]]:
    """This agent and everything below it, each with the transfer tools it is offered, by name."""
    below = agent.agents if isinstance(agent.strategy, Handoff) else ()
    yield agent, {**(from_above or {}), **_named(below)}
    for member in agent.agents:
        peers = passable(agent, agent.strategy, member) if isinstance(agent.strategy, Swarm) else ()
        yield from offers(member, _named(peers))


def passable(parent: Agent, swarm: Swarm, member: Agent) -> tuple[Agent, ...]:
    """The peers that a member of a swarm may pass to."""
    allowed = None if swarm.transitions is None else swarm.transitions.get(member.name, ())
    peers = (peer for peer in parent.agents if peer is not member)
    return tuple(peer for peer in peers if allowed is None or peer.name in allowed)


def _named(agents: tuple[Agent, ...]) -> Transfers:
    return {f"{TRANSFER}{agent.name}": agent for agent in agents}
