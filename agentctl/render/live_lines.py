"""The picture of a run that goes on: a line each for who works on what, since when and for how much.

A pure function of the story, the size of the terminal and the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from agentctl.render.amounts import duration, plural, tokens
from agentctl.render.columns import columns, cut, in_columns
from agentctl.render.live_tree import Fold, Past, Row, busy_acts, rows_that_fit
from agentctl.render.live_words import act_words, clipped, doing_now, past_words, waiting_words
from agentctl.render.spending import cost_words, used_tokens
from agentctl.render.story import Act, Execution, Story
from agentctl.render.visible import one_line

_SPINNER: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_FRAMES_A_SECOND: Final = 10
_MARKS: Final = {"waiting": ("?", "yellow"), "done": ("✓", "green"), "skipped": ("-", "yellow")}
_FAILED: Final = ("✗", "red")
_LEAST_DOING: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """`left` may be cut at its end, `fixed` stands behind it whole; `numbers` are time, tokens, cost."""

    left: Text
    doing: str = ""
    style: str = ""
    fixed: str = ""
    numbers: tuple[str, ...] = ()


def live_lines(story: Story, *, width: int, height: int, now: float) -> list[Text]:
    """At most `height` lines of at most `width` cells; `now` is a time of the story's clock."""
    warnings = [cut(Text(one_line(text, 200), style="yellow"), width) for text in story.warnings.values()]
    warnings = warnings[: max(height - 2, 0) // 2]
    rows = rows_that_fit(story.roots, max(height - 1 - len(warnings), 1))
    lines = [_line(row, now) for row in rows]
    widths = columns((line.numbers for line in lines), width)
    drawn = [_drawn(line, widths, width) for line in lines]
    return [*drawn, *warnings, _total(story, width, now)][-max(height, 1) :]


def _line(row: Row, now: float) -> _Line:
    guide = Text(row.guide, style="dim")
    if isinstance(row.item, Fold):
        return _Line(left=guide, doing=_fold_words(row.item), style="dim")
    item = row.item.act if isinstance(row.item, Past) else row.item
    mark, colour = _mark(item, now)
    left = guide.append(f"{mark} ", style=f"not dim {colour}")
    if isinstance(row.item, Past):
        took = duration(row.item.act.ms or 0)
        return _Line(left=left, doing=past_words(row.item), style="dim", numbers=(took,))
    if isinstance(item, Act):
        took = duration(max(now - item.since, 0) * 1000)
        return _Line(left=left, doing=act_words(item, now), numbers=(took,))
    return _execution_line(item, left, now, split=row.split)


def _execution_line(execution: Execution, left: Text, now: float, *, split: bool) -> _Line:
    """`split`: each of its calls has a line of its own below."""
    name = execution.agent + (f" (attempt {execution.attempt})" if execution.attempt > 1 else "")
    acts = list(execution.everything())
    used = used_tokens(acts)
    end = execution.ended if execution.ended is not None else now
    return _Line(
        left=left.append(one_line(name, 60), style="not dim bold").append("  "),
        doing=plural(len(busy_acts(execution)), "call") if split else doing_now(execution, now),
        style={"done": "dim", "running": ""}.get(execution.state, "red"),
        fixed=_since(execution, now),
        numbers=(
            duration(max(end - execution.since, 0) * 1000),
            tokens(used) if used else "",
            *(cost_words(acts) if used else ()),
        ),
    )


def _since(execution: Execution, now: float) -> str:
    """How long its one call takes already, where that is not as long as it is at work itself."""
    busy = busy_acts(execution)
    if len(busy) != 1 or busy[0].since - execution.since < 1 or now - busy[0].since < 1:
        return ""
    return f" ({duration((now - busy[0].since) * 1000)})"


def _mark(item: Execution | Act, now: float) -> tuple[str, str]:
    asks = isinstance(item, Execution) and any(act.kind == "wait" for act in busy_acts(item))
    state = "waiting" if asks else item.state
    if state == "running":
        return _SPINNER[int(now * _FRAMES_A_SECOND) % len(_SPINNER)], "cyan"
    return _MARKS.get(state, _FAILED)


def _fold_words(fold: Fold) -> str:
    counted = ((fold.done, "done"), (fold.failed, "failed"), (fold.at_work, "more at work"))
    return f"… {', '.join(f'{number} {how}' for number, how in counted if number)}".rstrip()


def _drawn(line: _Line, widths: Sequence[int], width: int) -> Text:
    right = in_columns(line.numbers, widths)
    room = width - cell_len(right)
    text = line.left.copy()
    left = room - cell_len(text.plain)
    fixed = line.fixed if left - cell_len(line.fixed) >= _LEAST_DOING else ""
    doing = clipped(line.doing, left - cell_len(fixed))
    if doing:
        text.append(doing, style=f"not dim {line.style}").append(fixed, style="dim")
    cut(text, room)
    text.append(" " * (room - cell_len(text.plain))).append(right, style="dim")
    return cut(text, width)


def _total(story: Story, width: int, now: float) -> Text:
    """As many of the totals as have room, the most wanted ones first."""
    acts = [act for root in story.roots for act in root.everything()]
    models = [act for act in acts if act.kind == "model"]
    waiting = [words for act in models if act.state == "running" and (words := waiting_words(act, now))]
    since = min((root.since for root in story.roots), default=now)
    parts = [duration(max(now - since, 0) * 1000), tokens(used_tokens(acts)), *cost_words(acts)]
    parts.append(plural(sum(act.state == "done" for act in models), "model call"))
    parts += [f"{plural(len(waiting), 'call')} waiting: {waiting[-1]}"] if waiting else []
    while len(parts) > 1 and cell_len(", ".join(parts)) > width:
        parts.pop()
    return cut(Text(", ".join(parts), style="dim"), width)
