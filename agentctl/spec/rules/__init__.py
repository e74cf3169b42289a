"""What must hold of a whole team beyond the shape of its keys: an explicit table, one module a rule.

A rule takes the team as far as it could be read; names that are empty and models without an id stand
for what an error was reported about already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from agentctl.diagnostics import Report
from agentctl.spec.rules.few_agents import few_agents
from agentctl.spec.rules.guardrails import guardrails
from agentctl.spec.rules.handoff_as_router import handoff_as_router
from agentctl.spec.rules.no_instructions import no_instructions
from agentctl.spec.rules.no_model import no_model
from agentctl.spec.rules.one_wallet import one_wallet
from agentctl.spec.rules.strategy_alone import strategy_alone
from agentctl.spec.rules.stuck_members import stuck_members
from agentctl.spec.rules.tool_names import tool_names
from agentctl.spec.rules.unanswered_output import unanswered_output
from agentctl.spec.rules.unique_names import unique_names
from agentctl.spec.rules.unreachable import unreachable
from agentctl.spec.rules.unread_keys import unread_keys
from agentctl.spec.rules.unread_limits import unread_at_root, unread_limits
from agentctl.spec.team import Team

Rule: TypeAlias = Callable[[Team, Report], None]

RULES: Final[tuple[Rule, ...]] = (
    unique_names,
    strategy_alone,
    no_model,
    no_instructions,
    tool_names,
    few_agents,
    unreachable,
    stuck_members,
    handoff_as_router,
    one_wallet,
    unread_keys,
    unread_limits,
    unread_at_root,
    unanswered_output,
    guardrails,
)
