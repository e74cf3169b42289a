"""A team drawn as a Mermaid flowchart: who passes work to whom, and each agent's tools."""

from __future__ import annotations

from agentctl.render.graph_edges import edges
from agentctl.render.graph_tree import agent_words, tools_words
from agentctl.render.mermaid_text import arrow, label
from agentctl.spec.team import Team


def graph_mermaid(team: Team) -> str:
    """Ids are `a1`, `a2`, …, since a name such as `end` would be a keyword."""
    ids = {agent.name: f"a{number}" for number, agent in enumerate(team.agents(), start=1)}
    lines = ["flowchart TD"]
    for agent in team.agents():
        lines.append(f"  {ids[agent.name]}[{label(*agent_words(agent))}]")
        if agent.has_tools:
            lines.append(f"  {ids[agent.name]} --- {ids[agent.name]}t([{label(*tools_words(agent))}])")
    for agent in team.agents():
        lines += [arrow(ids[start], ids[end], words) for start, end, words in edges(agent)]
    return "\n".join(lines) + "\n"
