"""What a check looks at: a team, what its tool modules gave, and the environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from agentctl.diagnostics import Report
from agentctl.spec.settings import ToolEntry
from agentctl.spec.team import Agent, Team

if TYPE_CHECKING:
    from agentctl.tools.tool import Tool
    from agentctl.tools.toolbox import Toolboxes


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """`toolboxes` holds the tools by `place_of` their agent; it is None where nothing may be imported."""

    team: Team
    environ: Mapping[str, str]
    toolboxes: Toolboxes | None

    def tools(self, agent: Agent) -> tuple[Tool, ...]:
        """The agent's tools, without those that have a problem."""
        return self.toolboxes.tools.get(place_of(agent), ()) if self.toolboxes else ()

    def entries(self, agent: Agent) -> list[tuple[Tool, ToolEntry]]:
        """The agent's tools, each with the entry of the file that it comes from."""
        found = ((tool, _entry_of(tool, agent)) for tool in self.tools(agent))
        return [(tool, entry) for tool, entry in found if entry is not None]


Check: TypeAlias = Callable[[Checked, Report], None]


def place_of(agent: Agent) -> str:
    """Tells agents apart also where two have one name, which is an error by itself."""
    return f"{agent.spans[''].path}#{agent.pointer}"


def _entry_of(tool: Tool, agent: Agent) -> ToolEntry | None:
    """The entry that states the tool's name before one that states none."""
    same = [
        entry
        for entry in agent.tools
        if entry.function.target == tool.source and entry.name in (None, tool.name)
    ]
    return next((entry for entry in same if entry.name), same[0] if same else None)
