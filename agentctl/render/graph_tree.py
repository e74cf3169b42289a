"""A team drawn as a tree in text: agents with what they are for, their strategies, models and tools."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from agentctl.render.strategy_words import rule_words, share_words, step_words, strategy_words
from agentctl.render.visible import one_line
from agentctl.render.wrapped import wrapped
from agentctl.spec.settings import ToolEntry
from agentctl.spec.strategies import PlanExecute, Random, RoundRobin, Sequential, Swarm
from agentctl.spec.team import Agent, Team


def graph_tree(team: Team, *, width: int = 100) -> list[Text]:
    """An agent, what it is for, its tools and what its strategy goes by; broken at `width` cells."""
    return list(_agent(team.root, "", "", None, "", max(width, 20)))


def _agent(
    agent: Agent, guide: str, below: str, parent: Agent | None, mark: str, width: int
) -> Iterator[Text]:
    line = Text().append(mark, style="dim").append(agent.name, style="bold")
    about = _about(agent, parent)
    if about:
        line.append(f"  ({about})", style="cyan")
    if agent.description:
        line.append(f"  {one_line(agent.description, 200)}")
    inner = below + ("│ " if agent.agents else "  ")
    yield from wrapped(line, guide=guide, below=f"{inner}  ", width=width)
    for note in _notes(agent, parent):
        yield from wrapped(Text(note, style="dim"), guide=inner, below=f"{inner}  ", width=width)
    for number, member in enumerate(agent.agents, start=1):
        last = number == len(agent.agents)
        yield from _agent(
            member,
            below + ("└─ " if last else "├─ "),
            below + ("   " if last else "│  "),
            agent,
            f"{number}. " if isinstance(agent.strategy, Sequential | RoundRobin) else "",
            width,
        )


def _about(agent: Agent, parent: Agent | None) -> str:
    parts = [strategy_words(agent.strategy)] if agent.strategy else []
    inherited = parent.model.id if parent and parent.model else None
    if agent.model and agent.model.id != inherited:
        parts.append(f"model {one_line(agent.model.id)}")
    if parent and isinstance(parent.strategy, Swarm):
        first = parent.strategy.start or parent.agents[0].name
        parts += ["starts"] if agent.name == first else []
    if parent and isinstance(parent.strategy, Random) and parent.strategy.weights:
        parts.append(share_words(parent.strategy.weights, agent.name))
    if agent.context:
        parts.append(f"context: {agent.context}")
    return "; ".join(parts)


def _notes(agent: Agent, parent: Agent | None) -> Iterator[str]:
    if parent and isinstance(parent.strategy, Swarm) and parent.strategy.transitions is not None:
        peers = parent.strategy.transitions.get(agent.name, ())
        yield f"may pass to {', '.join(peers) or 'nobody'}"
    if isinstance(agent.strategy, Swarm):
        if agent.strategy.transitions is None:
            yield "each may pass to every other"
        yield from (rule_words(rule) for rule in agent.strategy.handoff_when)
    if isinstance(agent.strategy, PlanExecute) and agent.strategy.plan:
        yield from (one_line(step_words(step), 300) for step in agent.strategy.plan)
    if agent.has_tools:
        yield f"tools: {', '.join(tools_words(agent))}"


def agent_words(agent: Agent) -> list[str]:
    """Its name, and its strategy where it has one."""
    return [agent.name, strategy_words(agent.strategy)] if agent.strategy else [agent.name]


def tools_words(agent: Agent) -> list[str]:
    """Each of the agent's tools; those of a server as `tools of github (search_*)`."""
    words = [tool_words(tool) for tool in agent.tools]
    for entry in agent.mcp_tools:
        chosen = f" ({', '.join(entry.include)})" if entry.include else ""
        words.append(f"tools of {entry.mcp.name}{chosen}")
    return [*words, *(entry.builtin for entry in agent.builtins)]


def tool_words(tool: ToolEntry) -> str:
    """`check_balance`, with what is special about it."""
    name = tool.name or tool.function.target.rpartition(":")[2]
    special = ["idempotent"] if tool.idempotent else []
    special += [] if tool.approve == "never" else ["needs approval"]
    return name + (f" ({', '.join(special)})" if special else "")
