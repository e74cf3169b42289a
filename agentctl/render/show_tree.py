"""The story of a run on one screen: executions as a tree, in them each decision, model turn and call.

Steps are cut at the width of the terminal and show as bars when each was at work; decisions, notes and
failures are what a reader came for, and are told whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from agentctl.journal.summary import DecisionView, ExecutionView, RunView, StepView
from agentctl.jsontypes import as_text
from agentctl.render.bars import Span, bar, room_for_bars
from agentctl.render.columns import columns, cut, in_columns
from agentctl.render.run_tree import Part, RunTree
from agentctl.render.show_lines import decides, decision_line, execution_line, is_draw
from agentctl.render.spending import Spent, lasted, spent_by, spent_within
from agentctl.render.step_line import step_line
from agentctl.render.story import error_text
from agentctl.render.visible import one_line
from agentctl.render.wrapped import wrapped

_LONGEST: Final = 600
_NARROWEST: Final = 20
_TITLES: Final = ("time", "tokens", "cost")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measured:
    """A line that has numbers and a bar: `at` and `ms` tell when it was at work."""

    left: Text
    spent: Spent
    at: float
    ms: float
    thick: bool = False


_Line = _Measured | Text
"""A text is a line of words alone, as wide as it may be."""


def show_tree(view: RunView, *, width: int) -> list[Text]:
    """An execution or a step a line; no line wider than `width` cells."""
    tree = RunTree(view)
    width = max(width, _NARROWEST)
    lines = [line for root in tree.roots for line in _execution(tree, root, "", "", width)]
    measured = [line for line in lines if isinstance(line, _Measured)]
    widths = columns([_TITLES, *(line.spent.columns() for line in measured)] if measured else [], width)
    whole = max((line.at + line.ms for line in measured), default=0.0)
    bars = room_for_bars(width - cell_len(in_columns((), widths)))
    drawn = [line if isinstance(line, Text) else _drawn(line, widths, bars, whole, width) for line in lines]
    title = in_columns(_TITLES, widths)
    head = [Text(f"{title:>{width}}", style="dim")] if len([cells for cells in widths if cells]) > 1 else []
    found = [cut(line, width) for line in [*head, *drawn]]
    for line in found:
        line.rstrip()
    return found


def _drawn(line: _Measured, widths: Sequence[int], bars: int, whole: float, width: int) -> Text:
    numbers = in_columns(line.spent.columns(), widths)
    room = width - cell_len(numbers) - bars
    text = cut(line.left.copy(), room - 1 if bars else room)
    text.append(" " * (room - cell_len(text.plain)))
    if bars:
        text.append_text(bar(Span(at=line.at, ms=line.ms), whole, bars, thick=line.thick))
    return text.append(numbers, style="dim")


def _execution(
    tree: RunTree, execution: ExecutionView, guide: str, below: str, width: int
) -> Iterator[_Line]:
    parts = [part for part in tree.parts(execution) if not is_draw(part)]
    yield _Measured(
        left=Text().append(guide, style="dim").append_text(execution_line(execution)),
        spent=spent_within(tree.within(execution), execution.ms),
        at=execution.at,
        ms=execution.ms,
        thick=True,
    )
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
            yield _step(part, execution, at, parts[place + 1 :])


def _step(step: StepView, execution: ExecutionView, guide: str, after: Sequence[Part]) -> _Measured:
    return _Measured(
        left=Text().append(guide, style="dim").append_text(step_line(step, decides=decides(after))),
        spent=spent_by(step),
        at=step.at,
        ms=lasted(step, execution),
    )


def _notes(execution: ExecutionView) -> Iterator[Text]:
    told = as_text((execution.note or {}).get("text"))
    if told:
        yield Text(f"told: {one_line(told, _LONGEST)}")
    if execution.error:
        goes_on = " (the run went on)" if execution.absorbed else ""
        yield Text(f"failed: {one_line(error_text(execution.error), _LONGEST)}{goes_on}", style="red")
