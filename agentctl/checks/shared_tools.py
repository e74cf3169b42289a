"""A tool with effects that several of the agents have among whom a model chooses.

What a specialist may do is how far a wrong choice can reach; a tool that only looks something up, or
that a person must agree to, does no harm in two hands.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from agentctl.checks.checked import Checked
from agentctl.checks.routed import routed
from agentctl.diagnostics import Related, Report
from agentctl.spec.settings import ToolEntry
from agentctl.spec.team import Agent

if TYPE_CHECKING:
    from agentctl.tools.tool import Tool


def shared_tools(checked: Checked, report: Report) -> None:
    for agent in checked.team.agents():
        if routed(agent):
            _check(agent, checked, report)


def _check(agent: Agent, checked: Checked, report: Report) -> None:
    first: dict[Hashable, tuple[Agent, ToolEntry]] = {}
    for member in agent.agents:
        for tool, entry in checked.entries(member):
            if tool.approve or tool.idempotent or entry.stated & {"approve", "idempotent"}:
                continue
            other, place = first.setdefault(_identity(tool), (member, entry))
            if other.name != member.name:
                message = (
                    f'"{other.name}" and "{member.name}" both have the tool "{tool.name}", so that whichever '
                    "a model chooses, its effects are in reach"
                )
                hint = (
                    "leave it to one of them; or say `idempotent: true` if it has no effects, "
                    "or `approve: always`"
                )
                related = (Related(span=place.span, message=f'"{other.name}" has it here'),)
                report.warning(
                    "shared-tool", message, entry.span, hint=hint, pointer=entry.pointer, related=related
                )


def _identity(tool: Tool) -> Hashable:
    """The function itself, by whichever path a file names it."""
    from agentctl.tools.calling import PythonCall

    function = tool.call.function if isinstance(tool.call, PythonCall) else None
    is_key = function is not None and isinstance(function, Hashable)
    return function if is_key else (tool.folder, tool.source)
