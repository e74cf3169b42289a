"""Which executions of a run that goes on stand on the screen, and where: a tree folded until it fits.

Takes the story and a number of lines; knows nothing of widths, words or time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from agentctl.render.story import Act, Execution


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """Executions that share one line, by how they stand."""

    done: int = 0
    failed: int = 0
    at_work: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """The finished tool call that an execution made last, and how many it had finished before."""

    act: Act
    earlier: int


Item: TypeAlias = Execution | Act | Past | Fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line: `guide` is the branch of the tree that leads to it; `split`: its calls stand below it."""

    guide: str
    item: Item
    split: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Manner:
    """How much is shown: the last finished call, a line for each of several calls, one for each finished
    sibling.
    """

    past: bool
    calls: bool
    finished: bool


_MANNERS: Final = (
    _Manner(past=True, calls=True, finished=True),
    _Manner(past=False, calls=True, finished=True),
    _Manner(past=False, calls=False, finished=True),
    _Manner(past=False, calls=False, finished=False),
)


def rows_that_fit(roots: Sequence[Execution], height: int) -> list[Row]:
    """At most `height` rows: first finished calls lose their line, then each of several calls at once, then
    finished siblings share one, and then the last rows do.
    """
    rows: list[Row] = []
    for manner in _MANNERS:
        rows = [row for root in roots for row in _rows(root, manner, "", "")]
        if len(rows) <= height:
            return rows
    kept = max(height - 1, 0)
    return [*rows[:kept], Row(guide="", item=_folded([row.item for row in rows[kept:]]))]


def busy_acts(execution: Execution) -> list[Act]:
    """What it is at now."""
    return [act for act in execution.acts.values() if act.state in ("running", "waiting")]


def _rows(item: Item, manner: _Manner, guide: str, below: str) -> Iterator[Row]:
    inside = _inside(item, manner) if isinstance(item, Execution) else []
    yield Row(guide=guide, item=item, split=any(isinstance(each, Act) for each in inside))
    for place, each in enumerate(inside, start=1):
        last = place == len(inside)
        yield from _rows(each, manner, below + ("└ " if last else "├ "), below + ("  " if last else "│ "))


def _inside(execution: Execution, manner: _Manner) -> list[Item]:
    if execution.state != "running":
        return []  # what is finished folds into one line
    calls = busy_acts(execution)
    shown: list[Item] = [*_past(execution)] if manner.past else []
    shown += calls if manner.calls and len(calls) > 1 else []
    finished = [child for child in execution.children if child.state != "running"]
    if manner.finished or len(finished) < 2:
        return [*shown, *execution.children]
    rest = [child for child in execution.children if child.state == "running"]
    return [*shown, _folded(finished), *rest]


def _past(execution: Execution) -> list[Past]:
    calls = [act for act in execution.acts.values() if act.kind == "tool" and act.state != "running"]
    return [Past(act=calls[-1], earlier=len(calls) - 1)] if calls else []


def _folded(items: Sequence[Item]) -> Fold:
    executions = [item for item in items if isinstance(item, Execution)]
    folds = [item for item in items if isinstance(item, Fold)]
    done = sum(one.state == "done" for one in executions)
    at_work = sum(one.state == "running" for one in executions)
    return Fold(
        done=done + sum(fold.done for fold in folds),
        failed=len(executions) - done - at_work + sum(fold.failed for fold in folds),
        at_work=at_work + sum(fold.at_work for fold in folds),
    )
