"""A guardrail's `tools` are tools that its agent really has."""

from __future__ import annotations

from agentctl.checks.checked import Checked
from agentctl.diagnostics import Report, nearest
from agentctl.spec.team import Agent


def guardrail_tools(checked: Checked, report: Report) -> None:
    for agent in checked.team.agents() if checked.toolboxes else ():
        _check(agent, checked, report)


def _check(agent: Agent, checked: Checked, report: Report) -> None:
    """Where a tool could not be had, or a server brings more, any name may be its own."""
    names = [tool.name for tool in checked.tools(agent)]
    if len(names) < len(agent.tools) or agent.mcp_tools:
        return
    names += [entry.builtin for entry in agent.builtins]
    for rail in agent.guardrails:
        for index, name in enumerate(rail.tools):
            if name in names:
                continue
            near = nearest(name, names)
            hint = f'did you mean "{near}"?' if near else f"tools here: {', '.join(names) or 'none'}"
            message = f'unknown tool "{name}": agent "{agent.name}" has no such tool'
            pointer = f"{rail.pointer}/tools/{index}"
            place = checked.team.place(rail.span, pointer)
            report.error("unknown-tool", message, place, hint=hint, pointer=pointer)
