"""A builtin and another tool of one agent that the model could not tell apart by name."""

from __future__ import annotations

from agentctl.checks.checked import Checked
from agentctl.diagnostics import Related, Report


def builtin_names(checked: Checked, report: Report) -> None:
    for agent in checked.team.agents():
        taken = {tool.name: entry.span for tool, entry in checked.entries(agent)}
        for entry in agent.builtins:
            first = taken.setdefault(entry.builtin, entry.span)
            if first is not entry.span:
                message = f'this agent already has a tool called "{entry.builtin}"'
                related = (Related(span=first, message="the first one"),)
                hint = "take one of the two out, or give a function another `name`"
                report.error(
                    "tool-duplicate", message, entry.span, hint=hint, pointer=entry.pointer, related=related
                )
