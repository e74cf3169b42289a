"""The picture of a run that goes on: a tree of executions, a line each, and a line of totals.

A pure function of the story, the size of the terminal and the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from agentctl.jsontypes import as_list, as_text
from agentctl.render.amounts import duration, plural, tokens
from agentctl.render.decisions import decision_words
from agentctl.render.event_lines import call_text
from agentctl.render.spending import cost_words, used_tokens
from agentctl.render.story import Act, Execution, Story
from agentctl.render.visible import one_line

_SPINNER: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_FRAMES_A_SECOND: Final = 10
_MARKS: Final = {
    "running": ("", "cyan"),
    "waiting": ("?", "yellow"),
    "done": ("✓", "green"),
    "skipped": ("-", "yellow"),
    "failed": ("✗", "red"),
    "limit": ("✗", "red"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    guide: str
    execution: Execution


def live_lines(story: Story, *, width: int, height: int, now: float) -> list[Text]:
    """At most `height` lines of at most `width` cells; `now` is a time of the story's clock."""
    rows = [row for root in story.roots for row in _rows(root, "", "")]
    rows, left_out = _fit(rows, max(height - 2, 1))
    lines = [_line(row, width, now) for row in rows]
    if left_out:
        lines.append(Text(f"… and {left_out} more", style="dim"))
    lines += [_warning(text, width) for text in story.warnings.values()][: max(height - len(lines) - 1, 0)]
    return [*lines, _total(story, width, now)]


def _warning(text: str, width: int) -> Text:
    line = Text(one_line(text, 200), style="yellow")
    line.truncate(width, overflow="ellipsis")
    return line


def _rows(execution: Execution, guide: str, below: str) -> Iterator[_Row]:
    yield _Row(guide=guide, execution=execution)
    if execution.state != "running":
        return  # what is finished folds into one line
    for child in execution.children:
        last = child is execution.children[-1]
        yield from _rows(child, below + ("└ " if last else "├ "), below + ("  " if last else "│ "))


def _fit(rows: list[_Row], height: int) -> tuple[list[_Row], int]:
    """Drops finished executions first, then the ones furthest down."""
    kept = list(rows)
    for row in rows:
        if len(kept) <= height:
            break
        if row.execution.state == "done":
            kept.remove(row)
    return kept[:height], len(rows) - min(len(kept), height)


def _line(row: _Row, width: int, now: float) -> Text:
    execution = row.execution
    mark, colour = _MARKS[execution.state]
    if not mark:
        mark = _SPINNER[int(now * _FRAMES_A_SECOND) % len(_SPINNER)]
    name = execution.agent + (f" (attempt {execution.attempt})" if execution.attempt > 1 else "")
    spent = _spent(execution, now)
    room = width - cell_len(row.guide) - cell_len(mark) - 1 - cell_len(name) - cell_len(spent) - 4
    line = Text().append(row.guide, style="dim").append(f"{mark} ", style=colour).append(name, style="bold")
    doing = _clip(doing_now(execution), room)
    if doing:
        line.append("  ").append(doing)
    line.append("  ").append(spent, style="dim")
    line.truncate(width, overflow="ellipsis")
    return line


def doing_now(execution: Execution) -> str:
    """What an execution is at, in a few words."""
    if execution.state == "done":
        return one_line(execution.answer, 200)
    if execution.error:
        return one_line(execution.error, 200)
    busy = [act for act in execution.acts.values() if act.state in ("running", "waiting")]
    if busy:
        return ", ".join(_busy(act) for act in busy)
    decisions = [act for act in execution.acts.values() if act.kind == "decision"]
    return _decided(decisions[-1], execution.agent) if decisions else ""


def _busy(act: Act) -> str:
    if act.kind == "wait":
        return f"waits for a person: {one_line(act.text, 200)}"
    if act.kind == "model" and act.text:
        return f"writes: {one_line(act.text[-400:], 400)}"
    if act.kind == "model":
        return act.note or f"asks {one_line(act.title)}"
    if act.kind == "timer":
        return "waits before it goes on"
    return call_text(act) if act.kind == "tool" else one_line(act.title)


def _decided(act: Act, agent: str) -> str:
    chosen = [as_text(name) for name in as_list(act.data.get("chosen"))]
    reason = as_text(act.data.get("reason"))
    return one_line(decision_words(chosen, reason, agent=agent, step=act.step), 200)


def _spent(execution: Execution, now: float) -> str:
    used = used_tokens(execution.everything())
    end = execution.ended if execution.ended is not None else now
    took = duration(max(end - execution.since, 0) * 1000)
    return f"{took}, {tokens(used)}" if used else took


def _total(story: Story, width: int, now: float) -> Text:
    acts = [act for root in story.roots for act in root.everything()]
    asked = sum(act.kind == "model" and act.state == "done" for act in acts)
    since = min((root.since for root in story.roots), default=now)
    waiting = [act.note for act in acts if act.kind == "model" and act.state == "running" and act.note]
    parts = [plural(asked, "model call"), tokens(used_tokens(acts)), *cost_words(acts)]
    parts += [f"{plural(len(waiting), 'call')} waiting: {one_line(waiting[-1], 60)}"] if waiting else []
    line = Text(", ".join([*parts, duration(max(now - since, 0) * 1000)]), style="dim")
    line.truncate(width, overflow="ellipsis")
    return line


def _clip(text: str, cells: int) -> str:
    """The start of `text`, or its end where it is being written, within so many cells."""
    if cell_len(text) <= cells:
        return text
    if cells < 8:
        return ""
    if text.startswith("writes: "):
        return f"writes: …{_tail(text, cells - 9)}"
    return f"{set_cell_size(text, cells - 1).rstrip()}…"


def _tail(text: str, cells: int) -> str:
    while text and cell_len(text) > cells:
        text = text[max((cell_len(text) - cells) // 2, 1) :]
    return text
