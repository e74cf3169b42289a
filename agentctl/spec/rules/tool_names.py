"""The names that one agent's model is offered are told apart: its tools and the generated transfers.

Goes by what the file says; a tool may rename itself when it is imported, which `checks` looks at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agentctl.diagnostics import Related, Report, Span
from agentctl.spec.settings import ToolEntry
from agentctl.spec.strategies import Handoff, Swarm
from agentctl.spec.team import Agent, Team
from agentctl.spec.tools import expected_name

LONGEST: Final = 64
TRANSFER: Final = "transfer_to_"


def tool_names(team: Team, report: Report) -> None:
    for agent, transfers in _offers(team.root, {}):
        seen: dict[str, Span] = {}
        for tool in agent.tools:
            _check(tool, transfers, seen, report)


def _offers(agent: Agent, transfers: dict[str, Agent]) -> Iterator[tuple[Agent, dict[str, Agent]]]:
    """Every agent with the transfer tools it is offered, by name."""
    own = dict(transfers)
    if isinstance(agent.strategy, Handoff):
        own |= {f"{TRANSFER}{member.name}": member for member in agent.agents}
    yield agent, own
    for member in agent.agents:
        peers: dict[str, Agent] = {}
        if isinstance(agent.strategy, Swarm):
            peers = {f"{TRANSFER}{peer.name}": peer for peer in passable(agent, agent.strategy, member)}
        yield from _offers(member, peers)


def passable(parent: Agent, swarm: Swarm, member: Agent) -> list[Agent]:
    """The peers that a member of a swarm may pass to."""
    allowed = None if swarm.transitions is None else swarm.transitions.get(member.name, ())
    return [
        peer for peer in parent.agents if peer is not member and (allowed is None or peer.name in allowed)
    ]


def _check(tool: ToolEntry, transfers: dict[str, Agent], seen: dict[str, Span], report: Report) -> None:
    name = expected_name(tool)
    hint = "give it another `name`"
    if len(name) > LONGEST:
        message = f'the tool name "{name}" has {len(name)} characters, more than {LONGEST}'
        report.error("tool-name", message, tool.span, hint=hint, pointer=tool.pointer)
    elif name in transfers:
        message = f'the tool "{name}" is named like the transfer to agent "{transfers[name].name}"'
        report.error("tool-duplicate", message, tool.span, hint=hint, pointer=tool.pointer)
    elif name in seen:
        related = (Related(span=seen[name], message="the first one"),)
        message = f'two tools of one agent are named "{name}"'
        report.error("tool-duplicate", message, tool.span, hint=hint, pointer=tool.pointer, related=related)
    seen.setdefault(name, tool.span)
