"""The limits that the commands of a run have set, as its records hold them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from agentctl.errors import UsageError
from agentctl.journal.records import Record
from agentctl.jsontypes import JsonObject, as_object, as_text
from agentctl.spec.strategies import Handoff, PlanExecute, Swarm
from agentctl.spec.team import Agent, LimitName, Team

_LIMITS: Final[Mapping[str, LimitName]] = {
    "turns": "turns",
    "tool_calls": "tool_calls",
    "tokens": "tokens",
    "cost_usd": "cost_usd",
    "time": "time",
}
_BOUNDS: Final = ("max_handoffs", "max_steps")
"""Those of strategies."""


def stated_limits(records: Iterable[Record]) -> dict[LimitName, float]:
    """Limits of the whole run that this and earlier commands set, the latest word standing."""
    return _of_meters(_stated(records).get("", {}))


def agents_limits(records: Iterable[Record]) -> dict[str, dict[LimitName, float]]:
    """The same for single agents, by name."""
    return {agent: _of_meters(limits) for agent, limits in _stated(records).items() if agent}


def stated_bounds(records: Iterable[Record]) -> dict[str, dict[str, int]]:
    """Bounds of strategies that commands set, by agent; under `""` those of every agent that has them."""
    return {
        agent: {name: int(value) for name, value in limits.items() if name in _BOUNDS}
        for agent, limits in _stated(records).items()
    }


def require_bounded(limits: Mapping[str, float], team: Team) -> None:
    """Raises UsageError for a bound of the command that no strategy of the team has."""
    for name in _BOUNDS:
        stated = [key for key in limits if key.rpartition(".")[2] == name]
        if stated and not any(hasattr(agent.strategy, name) for agent in team.agents()):
            option = f"--{name.replace('_', '-')}"
            raise UsageError(
                f"{option} has no effect: no agent of this team has a strategy with `{name}`",
                hint=f"leave out {option}",
            )


def with_bounds(team: Team, bounds: Mapping[str, Mapping[str, int]]) -> Team:
    """The team with those bounds in place of the file's."""
    return replace(team, root=_bounded(team.root, bounds)) if any(bounds.values()) else team


def _bounded(agent: Agent, bounds: Mapping[str, Mapping[str, int]]) -> Agent:
    own = {**bounds.get("", {}), **bounds.get(agent.name, {})}
    strategy = agent.strategy
    match strategy:
        case Handoff() | Swarm():
            strategy = replace(strategy, max_handoffs=own.get("max_handoffs", strategy.max_handoffs))
        case PlanExecute():
            strategy = replace(strategy, max_steps=own.get("max_steps", strategy.max_steps))
    members = tuple(_bounded(member, bounds) for member in agent.agents)
    return replace(agent, strategy=strategy, agents=members)


def raised(limits: Mapping[str, float], reached: JsonObject, root: str) -> dict[str, float]:
    """What a command's limits are for: the agent whose limit ended the run (`reached`), else the run.

    The run's own wallet is left as it is where an agent's smaller one is raised; that of `root` is the run's.
    Gives values by `<limit>` or `<agent>.<limit>`, as the record of the command holds them.
    """
    agent = as_text(reached.get("agent"))
    its_own = as_text(reached.get("limit")) if agent and agent != root else None
    return {f"{agent}.{name}" if name == its_own else name: value for name, value in limits.items()}


def _of_meters(limits: Mapping[str, float]) -> dict[LimitName, float]:
    return {_LIMITS[name]: value for name, value in limits.items() if name in _LIMITS}


def _stated(records: Iterable[Record]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for record in records:
        if not record.ev.startswith("run."):
            continue
        for key, value in as_object(record.data.get("limits")).items():
            agent, _, name = key.rpartition(".")
            if not isinstance(value, int | float):
                continue
            if not agent and name in _BOUNDS:  # from now on every agent's
                for limits in found.values():
                    limits.pop(name, None)
            found.setdefault(agent, {})[name] = float(value)
    return found
