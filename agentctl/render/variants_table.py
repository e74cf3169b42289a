"""What `random` drew, over many runs: every variant with what it cost, how long it took and how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from agentctl.journal.summary import DecisionView, ExecutionView, RunView
from agentctl.jsontypes import JsonObject
from agentctl.render.amounts import duration, money, short_number
from agentctl.render.run_tree import RunTree
from agentctl.render.visible import one_line

HEAD: Final = ("team", "drawn by", "variant", "drawn", "ended", "cost each", "tokens each", "time each")
_CHANCE: Final = "chance"


@dataclass(slots=True, kw_only=True)
class Variant:
    """Every delegation to an agent that another one drew; `costs` are those that are known, in USD."""

    team: str
    by: str
    agent: str
    ended: Counter[str] = field(default_factory=Counter)
    costs: list[float] = field(default_factory=list)
    tokens: int = 0
    ms: float = 0.0

    @property
    def drawn(self) -> int:
        return self.ended.total()

    def cost(self) -> float | None:
        return sum(self.costs) / len(self.costs) if self.costs else None


def variants(views: Iterable[RunView]) -> list[Variant]:
    """By team, by who drew and by name."""
    found: dict[tuple[str, str, str], Variant] = {}
    for view in views:
        tree = RunTree(view)
        for by, attempts in _drawn(view):
            last = attempts[-1]
            key = (view.team, by, last.agent)
            variant = found.setdefault(key, Variant(team=key[0], by=key[1], agent=key[2]))
            whole = [below for attempt in attempts for below in tree.within(attempt)]
            known = [one.cost_usd for one in whole if one.cost_usd is not None]
            variant.ended[last.status] += 1
            variant.costs += [sum(known)] if known else []
            variant.tokens += sum(one.usage.total for one in whole)
            variant.ms += sum(attempt.ms for attempt in attempts)
    return [found[key] for key in sorted(found)]


def variants_lines(views: Iterable[RunView]) -> list[str]:
    """One line a variant, tab-separated, with a head line."""
    rows = ["\t".join(_cells(variant)) for variant in variants(views)]
    return ["\t".join(HEAD), *rows] if rows else []


def variants_table(views: Iterable[RunView]) -> list[str]:
    """The same in columns."""
    rows = [HEAD, *(_cells(variant) for variant in variants(views))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return [line.rstrip() for line in lines] if len(rows) > 1 else []


def variants_json(views: Iterable[RunView]) -> list[JsonObject]:
    """One object a variant; costs, tokens and milliseconds are means."""
    return [
        {
            "team": variant.team,
            "drawn_by": variant.by,
            "variant": variant.agent,
            "drawn": variant.drawn,
            "ended": dict(variant.ended),
            "cost_usd": variant.cost(),
            "tokens": variant.tokens / variant.drawn,
            "ms": round(variant.ms / variant.drawn, 3),
        }
        for variant in variants(views)
    ]


def _cells(variant: Variant) -> tuple[str, ...]:
    ended = ", ".join(f"{number} {status}" for status, number in variant.ended.most_common())
    return (
        one_line(variant.team, 40),
        one_line(variant.by, 40),
        one_line(variant.agent, 40),
        str(variant.drawn),
        ended,
        money(variant.cost()).removeprefix("cost "),
        short_number(round(variant.tokens / variant.drawn)),
        duration(variant.ms / variant.drawn),
    )


def _drawn(view: RunView) -> Iterator[tuple[str, Sequence[ExecutionView]]]:
    """Who drew, and all attempts of the delegation that was drawn."""
    agents = {execution.id: execution.agent for execution in view.executions}
    visits: Counter[tuple[str, str]] = Counter()
    for decision in _draws(view):
        chosen = decision.chosen[0]
        visits[decision.execution, chosen] += 1
        base = f"{decision.execution}/{chosen}.{visits[decision.execution, chosen]}"
        attempts = [one for one in view.executions if one.id == base or one.id.startswith(f"{base}~")]
        direct = [one for one in attempts if "/" not in one.id.removeprefix(base)]
        if direct:
            yield agents.get(decision.execution, decision.execution), direct


def _draws(view: RunView) -> Iterator[DecisionView]:
    for decision in view.decisions:
        if decision.by == _CHANCE and decision.chosen:
            yield decision
