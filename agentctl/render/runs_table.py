"""Runs as a table, newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.text import Text

from agentctl.journal.summary import RunView
from agentctl.jsontypes import JsonObject
from agentctl.render.amounts import duration, money, short_number, size
from agentctl.render.visible import one_line

Sizes: TypeAlias = Mapping[str, int]
"""Bytes on disk by run id."""

_COLUMNS: Final = ("run", "team", "status", "when", "took", "tokens", "cost", "size", "answered by")
_RIGHT: Final = frozenset({"took", "tokens", "cost", "size"})
_LEFT_OUT_FIRST: Final = ("size", "took", "tokens", "when", "team", "answered by", "cost")
_COLOURS: Final = {"completed": "green", "failed": "red", "limit": "red", "running": "cyan"}


def runs_table(views: Sequence[RunView], sizes: Sizes, *, width: int) -> list[Text]:
    """A head line and a line a run, times local; what does not fit into `width` cells is left out.

    The id and the status are never cut, since they are what one looks for.
    """
    rows = [dict(zip(_COLUMNS, _cells(view, sizes), strict=True)) for view in views]
    widths = {name: max(cell_len(row[name].plain) for row in rows) for name in _COLUMNS} if rows else {}
    widths = {name: max(cells, len(name)) for name, cells in widths.items()}
    for name in _LEFT_OUT_FIRST:
        if sum(widths.values()) + 2 * (len(widths) - 1) <= width:
            break
        widths.pop(name, None)
    head = {name: Text(name, style="dim") for name in widths}
    return [_row(row, widths) for row in [head, *rows]] if rows else []


def runs_lines(views: Sequence[RunView], sizes: Sizes) -> list[str]:
    """The same for pipes: one line a run, tab-separated, with a head line."""
    rows = ["\t".join(cell.plain for cell in _cells(view, sizes)) for view in views]
    return ["\t".join(_COLUMNS), *rows] if rows else []


def _row(row: Mapping[str, Text], widths: Mapping[str, int]) -> Text:
    line = Text()
    for name, cells in widths.items():
        pad = " " * (cells - cell_len(row[name].plain))
        line.append("  " if line else "")
        line.append(pad if name in _RIGHT else "").append_text(row[name]).append(
            "" if name in _RIGHT else pad
        )
    line.rstrip()
    return line


def _cells(view: RunView, sizes: Sizes) -> list[Text]:
    when = datetime.fromtimestamp(view.started, tz=UTC).astimezone()
    return [
        Text(view.run_id, style="bold"),
        Text(one_line(view.team, 40)),
        Text(view.status, style=_COLOURS.get(view.status, "yellow")),
        Text(f"{when:%Y-%m-%d %H:%M}"),
        Text(duration(view.ms)),
        Text(short_number(view.usage.total)),
        Text(money(view.cost_usd, complete=view.cost_complete).removeprefix("cost ")),
        Text(size(sizes[view.run_id]) if view.run_id in sizes else ""),
        Text(one_line(view.agent or "", 40)),
    ]


def runs_json(views: Sequence[RunView], sizes: Sizes) -> list[JsonObject]:
    """One object a run: what the table shows, exact; times in Unix seconds."""
    return [
        {
            "run_id": view.run_id,
            "team": view.team,
            "status": view.status,
            "request": view.request,
            "started": view.started,
            "ended": view.ended,
            "ms": view.ms,
            "total_tokens": view.usage.total,
            "cost_usd": view.cost_usd,
            "cost_complete": view.cost_complete,
            "agent": view.agent,
            "bytes": sizes.get(view.run_id),
        }
        for view in views
    ]
