"""A tool that sounds as if it could not be taken back, about which the file says nothing."""

from __future__ import annotations

import re
from typing import Final

from agentctl.checks.checked import Checked
from agentctl.diagnostics import Report

_ACTS: Final = re.compile(
    r"(?i:buy|cancel|charge|delete|destroy|drop|email|erase|pay|post|publish|purchase|refund|remove|send"
    r"|transfer(?!_to_)|wire)(?![a-z])"
)


def risky_tools(checked: Checked, report: Report) -> None:
    """Only the first word of the name counts: `send_email` acts, `get_refund_policy` does not."""
    for agent in checked.team.agents():
        for tool, entry in checked.entries(agent):
            decided = tool.approve or tool.idempotent or entry.stated & {"approve", "idempotent"}
            if _ACTS.match(tool.name) and not decided:
                message = f'the tool "{tool.name}" may do what cannot be undone, and nobody is asked before'
                hint = "say `approve: always`, or `approve: never` if that is meant"
                place = entry.function.span
                report.warning("risky-tool", message, place, hint=hint, pointer=entry.pointer)
