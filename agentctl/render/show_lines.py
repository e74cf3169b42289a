"""One line each for an execution and a decision of a run, however they are laid out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote

from rich.text import Text

from agentctl.journal.summary import DecisionView, ExecutionView, StepView
from agentctl.jsontypes import as_object, as_text
from agentctl.render.amounts import money, tokens
from agentctl.render.decisions import decider_words, decision_mark, decision_words
from agentctl.render.run_tree import Part
from agentctl.render.visible import one_line

_STATES: Final = {
    "completed": ("✓", "green"),
    "failed": ("✗", "red"),
    "limit": ("✗", "red"),
    "waiting": ("?", "yellow"),
    "running": ("…", "cyan"),
}
_STOPPED: Final = ("-", "yellow")
_LONGEST: Final = 600


def execution_line(execution: ExecutionView) -> Text:
    """Its mark, agent, strategy, and which of its executions it is."""
    mark, colour = _STATES.get(execution.status, _STOPPED)
    line = Text().append(f"{mark} ", style=colour).append(execution.agent, style="bold")
    which = [word for word in (execution.strategy, _which(execution)) if word]
    if execution.attempt > 1:
        which.append(f"attempt {execution.attempt}")
    if execution.left_out:
        which.append("left out since the run was revised")
    if which:
        line.append(f" ({', '.join(which)})", style="cyan")
    return line


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


def decides(after: Sequence[Part]) -> bool:
    """Whether what comes next is the decision that a model's reply made."""
    return any(isinstance(part, DecisionView) and part.by == "model" for part in after[:1])


def is_draw(part: Part) -> bool:
    """A draw that was made: the decision after it says what was drawn."""
    if not isinstance(part, StepView) or part.status != "completed":
        return False
    return part.kind == "function" and "function" not in part.detail
