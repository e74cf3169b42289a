"""A team back into one YAML document: other files inlined, models stated, nothing left to the environment.

What it gives reads back as the same team, whatever the environment holds then.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Final

from agentctl.document import dump, escape_variables
from agentctl.jsontypes import Json, JsonObject, digest
from agentctl.spec.functions import joined_folder
from agentctl.spec.given import resolve_inputs, with_inputs
from agentctl.spec.models import SCRIPT
from agentctl.spec.overrides import with_models
from agentctl.spec.settings import FunctionRef, ModelSettings, Price, Retry, ToolEntry
from agentctl.spec.strategies import HandoffRule, Planner, PlanStep, StopIf, Strategy
from agentctl.spec.team import Agent, Input, Limit, Team

__all__ = ["dump_team", "resolve_inputs", "team_digest", "team_json", "with_inputs", "with_models"]

_NOT_OPTIONS: Final = ("function", "stated", "span", "pointer")


def dump_team(team: Team) -> str:
    """The team as the text of one document, which `read_team` reads back equal in the team's folder.

    `{{ inputs.NAME }}` stays; functions and scripts are named from the team's folder.
    """
    return dump(_escaped(team_json(team)))


def team_digest(team: Team) -> str:
    """The hash of what a team says, wherever and in how many files it says it."""
    return digest(team_json(team))


def team_json(team: Team) -> JsonObject:
    """The resolved document as JSON, its strings as they are meant (variables not escaped)."""
    inputs: Json = {name: _input(declared) for name, declared in team.inputs.items()}
    return {
        "version": 1,
        **({"inputs": inputs} if team.inputs else {}),
        **_Writer(team.folder).agent(team.root, None),
    }


def _input(declared: Input) -> JsonObject:
    written: dict[str, Json] = {"type": declared.type}
    if declared.description is not None:
        written["description"] = declared.description
    if declared.default is not None:
        written["default"] = declared.default
    return {**written, "required": True} if declared.required else written


def _escaped(value: Json) -> Json:
    if isinstance(value, str):
        return escape_variables(value)
    if isinstance(value, Mapping):
        return {key: _escaped(below) for key, below in value.items()}
    if isinstance(value, list | tuple):
        return [_escaped(below) for below in value]
    return value


class _Writer:
    """Writes parts of a team as JSON; `folder` is where paths begin."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def agent(self, agent: Agent, inherited: ModelSettings | None) -> JsonObject:
        own_model = agent.model if agent.model != inherited else None
        written: dict[str, Json] = {
            "name": agent.name,
            "description": agent.description,
            "examples": list(agent.examples),
            "model": self.model(own_model) if own_model else None,
            "instructions": agent.instructions,
            "tools": [self._tool(tool) for tool in agent.tools],
            "strategy": self.strategy(agent.strategy) if agent.strategy else None,
            "limits": {name: _limit(limit) for name, limit in agent.limits.items()},
            "retry": _retry(agent.retry) if agent.retry else None,
            "context": agent.context,
            "agents": [self.agent(below, agent.model) for below in agent.agents],
        }
        return {key: value for key, value in written.items() if value not in (None, "", [], {})}

    def model(self, model: ModelSettings) -> Json:
        written = {
            field.name: self._plain(getattr(model, field.name))
            for field in fields(ModelSettings)
            if field.name not in ("id", "folder", "fallbacks", "span", "pointer")
        }
        stated: dict[str, Json] = {key: value for key, value in written.items() if value not in (None, {})}
        if model.fallbacks:
            stated["fallbacks"] = [self._model_id(each, model.folder) for each in model.fallbacks]
        name = self._model_id(model.id, model.folder)
        return {"id": name, **stated} if stated else name

    def _model_id(self, model: str, folder: Path) -> str:
        if not model.startswith(SCRIPT):
            return model
        return SCRIPT + joined_folder(model.removeprefix(SCRIPT), folder, self._folder)

    def _tool(self, tool: ToolEntry) -> Json:
        """What the file states of the tool, defaults too where they are written out."""
        written: dict[str, Json] = {"function": self._plain(tool.function)}
        bare = ToolEntry(function=tool.function, span=tool.span)
        for name in (field.name for field in fields(ToolEntry) if field.name not in _NOT_OPTIONS):
            value = getattr(tool, name)
            if name in tool.stated or value != getattr(bare, name):
                written[name] = self._plain(value)
        if isinstance(tool.approve, FunctionRef):
            written["approve"] = {"when": self._plain(tool.approve)}
        return written

    def strategy(self, strategy: Strategy) -> JsonObject:
        written = {
            field.name.rstrip("_"): self._plain(getattr(strategy, field.name)) for field in fields(strategy)
        }
        stated = {key: value for key, value in written.items() if value not in (None, [])}
        return {"type": strategy.type, **stated}

    def _plain(self, value: object) -> Json:
        match value:
            case FunctionRef(target=target, folder=folder):
                return joined_folder(target, folder, self._folder)
            case ModelSettings():
                return self.model(value)
            case Retry():
                return _retry(value)
            case Price():
                return {"input": value.input, "output": value.output}
            case StopIf() | HandoffRule() | Planner() | PlanStep():
                found = {
                    field.name.rstrip("_"): self._plain(getattr(value, field.name))
                    for field in fields(value)
                    if field.name != "span"
                }
                return {key: below for key, below in found.items() if below not in (None, [])}
            case Mapping():
                return {str(key): self._plain(below) for key, below in value.items()}
            case list() | tuple():
                return [self._plain(below) for below in value]
            case None | bool() | int() | float() | str():
                return value
        raise TypeError(f"a team holds no {type(value).__name__}")


def _limit(limit: Limit) -> Json:
    return "unlimited" if math.isinf(limit.value) else limit.value


def _retry(retry: Retry) -> JsonObject:
    return {
        "attempts": retry.attempts,
        "backoff": retry.backoff,
        "delay": retry.delay,
        "max_delay": retry.max_delay,
    }
