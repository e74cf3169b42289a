"""A team with other models than its file states, as the command line names them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from agentctl.diagnostics import nearest
from agentctl.errors import UsageError
from agentctl.spec.models import is_file_model
from agentctl.spec.settings import ModelSettings
from agentctl.spec.strategies import PlanExecute, Strategy
from agentctl.spec.team import Agent, Team


def with_models(team: Team, models: Mapping[str, str], *, folder: Path | None = None) -> Team:
    """`models` gives a model id by agent name; the empty name means every agent of the team.

    Who inherits the model of a named agent gets the new one too. `folder` (default: the working
    directory) is where `script:FILE` and `recording:FILE` begin. Raises `UsageError` for an unknown agent.
    """
    names = [agent.name for agent in team.agents()]
    for name in models:
        if name and name not in names:
            near = nearest(name, names)
            hint = f'did you mean "{near}"?' if near else f"the agents: {', '.join(names)}"
            raise UsageError(f'there is no agent "{name}" to give a model', hint=hint)
    start = folder or Path.cwd()
    settings = {name: _settings(model, team, start) for name, model in models.items()}
    everyone = settings.get("")
    return replace(team, root=_override(team.root, settings, everyone, everyone))


def without_keys(team: Team) -> Team:
    """The team with `offline` in place of every model that needs a key or a network."""
    return replace(team, root=_without_keys(team.root))


def _without_keys(agent: Agent) -> Agent:
    strategy = agent.strategy
    if isinstance(strategy, PlanExecute) and strategy.planner is not None and strategy.planner.model:
        strategy = replace(strategy, planner=replace(strategy.planner, model=_local(strategy.planner.model)))
    model = _local(agent.model) if agent.model else None
    agents = tuple(_without_keys(below) for below in agent.agents)
    return replace(agent, model=model, agents=agents, strategy=strategy)


def _local(model: ModelSettings) -> ModelSettings:
    if is_file_model(model.id):
        return replace(model, fallbacks=())
    return ModelSettings(id="offline", folder=model.folder, span=model.span, pointer=model.pointer)


def _settings(model: str, team: Team, folder: Path) -> ModelSettings:
    span = team.root.spans[""]
    return ModelSettings(id=model, folder=folder if is_file_model(model) else team.folder, span=span)


def _override(
    agent: Agent,
    settings: Mapping[str, ModelSettings],
    everyone: ModelSettings | None,
    inherited: ModelSettings | None,
) -> Agent:
    """`inherited` is the new model of the agent above, None where that keeps its own."""
    own = settings.get(agent.name) or everyone
    new = own or (None if "model" in agent.spans else inherited)
    agents = tuple(_override(below, settings, everyone, new) for below in agent.agents)
    return replace(agent, model=new or agent.model, agents=agents, strategy=_planned(agent.strategy, own))


def _planned(strategy: Strategy | None, model: ModelSettings | None) -> Strategy | None:
    """A planner with a model of its own plans with the agent's new one."""
    if not isinstance(strategy, PlanExecute) or strategy.planner is None or model is None:
        return strategy
    return replace(strategy, planner=replace(strategy.planner, model=model))
