"""The names that one agent's model is offered are told apart: its tools and the generated transfers.

Goes by the names that the file states; how a function names itself is known when it is imported.
"""

from __future__ import annotations

from typing import Final

from agentctl.diagnostics import Related, Report, Span
from agentctl.spec.settings import ToolEntry
from agentctl.spec.team import Team
from agentctl.spec.transfers import Transfers, offers

_HINT: Final = "give one of them another `name`"


def tool_names(team: Team, report: Report) -> None:
    for agent, transfers in offers(team.root):
        seen: dict[str, Span] = {}
        for tool in agent.tools:
            if tool.name is None and "name" in tool.stated:
                continue  # its name is told of
            place = team.place(tool.function.span, f"{tool.pointer}/name")
            _check(tool, place, transfers, seen, report)


def _check(tool: ToolEntry, place: Span, transfers: Transfers, seen: dict[str, Span], report: Report) -> None:
    named = tool.name or f"{tool.function.folder}:{tool.function.target}"
    first = seen.setdefault(named, place)
    if tool.name and tool.name in transfers:
        other = transfers[tool.name].name
        message = f'the tool "{tool.name}" is named like the transfer to agent "{other}"'
        report.error("tool-duplicate", message, place, hint=_HINT, pointer=tool.pointer)
    elif first is not place:
        what = f'two tools of one agent are named "{tool.name}"'
        message = what if tool.name else f'the function "{tool.function.target}" is named twice'
        related = (Related(span=first, message="the first one"),)
        report.error("tool-duplicate", message, place, hint=_HINT, pointer=tool.pointer, related=related)
