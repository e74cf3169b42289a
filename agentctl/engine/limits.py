"""Meters: what each execution may use, what it has used, and who says stop.

Turns and tool calls count an execution's own loop; tokens, money and time count everything below it, so
every charge goes up to the root, whose meter is the run's one wallet. Checked before each call. What earlier
processes spent and worked counts from the start, also where it was superseded since.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Literal, assert_never

from agentctl.engine.worked import Purse
from agentctl.errors import LimitReached
from agentctl.models.messages import Usage
from agentctl.spec.team import Agent, Limit, LimitName

DEPTH: Final = 8
_LOOP: Final[Mapping[LimitName, float]] = {"turns": 25, "tool_calls": 50}
_LEAF_TIME: Final = 600.0
_RUN: Final[Mapping[LimitName, float]] = {"cost_usd": 10.0, "tokens": 5_000_000, "time": 3600.0}
_WARN_AT: Final = 0.8
_UNITS: Final[Mapping[LimitName, tuple[str, str]]] = {
    "turns": ("turn", "turns"),
    "tool_calls": ("tool call", "tool calls"),
    "tokens": ("token", "tokens"),
    "cost_usd": ("USD", "USD"),
    "time": ("second", "seconds"),
}

_OPTIONS: Final[Mapping[LimitName, str]] = {
    "turns": "--max-turns",
    "tool_calls": "--max-tool-calls",
    "tokens": "--max-tokens",
    "cost_usd": "--max-cost",
    "time": "--max-time",
}
_SHORTEST: Final = 60.0
"""The least seconds that are offered: a process has to start, too."""
_MORE: Final = 2
"""How many times what was allowed, or used, is offered to go on with."""

Warn = Callable[[str, LimitName, float, float], None]
"""Told (agent, limit, used, allowed) once when 80 % of a limit are used."""


class Meter:
    """The limits of one execution. `overrides` are those that commands set, for the run or for its agent."""

    def __init__(
        self,
        agent: Agent,
        parent: Meter | None,
        warn: Warn,
        overrides: Mapping[LimitName, float] | None = None,
        worked: float = 0.0,
        purse: Purse | None = None,
    ) -> None:
        """`purse` is shared by whoever takes up the same execution."""
        self.agent = agent
        self.parent = parent
        self._loop: dict[LimitName, int] = dict.fromkeys(_LOOP, 0)
        self._time = worked
        self._purse = purse or Purse()
        self._warn = warn
        self._warned: set[LimitName] = set()
        self._overrides = overrides or {}
        self._clock: asyncio.Timeout | None = None
        self._alarm: asyncio.TimerHandle | None = None

    def used(self, name: LimitName) -> float:
        match name:
            case "tokens":
                return self._purse.tokens
            case "cost_usd":
                return self._purse.cost_usd
            case "time":
                return self._time
            case "turns" | "tool_calls":
                return self._loop[name]
            case _:
                assert_never(name)

    def allowed(self, name: LimitName) -> float:
        if name in self._overrides:
            return self._overrides[name]
        stated = self.agent.limits.get(name)
        if stated is not None:
            return stated.value
        if self.parent is None and name in _RUN:
            return _RUN[name]
        if name == "time" and not self.agent.agents:
            return _LEAF_TIME
        return _LOOP.get(name, math.inf)

    def lineage(self) -> Iterator[Meter]:
        meter: Meter | None = self
        while meter is not None:
            yield meter
            meter = meter.parent

    def before_model(self) -> None:
        """Takes one turn; raises LimitReached where a turn, tokens or money are used up."""
        self._require("turns")
        self.afford()
        self.count("turns")

    def afford(self) -> None:
        """Raises LimitReached where tokens or money are used up, here or anywhere above."""
        for meter in self.lineage():
            meter._require("tokens")
            meter._require("cost_usd")

    def before_tool(self) -> None:
        self._require("tool_calls")
        self.count("tool_calls")

    def count(self, name: Literal["turns", "tool_calls"]) -> None:
        self._loop[name] += 1
        self._watch(name)

    def charge(self, usage: Usage, cost_usd: float | None) -> None:
        for meter in self.lineage():
            meter._purse.pay(usage, cost_usd)
            meter._watch("tokens")
            meter._watch("cost_usd")

    def worked(self) -> float:
        """Seconds worked, earlier processes included; those of this one where time is limited."""
        when = self._clock.when() if self._clock else None
        if when is None:
            return self._time
        left = when - asyncio.get_running_loop().time()
        return max(self._time, self.allowed("time") - left)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Time spent in here is a person's, not the run's: every clock on the way up stands still."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        clocks = [(meter, meter._clock, meter._clock.when()) for meter in self.lineage() if meter._clock]
        for meter, clock, _ in clocks:
            meter.stop_clock()
            clock.reschedule(None)
        try:
            yield
        finally:
            waited = loop.time() - began
            for meter, clock, when in clocks:
                if when is not None and not clock.expired():
                    clock.reschedule(when + waited)
                    meter._set_alarm()

    def remaining_time(self) -> float | None:
        """Seconds left, or None where time is unlimited."""
        allowed = self.allowed("time")
        return None if math.isinf(allowed) else max(0.0, allowed - self._time)

    def run_clock(self, clock: asyncio.Timeout) -> None:
        self._clock = clock
        self._set_alarm()

    def stop_clock(self) -> None:
        """Its time is over, or stands still; what was worked stays known."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _set_alarm(self) -> None:
        """To be woken when so much of the time is used that it is to be told."""
        allowed = self.allowed("time")
        if self._clock is None or self._clock.when() is None or math.isinf(allowed) or "time" in self._warned:
            return
        due = max(0.0, allowed * _WARN_AT - self.worked())
        self._alarm = asyncio.get_running_loop().call_later(due, self._tell_time)

    def _tell_time(self) -> None:
        self._warned.add("time")
        self._warn(self.agent.name, "time", round(self.worked(), 1), self.allowed("time"))

    def reached(self, name: LimitName, answer: str | None = None) -> LimitReached:
        allowed = self.allowed(name)
        used = allowed if name == "time" else self.used(name)
        unit = _UNITS[name][allowed != 1]
        more = f"{_OPTIONS[name]} {_offered(name, _MORE * max(allowed, used))}"
        return LimitReached(
            f"agent '{self.agent.name}' reached its limit of {_number(allowed)} {unit}: "
            f"{_number(used)} used ({self._source(name)})",
            limit=name,
            answer=answer,
            agent=self.agent.name,
            hint=f"go on with {more}, or raise `limits.{name}` of '{self.agent.name}' in the file "
            "and go on with --with",
            more=more,
        )

    def _require(self, name: LimitName) -> None:
        if self.used(name) >= self.allowed(name):
            raise self.reached(name)

    def _watch(self, name: LimitName) -> None:
        allowed = self.allowed(name)
        if name in self._warned or math.isinf(allowed) or self.used(name) < allowed * _WARN_AT:
            return
        self._warned.add(name)
        self._warn(self.agent.name, name, self.used(name), allowed)

    def _source(self, name: LimitName) -> str:
        if name in self._overrides:
            return f"limits.{name}, set by the command"
        stated: Limit | None = self.agent.limits.get(name)
        if stated is None:
            return f"limits.{name}, the default"
        return f"limits.{name}, {stated.span.path}:{stated.span.line}:{stated.span.column}"


def _number(value: float) -> str:
    return f"{value:g}" if value < 1e15 and value % 1 else f"{value:.0f}"


def _offered(name: LimitName, value: float) -> str:
    """A limit as its option takes it."""
    if name == "cost_usd":
        return f"{value:g}"
    if name != "time":
        return str(max(1, math.ceil(value)))
    value = max(value, _SHORTEST)
    for unit, seconds in (("h", 3600), ("m", 60)):
        if value % seconds == 0:
            return f"{value / seconds:.0f}{unit}"
    return f"{value:g}s"
