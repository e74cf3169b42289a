"""A swarm's `handoff_when` waits for a tool that some member really has."""

from __future__ import annotations

from agentctl.checks.checked import Checked
from agentctl.diagnostics import Report, nearest
from agentctl.spec.strategies import Swarm
from agentctl.spec.team import Agent


def rule_tools(checked: Checked, report: Report) -> None:
    for agent in checked.team.agents() if checked.toolboxes else ():
        if isinstance(agent.strategy, Swarm):
            _check(agent, agent.strategy, checked, report)


def _check(agent: Agent, swarm: Swarm, checked: Checked, report: Report) -> None:
    """Where a tool could not be had, which is told already, any name may be its own."""
    for index, rule in enumerate(swarm.handoff_when):
        members = [member for member in agent.agents if rule.from_ in (None, member.name)]
        names = [tool.name for member in members for tool in checked.tools(member)]
        names += [entry.builtin for member in members for entry in member.builtins]
        stated = sum(len(member.tools) + len(member.builtins) for member in members)
        complete = len(names) == stated and not any(member.mcp_tools for member in members)
        if rule.tool is None or rule.span is None or rule.tool in names or not complete:
            continue
        near = nearest(rule.tool, names)
        who = f'agent "{rule.from_}" has' if rule.from_ else "the members of the swarm have"
        hint = f'did you mean "{near}"?' if near else f"tools here: {', '.join(names) or 'none'}"
        message = f'unknown tool "{rule.tool}": {who} no such tool'
        pointer = f"{agent.pointer}/strategy/handoff_when/{index}/tool"
        report.error("unknown-tool", message, rule.span, hint=hint, pointer=pointer)
