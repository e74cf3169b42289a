"""What must hold of a whole team beyond the shape of its keys: an explicit table, one module a rule.

A rule takes the team as far as it could be read; names that are empty and models without an id stand
for what an error was reported about already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from agentctl.diagnostics import Report
from agentctl.spec.rules.few_agents import few_agents
from agentctl.spec.rules.no_instructions import no_instructions
from agentctl.spec.rules.no_model import no_model
from agentctl.spec.rules.strategy_alone import strategy_alone
from agentctl.spec.rules.tool_names import tool_names
from agentctl.spec.rules.unique_names import unique_names
from agentctl.spec.rules.unreachable import unreachable
from agentctl.spec.rules.unread_keys import unread_keys
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
    unread_keys,
)
