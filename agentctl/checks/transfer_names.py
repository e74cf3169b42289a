"""A tool that names itself like a generated transfer: the model could not tell the two apart."""

from __future__ import annotations

from agentctl.checks.checked import Checked
from agentctl.diagnostics import Report
from agentctl.spec.transfers import offers


def transfer_names(checked: Checked, report: Report) -> None:
    for agent, transfers in offers(checked.team.root):
        for tool, entry in checked.entries(agent):
            if tool.name in transfers and entry.name is None:
                other = transfers[tool.name].name
                message = f'the tool "{tool.name}" is named like the transfer to agent "{other}"'
                hint = "give the tool another `name`"
                place = entry.function.span
                report.error("tool-duplicate", message, place, hint=hint, pointer=entry.pointer)
