"""The story of a run on one screen: executions as a tree, in them each decision, model turn and call.

Steps are cut at the width of the terminal; decisions, notes and failures are what a reader came for, and
are told whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import unquote

from rich.text import Text

from agentctl.journal.summary import DecisionView, ExecutionView, RunView, StepView
from agentctl.jsontypes import as_object, as_text
from agentctl.render.amounts import money, tokens
from agentctl.render.decisions import decider_words, decision_mark, decision_words
from agentctl.render.run_tree import Part, RunTree
from agentctl.render.spending import total_words
from agentctl.render.step_line import step_line
from agentctl.render.story import error_text
from agentctl.render.visible import one_line
from agentctl.render.wrapped import wrapped

_STATES: Final = {
    "completed": ("✓", "green"),
    "failed": ("✗", "red"),
    "limit": ("✗", "red"),
    "waiting": ("?", "yellow"),
    "running": ("…", "cyan"),
}
_STOPPED: Final = ("-", "yellow")
_LONGEST: Final = 600


def show_tree(view: RunView, *, width: int) -> list[Text]:
    """An execution or a step a line; no line wider than `width` cells."""
    tree = RunTree(view)
    width = max(width, 20)
    lines = [line for root in tree.roots for line in _execution(tree, root, "", "", width)]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines


def _execution(tree: RunTree, execution: ExecutionView, guide: str, below: str, width: int) -> Iterator[Text]:
    parts = [part for part in tree.parts(execution) if not _is_draw(part)]
    yield Text().append(guide, style="dim").append_text(execution_line(tree, execution))
    inner = below + ("│ " if parts else "  ")
    for note in _notes(execution):
        yield from wrapped(note, guide=inner, below=inner, width=width)
    for place, part in enumerate(parts):
        last = part is parts[-1]
        at, deeper = below + ("└─ " if last else "├─ "), below + ("   " if last else "│  ")
        if isinstance(part, ExecutionView):
            yield from _execution(tree, part, at, deeper, width)
        elif isinstance(part, DecisionView):
            line = decision_line(part, execution, parts[:place])
            yield from wrapped(line, guide=at, below=f"{deeper}  ", width=width)
        else:
            decides = place + 1 < len(parts) and isinstance(parts[place + 1], DecisionView)
            yield Text().append(at, style="dim").append_text(step_line(part, decides=decides))


def _notes(execution: ExecutionView) -> Iterator[Text]:
    told = as_text((execution.note or {}).get("text"))
    if told:
        yield Text(f"told: {one_line(told, _LONGEST)}")
    if execution.error:
        goes_on = " (the run went on)" if execution.absorbed else ""
        yield Text(f"failed: {one_line(error_text(execution.error), _LONGEST)}{goes_on}", style="red")


def _is_draw(part: Part) -> bool:
    """A draw that was made: the decision after it says what was drawn."""
    if not isinstance(part, StepView) or part.status != "completed":
        return False
    return part.kind == "function" and "function" not in part.detail


def execution_line(tree: RunTree, execution: ExecutionView) -> Text:
    """Its mark, agent, strategy, which of its executions it is, and what it and all below it used."""
    mark, colour = _STATES.get(execution.status, _STOPPED)
    line = Text().append(f"{mark} ", style=colour).append(execution.agent, style="bold")
    which = [word for word in (execution.strategy, _which(execution)) if word]
    if execution.attempt > 1:
        which.append(f"attempt {execution.attempt}")
    if execution.left_out:
        which.append("left out since the run was revised")
    if which:
        line.append(f" ({', '.join(which)})", style="cyan")
    return line.append(f"  {total_words(tree.within(execution), execution.ms)}", style="dim")


def _which(execution: ExecutionView) -> str:
    """The step of a plan, or from the second on, which visit of its parent it was."""
    parent, _, own = execution.id.rpartition("/")
    own = own.partition("~")[0]
    if parent.rpartition("/")[2].startswith("plan-"):
        return unquote(own)
    visit = own.removeprefix(f"{execution.agent}.")
    return f"visit {visit}" if visit.isdecimal() and visit != "1" else ""


def decision_line(decision: DecisionView, execution: ExecutionView, before: Sequence[Part] = ()) -> Text:
    """`→ billing: because …  (by model offline, among billing, technical, sales)`.

    `before` is what happened in the execution until then; it tells who decided.
    """
    chosen = [one_line(name) for name in decision.chosen]
    words = decision_words(
        chosen, one_line(decision.reason, _LONGEST), agent=execution.agent, step=decision.step
    )
    line = Text().append(decision_mark(words) + words, style="bold cyan")
    by = _decider(decision, before)
    among = f", among {', '.join(decision.among)}" if chosen and chosen != [execution.agent] else ""
    spent = f", {tokens(decision.usage.total)}, {money(decision.cost_usd)}" if decision.usage.total else ""
    return line.append(f"  (by {by}{among}{spent})", style="dim")


def _decider(decision: DecisionView, before: Sequence[Part]) -> str:
    """A model by its id; among the peers of a swarm, the member that was at work."""
    for part in reversed(before) if decision.by == "model" else ():
        if isinstance(part, StepView) and part.kind == "model":
            reply = as_object(part.detail.get("out"))
            return decider_words(
                "model", one_line(as_text(reply.get("model")) or as_text(part.detail.get("model")))
            )
        if isinstance(part, ExecutionView):
            return part.agent
    return decider_words(decision.by, "")
