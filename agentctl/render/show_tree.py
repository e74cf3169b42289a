"""The story of a run on one screen: executions as a tree, in them each decision, model turn and call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from agentctl.journal.summary import DecisionView, ExecutionView, RunView
from agentctl.jsontypes import as_text
from agentctl.render.amounts import money, tokens
from agentctl.render.run_tree import RunTree
from agentctl.render.spending import total_words
from agentctl.render.step_line import step_line
from agentctl.render.story import error_text
from agentctl.render.visible import one_line

_STATES: Final = {
    "completed": ("✓", "green"),
    "failed": ("✗", "red"),
    "limit": ("✗", "red"),
    "waiting": ("?", "yellow"),
    "running": ("…", "cyan"),
}
_STOPPED: Final = ("-", "yellow")


def show_tree(view: RunView, *, width: int) -> list[Text]:
    """One line an execution, step and decision, cut at `width` cells."""
    tree = RunTree(view)
    lines = [line for root in tree.roots for line in _execution(tree, root, "", "")]
    for line in lines:
        line.truncate(max(width, 20), overflow="ellipsis")
    return lines


def _execution(tree: RunTree, execution: ExecutionView, guide: str, below: str) -> Iterator[Text]:
    parts = tree.parts(execution)
    yield Text().append(guide, style="dim").append_text(execution_line(tree, execution))
    inner = below + ("│ " if parts else "  ")
    told = as_text((execution.note or {}).get("text"))
    if told:
        yield Text().append(inner, style="dim").append(f"told: {one_line(told, 300)}")
    if execution.error:
        goes_on = " (the run went on)" if execution.absorbed else ""
        why = f"failed: {one_line(error_text(execution.error), 300)}{goes_on}"
        yield Text().append(inner, style="dim").append(why, style="red")
    for part in parts:
        last = part is parts[-1]
        at, deeper = below + ("└─ " if last else "├─ "), below + ("   " if last else "│  ")
        if isinstance(part, ExecutionView):
            yield from _execution(tree, part, at, deeper)
        else:
            line = decision_line(part) if isinstance(part, DecisionView) else step_line(part)
            yield Text().append(at, style="dim").append_text(line)


def execution_line(tree: RunTree, execution: ExecutionView) -> Text:
    """Its mark, agent and attempt, and what it and all below it used."""
    mark, colour = _STATES.get(execution.status, _STOPPED)
    line = Text().append(f"{mark} ", style=colour).append(execution.agent, style="bold")
    if execution.attempt > 1:
        line.append(f" (attempt {execution.attempt})")
    return line.append(f"  {total_words(tree.within(execution), execution.ms)}", style="dim")


def decision_line(decision: DecisionView) -> Text:
    """`→ billing: because …  (by model, among billing, technical, sales)`."""
    line = Text().append(f"→ {', '.join(decision.chosen) or 'nobody'}", style="bold cyan")
    if decision.reason:
        line.append(f": {one_line(decision.reason, 200)}")
    spent = f", {tokens(decision.usage.total)}, {money(decision.cost_usd)}" if decision.usage.total else ""
    return line.append(f"  (by {decision.by}, among {', '.join(decision.among)}{spent})", style="dim")
