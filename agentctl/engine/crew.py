"""What the strategies may know of the team: its agents, each one's tools, and what routing goes by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agentctl.jsontypes import Json, as_list
from agentctl.models.messages import ToolSpec
from agentctl.spec.team import Agent, Team
from agentctl.tools.outputs import OutputShape
from agentctl.tools.tool import Tool, Toolset


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """`tools` and `outputs` hold every agent's own tools, and the shape of its answers, by its name.

    `toolsets` are those of its tools that are known only once they were listed; `known` holds what the
    latest listing told.
    """

    team: Team
    tools: Mapping[str, tuple[Tool, ...]]
    outputs: Mapping[str, OutputShape] = field(default_factory=dict)
    toolsets: Mapping[str, tuple[Toolset, ...]] = field(default_factory=dict)
    known: dict[str, tuple[Tool, ...]] = field(default_factory=dict)
    _agents: dict[str, Agent] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._agents.update((agent.name, agent) for agent in self.team.agents())

    def agent(self, name: str) -> Agent:
        """The agent of that name, which is unique in the whole team."""
        return self._agents[name]

    def tool(self, agent: str, name: str) -> Tool | None:
        return next((tool for tool in self.own(agent) if tool.name == name), None)

    def offered(self, agent: str) -> tuple[ToolSpec, ...]:
        """The agent's own tools as its model sees them."""
        return tuple(tool_spec(tool) for tool in self.own(agent))

    def asks(self, agent: str) -> list[Json]:
        """Whom its toolsets ask, and for what."""
        return [toolset.asks for toolset in self.toolsets.get(agent, ())]

    async def listing(self, agent: str) -> list[Json]:
        """What each of the agent's toolsets tells of its tools, in order, as it can be recorded."""
        return [await toolset.listing() for toolset in self.toolsets.get(agent, ())]

    def take(self, agent: str, listing: Json) -> None:
        """From now on the agent's tools are those of a listing too, under names that its own leave free."""
        found = list(self.tools.get(agent, ()))
        sources = {tool.source for tool in found}
        for toolset, listed in zip(self.toolsets.get(agent, ()), as_list(listing), strict=False):
            new = toolset.tools(listed, [tool.name for tool in found])
            found += [tool for tool in new if tool.source not in sources]
            sources |= {tool.source for tool in new}
        self.known[agent] = tuple(found)

    def own(self, agent: str) -> tuple[Tool, ...]:
        """The agent's tools, as far as they are known."""
        return self.known.get(agent) or self.tools.get(agent, ())

    def search_text(self, agent: Agent) -> str:
        """Everything that tells what an agent is for, for ranking without a language model."""
        parts = [agent.name, agent.description, *agent.examples, agent.instructions]
        parts += [tool.search_text for tool in self.tools.get(agent.name, ())]
        parts += [self.search_text(member) for member in agent.agents]
        return "\n".join(parts)


def tool_spec(tool: Tool) -> ToolSpec:
    return ToolSpec(
        name=tool.name,
        description=tool.description,
        parameters=tool.parameters,
        search_text=tool.search_text,
    )


def purpose(agent: Agent) -> str:
    """An agent's description and examples, as every model that routes is shown them."""
    if not agent.examples:
        return agent.description
    return f"{agent.description}\nExamples: " + " | ".join(agent.examples)
