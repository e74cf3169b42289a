"""Runs as a table, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from agentctl.journal.summary import RunView
from agentctl.jsontypes import JsonObject
from agentctl.render.amounts import duration, money, short_number
from agentctl.render.visible import one_line

_COLOURS: Final = {"completed": "green", "failed": "red", "limit": "red", "running": "cyan"}


def runs_table(views: Sequence[RunView]) -> Table:
    """Times are local. The id is never cut, since it is what other commands need."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("run", no_wrap=True)
    for name in ("team", "status", "when"):
        table.add_column(name, no_wrap=True)
    for name in ("took", "tokens", "cost"):
        table.add_column(name, no_wrap=True, justify="right")
    table.add_column("answered by", no_wrap=True)
    for view in views:
        table.add_row(*_cells(view))
    return table


def runs_lines(views: Sequence[RunView]) -> list[str]:
    """The same for pipes: one line a run, tab-separated, with a head line."""
    head = "run\tteam\tstatus\twhen\ttook\ttokens\tcost\tanswered by"
    return [head, *("\t".join(cell.plain for cell in _cells(view)) for view in views)] if views else []


def _cells(view: RunView) -> list[Text]:
    when = datetime.fromtimestamp(view.started, tz=UTC).astimezone()
    return [
        Text(view.run_id, style="bold"),
        Text(one_line(view.team, 40)),
        Text(view.status, style=_COLOURS.get(view.status, "yellow")),
        Text(f"{when:%Y-%m-%d %H:%M}"),
        Text(duration(view.ms)),
        Text(short_number(view.usage.total)),
        Text(money(view.cost_usd, complete=view.cost_complete).removeprefix("cost ")),
        Text(one_line(view.agent or "", 40)),
    ]


def runs_json(views: Sequence[RunView]) -> list[JsonObject]:
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
        }
        for view in views
    ]
