"""Servers need a library that is not installed with agentctl itself."""

from __future__ import annotations

from importlib.util import find_spec

from agentctl.checks.checked import Checked
from agentctl.diagnostics import Report


def server_library(checked: Checked, report: Report) -> None:
    """Told once, at the first use; where nothing may be imported, it may be installed elsewhere."""
    used = [entry for agent in checked.team.agents() for entry in agent.mcp_tools]
    if not used or checked.toolboxes is None or find_spec("mcp") is not None:
        return
    message = f'the server "{used[0].mcp.name}" needs the library "mcp", which is not installed'
    hint = "install it with: pip install 'mcp>=2.3,<3'"
    report.error("mcp-missing", message, used[0].span, hint=hint, pointer=used[0].pointer)
