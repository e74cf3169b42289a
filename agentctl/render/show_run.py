"""A run on one screen: what was asked, the tree of its executions, the answer, and how it ended."""

from __future__ import annotations

from rich.text import Text

from agentctl.journal.summary import RunView, run_json
from agentctl.render.ending import ending
from agentctl.render.show_tree import show_tree
from agentctl.render.visible import visible


def show_run(view: RunView, *, width: int, runs_dir: str | None = None) -> list[Text]:
    """`runs_dir` is named in the commands that go on with the run."""
    lines = [
        Text().append(view.run_id, style="bold").append(f"  {view.status}"),
        Text().append("asked: ", style="cyan").append(visible(view.request)),
        *show_tree(view, width=width),
    ]
    if view.answer:
        lines.append(Text().append("answer: ", style="cyan").append(visible(view.answer)))
    return [*lines, *ending(run_json(view), models=view.models, runs_dir=runs_dir)]
