"""The limits that the commands of a run have set, as its records hold them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from agentctl.journal.records import Record
from agentctl.jsontypes import JsonObject, as_object, as_text
from agentctl.spec.team import LimitName

_LIMITS: Final[Mapping[str, LimitName]] = {
    "turns": "turns",
    "tool_calls": "tool_calls",
    "tokens": "tokens",
    "cost_usd": "cost_usd",
    "time": "time",
}
_OF_A_LOOP: Final = ("turns", "tool_calls")


def stated_limits(records: Iterable[Record]) -> dict[LimitName, float]:
    """Limits of the whole run that this and earlier commands set, the latest word standing."""
    return _stated(records).get("", {})


def agents_limits(records: Iterable[Record]) -> dict[str, dict[LimitName, float]]:
    """The same for single agents, by name."""
    return {agent: limits for agent, limits in _stated(records).items() if agent}


def raised(limits: Mapping[str, float], reached: JsonObject) -> dict[str, float]:
    """What a command's limits are for: the run, and the agent whose own limit ended it (`reached`).

    Turns and tool calls count an agent's own loop, so they are then for that agent alone. Gives values by
    `<limit>` or `<agent>.<limit>`, as the record of the command holds them.
    """
    agent = as_text(reached.get("agent"))
    found: dict[str, float] = {}
    for name, value in limits.items():
        its_own = bool(agent) and reached.get("limit") == name
        if its_own:
            found[f"{agent}.{name}"] = value
        if not (its_own and name in _OF_A_LOOP):
            found[name] = value
    return found


def _stated(records: Iterable[Record]) -> dict[str, dict[LimitName, float]]:
    found: dict[str, dict[LimitName, float]] = {}
    for record in records:
        if not record.ev.startswith("run."):
            continue
        for key, value in as_object(record.data.get("limits")).items():
            agent, _, name = key.rpartition(".")
            if name in _LIMITS and isinstance(value, int | float):
                found.setdefault(agent, {})[_LIMITS[name]] = float(value)
    return found
