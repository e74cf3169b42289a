"""What the strategies may know of the team: its agents, each one's tools, and what routing goes by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agentctl.models.messages import ToolSpec
from agentctl.spec.team import Agent, Team
from agentctl.tools.tool import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """`tools` holds every agent's own tools by the agent's name."""

    team: Team
    tools: Mapping[str, tuple[Tool, ...]]

    def agent(self, name: str) -> Agent:
        """The agent of that name, which is unique in the whole team."""
        return next(agent for agent in self.team.agents() if agent.name == name)

    def tool(self, agent: str, name: str) -> Tool | None:
        return next((tool for tool in self.tools.get(agent, ()) if tool.name == name), None)

    def offered(self, agent: str) -> tuple[ToolSpec, ...]:
        """The agent's own tools as its model sees them."""
        return tuple(
            ToolSpec(
                name=tool.name,
                description=tool.description,
                parameters=tool.parameters,
                search_text=tool.search_text,
            )
            for tool in self.tools.get(agent, ())
        )

    def search_text(self, agent: Agent) -> str:
        """Everything that tells what an agent is for, for ranking without a language model."""
        parts = [agent.name, agent.description, *agent.examples, agent.instructions]
        parts += [tool.search_text for tool in self.tools.get(agent.name, ())]
        parts += [self.search_text(member) for member in agent.agents]
        return "\n".join(parts)


def purpose(agent: Agent) -> str:
    """An agent's description and examples, as every model that routes is shown them."""
    if not agent.examples:
        return agent.description
    return f"{agent.description}\nExamples: " + " | ".join(agent.examples)
