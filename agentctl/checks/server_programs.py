"""Servers whose program is not here. A warning here, as for a key: the file is right without it."""

from __future__ import annotations

from agentctl.checks.checked import Checked
from agentctl.diagnostics import Report
from agentctl.spec.asked import has_loop
from agentctl.spec.read import told_environ


def server_programs(checked: Checked, report: Report) -> None:
    """Only of servers that some loop uses; where nothing may be imported, they may be installed elsewhere."""
    looped = [agent for agent in checked.team.agents() if has_loop(agent)]
    used = {id(entry.mcp): entry.mcp for agent in looped for entry in agent.mcp_tools}
    if not used or checked.toolboxes is None:
        return
    from agentctl.tools.mcp_programs import program_problem

    environ = told_environ(checked.team.folder, checked.environ, checked.team.path, report)
    for server in used.values():
        problem = program_problem(server, environ)
        if problem is not None:
            pointer = f"{server.pointer}/{problem.at}"
            place = checked.team.place(server.span, pointer)
            report.warning("mcp-program", problem.message, place, hint=problem.hint, pointer=pointer)
