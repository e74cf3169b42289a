"""A run drawn as a Mermaid flowchart: its executions, who passed work to whom and why."""

from __future__ import annotations

from typing import Final

from agentctl.journal.summary import DecisionView, ExecutionView, RunView, Status
from agentctl.render.amounts import plural
from agentctl.render.decisions import decision_words
from agentctl.render.mermaid_text import arrow, label
from agentctl.render.run_tree import RunTree
from agentctl.render.show_lines import execution_line
from agentctl.render.spending import spent_within
from agentctl.render.story import error_text

_CLASSES: Final[dict[Status, str]] = {"completed": "done", "failed": "failed", "limit": "failed"}
_OTHER: Final = "open"
_LOOKS: Final = (
    "  classDef done stroke:#1a7f37,stroke-width:2px",
    "  classDef failed stroke:#cf222e,stroke-width:2px",
    "  classDef open stroke:#9a6700,stroke-width:2px,stroke-dasharray:4",
)


def show_mermaid(view: RunView) -> str:
    """Ids are `e1`, `e2`, … in the order of their start."""
    tree = RunTree(view)
    ids = {execution.id: f"e{number}" for number, execution in enumerate(view.executions, start=1)}
    lines = ["flowchart TD"]
    for execution in view.executions:
        words = label(*_words(tree, execution))
        lines.append(f"  {ids[execution.id]}[{words}]:::{_CLASSES.get(execution.status, _OTHER)}")
    for execution in view.executions:
        before: list[DecisionView] = []
        for part in tree.parts(execution):
            if isinstance(part, DecisionView):
                before.append(part)
            elif isinstance(part, ExecutionView):
                lines.append(arrow(ids[execution.id], ids[part.id], _why(before, part, execution)))
    return "\n".join([*lines, *_LOOKS]) + "\n"


def _words(tree: RunTree, execution: ExecutionView) -> list[str]:
    calls = [plural(execution.model_calls, "model call"), plural(execution.tool_calls, "tool call")]
    words = [execution_line(execution).plain, ", ".join(calls)]
    words.append(spent_within(tree.within(execution), execution.ms).words())
    return [*words, error_text(execution.error)] if execution.error else words


def _why(before: list[DecisionView], child: ExecutionView, execution: ExecutionView) -> str:
    """The newest decision that chose the child, in its own words."""
    for decision in reversed(before):
        if child.agent in decision.chosen:
            words = decision_words([child.agent], decision.reason, agent=execution.agent, step=decision.step)
            return words.removeprefix("→ ").removeprefix(child.agent).removeprefix(":").strip()
    return ""
