"""A team as a graph in DOT: names that are keywords of it, and text that would end a label."""

from pathlib import Path

from agentctl.diagnostics import Span
from agentctl.render.graph_dot import graph_dot
from agentctl.spec.settings import FunctionRef, ToolEntry
from agentctl.spec.strategies import Router, Sequential, StopIf
from agentctl.spec.team import Agent, Team

SPAN = Span(path="t", line=1, column=1, end_line=1, end_column=1)


def drawn(root: Agent) -> list[str]:
    return graph_dot(Team(root=root, path="t", folder=Path("/srv"))).splitlines()


def test_agents_tools_and_passes_are_drawn() -> None:
    look = ToolEntry(function=FunctionRef(target="tools:look", folder=Path("/srv"), span=SPAN), span=SPAN)
    members = (Agent(name="node", tools=(look,)), Agent(name="edge"))
    found = drawn(Agent(name="graph", strategy=Router(fallback="edge"), agents=members))
    assert (found[0], found[4:]) == (
        "digraph team {",
        [
            '  a1 [label="graph\\nrouter, fallback: edge"];',
            '  a2 [label="node"];',
            '  a2t [shape=note label="look"];',
            "  a2 -> a2t [dir=none style=dashed];",
            '  a3 [label="edge"];',
            "  a1 -> a2;",
            '  a1 -> a3 [label="fallback"];',
            "}",
        ],
    )


def test_no_text_ends_its_label() -> None:
    odd = 'say "no" \\N &lt; a\nb; } ] -> x'
    found = drawn(
        Agent(name="root", strategy=Sequential(stop_if=StopIf(text=odd)), agents=(Agent(name="end"),))
    )
    assert found[4] == (
        '  a1 [label="root\\nsequential, stop_if: say \\"no\\" \\\\N &amp;lt; a b; } ] -> x"];'
    )
