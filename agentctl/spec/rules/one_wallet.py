"""Specialists without limits of their own, of whom any alone can use up what was stated for all."""

from __future__ import annotations

import math
from typing import Final

from agentctl.diagnostics import Report
from agentctl.spec.rules.places import listed
from agentctl.spec.team import Agent, Limit, LimitName, Team

_SHARED: Final[tuple[LimitName, ...]] = ("cost_usd", "tokens")


def one_wallet(team: Team, report: Report) -> None:
    for agent in team.agents():
        found = _wallet(agent)
        bare = [each.name for each in agent.agents if each.name and not each.limits]
        if found is not None and bare and len(agent.agents) > 1:
            name, limit = found
            have = "have no limits of their own" if len(bare) > 1 else "has no limit of its own"
            message = f'{listed(bare)} {have} and may use up the whole `{name}` of agent "{agent.name}"'
            hint = (
                f"give each a share, such as `limits: {{{name}: {_share(limit.value / len(agent.agents))}}}`"
            )
            report.warning("one-wallet", message, limit.span, hint=hint, pointer=limit.pointer)


def _share(value: float) -> str:
    """A share as one would write it: whole, or of two digits that count."""
    if value >= 1:
        return str(int(value))
    digits = 1 - math.floor(math.log10(value))
    return f"{math.floor(value * 10**digits) / 10**digits:.{digits}f}"


def _wallet(agent: Agent) -> tuple[str, Limit] | None:
    stated = ((name, agent.limits.get(name)) for name in _SHARED)
    return next(
        ((name, limit) for name, limit in stated if limit is not None and math.isfinite(limit.value)), None
    )
