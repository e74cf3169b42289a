"""A team drawn as a graph in DOT, for Graphviz: who passes work to whom, and each agent's tools."""

from __future__ import annotations

from typing import Final

from agentctl.render.graph_edges import edges
from agentctl.render.graph_tree import agent_words, tools_words
from agentctl.render.visible import one_line
from agentctl.spec.team import Team

_LONGEST: Final = 120
_LOOK: Final = (
    'graph [fontname="sans-serif"]',
    'node [shape=box style=rounded fontname="sans-serif"]',
    'edge [fontname="sans-serif" fontsize=10]',
)
_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "&": "&amp;"})
"""A backslash begins an escape of labels, and `&` an entity of HTML."""


def graph_dot(team: Team) -> str:
    """One digraph, which `dot -Tsvg` draws. Ids are `a1`, `a2`, …, since `node` and `edge` are keywords."""
    ids = {agent.name: f"a{number}" for number, agent in enumerate(team.agents(), start=1)}
    lines = [*_LOOK]
    for agent in team.agents():
        lines.append(f"{ids[agent.name]} [label={_label(*agent_words(agent))}]")
        if agent.has_tools:
            tools = f"{ids[agent.name]}t"
            lines.append(f"{tools} [shape=note label={_label(*tools_words(agent))}]")
            lines.append(f"{ids[agent.name]} -> {tools} [dir=none style=dashed]")
    for agent in team.agents():
        lines += [
            f"{ids[start]} -> {ids[end]}" + (f" [label={_label(words)}]" if words else "")
            for start, end, words in edges(agent)
        ]
    return "".join(["digraph team {\n", *(f"  {line};\n" for line in lines), "}\n"])


def _label(*lines: str) -> str:
    escaped = (one_line(line, _LONGEST).translate(_ESCAPES) for line in lines)
    text = "\\n".join(escaped)
    return f'"{text}"'
