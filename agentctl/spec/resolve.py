"""A team back into one YAML document: other files inlined, models stated, nothing left to the environment.

What it gives reads back as the same team, whatever the environment holds then.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Final

from agentctl.document import Filled, dump, escape_variables
from agentctl.jsontypes import Json, JsonObject, as_object, digest
from agentctl.spec.functions import joined_folder
from agentctl.spec.given import resolve_inputs, with_inputs
from agentctl.spec.models import is_file_model
from agentctl.spec.outputs import RETRIES
from agentctl.spec.overrides import with_models
from agentctl.spec.settings import (
    START_TIMEOUT,
    FunctionRef,
    Guardrail,
    McpEntry,
    McpServer,
    ModelSettings,
    Price,
    Retry,
    ToolEntry,
)
from agentctl.spec.strategies import HandoffRule, Planner, PlanStep, StopIf, Strategy
from agentctl.spec.team import Agent, Input, Limit, Team

__all__ = [
    "document_of",
    "dump_document",
    "dump_team",
    "resolve_inputs",
    "team_digest",
    "team_json",
    "with_inputs",
    "with_models",
]

_NOT_OPTIONS: Final = ("function", "stated", "span", "pointer")


def dump_team(team: Team) -> str:
    """The team as the text of one document, which `read_team` reads back equal in the team's folder.

    `{{ inputs.NAME }}` stays; functions and scripts are named from the team's folder.
    """
    return dump_document(document_of(team))


def document_of(team: Team) -> JsonObject:
    """What `dump_team` writes; a text with variables filled in is `Filled` still, and not escaped."""
    document = team_json(team)
    servers = document.get("mcp_servers")
    escaped = as_object(_escaped(document))
    return {**escaped, "mcp_servers": _servers(servers)} if servers else escaped


def dump_document(document: JsonObject) -> str:
    """The text of what `document_of` gives, or of the same with other strings in it."""
    return _dumped(json.dumps(_written(document)))


@lru_cache(maxsize=16)
def _dumped(document: str) -> str:
    """A service writes the same few teams for every run."""
    return dump(json.loads(document))


def team_digest(team: Team) -> str:
    """The hash of what a team says, wherever and in how many files it says it."""
    return digest(team_json(team))


def team_json(team: Team) -> JsonObject:
    """The resolved document as JSON, its strings as they are meant (variables not escaped)."""
    inputs: Json = {name: _input(declared) for name, declared in team.inputs.items()}
    writer = _Writer(team.folder, servers_by_name(team))
    servers: Json = {name: writer.server(server) for name, server in writer.servers.items()}
    return {
        "version": 1,
        **({"inputs": inputs} if team.inputs else {}),
        **({"mcp_servers": servers} if servers else {}),
        **writer.agent(team.root, None),
    }


def servers_by_name(team: Team) -> dict[str, McpServer]:
    """The servers that agents use."""
    return {entry.mcp.name: entry.mcp for agent in team.agents() for entry in agent.mcp_tools}


def _input(declared: Input) -> JsonObject:
    written: dict[str, Json] = {"type": declared.type}
    if declared.description is not None:
        written["description"] = declared.description
    if declared.default is not None:
        written["default"] = declared.default
    return {**written, "required": True} if declared.required else written


def _written(value: Json) -> Json:
    return _each_text(value, lambda text: escape_variables(text) if isinstance(text, Filled) else text)


def _escaped(value: Json) -> Json:
    return _each_text(value, lambda text: text if isinstance(text, Filled) else escape_variables(text))


def _each_text(value: Json, change: Callable[[str], str]) -> Json:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _each_text(below, change) for key, below in value.items()}
    if isinstance(value, list | tuple):
        return [_each_text(below, change) for below in value]
    return value


def _servers(servers: Json) -> Json:
    """Only what may hold secrets still has its variables; it is read again where the run is resumed."""
    return {
        name: {
            key: value if key in ("env", "headers") else _escaped(value)
            for key, value in as_object(each).items()
        }
        for name, each in as_object(servers).items()
    }


class _Writer:
    """Writes parts of a team as JSON; `folder` is where paths begin."""

    def __init__(self, folder: Path, servers: Mapping[str, McpServer]) -> None:
        self._folder = folder
        self.servers = servers

    def agent(self, agent: Agent, inherited: ModelSettings | None) -> JsonObject:
        own_model = agent.model if agent.model != inherited else None
        written: dict[str, Json] = {
            "name": agent.name,
            "description": agent.description,
            "examples": list(agent.examples),
            "model": self.model(own_model) if own_model else None,
            "instructions": agent.instructions,
            "tools": [
                *(self._tool(tool) for tool in agent.tools),
                *(self._mcp_tools(entry) for entry in agent.mcp_tools),
                *({"builtin": entry.builtin} for entry in agent.builtins),
            ],
            "strategy": self.strategy(agent.strategy) if agent.strategy else None,
            "output": self._plain(agent.output),
            "output_retries": agent.output_retries if agent.output_retries != RETRIES else None,
            "guardrails": [self._guardrail(rail) for rail in agent.guardrails],
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
        if not is_file_model(model):
            return model
        kind, _, path = model.partition(":")
        return f"{kind}:{joined_folder(path, folder, self._folder)}"

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

    def _mcp_tools(self, entry: McpEntry) -> JsonObject:
        """What differs from the defaults, the server by its name in the resolved document."""
        bare = McpEntry(mcp=entry.mcp, span=entry.span)
        options = (each.name for each in fields(McpEntry) if each.name not in ("mcp", "span", "pointer"))
        values = {name: getattr(entry, name) for name in options}
        written = {name: self._plain(value) for name, value in values.items() if value != getattr(bare, name)}
        if isinstance(entry.approve, FunctionRef):
            written["approve"] = {"when": self._plain(entry.approve)}
        return {"mcp": entry.mcp.name, **written}

    def server(self, server: McpServer) -> JsonObject:
        seconds = server.start_timeout
        patience: JsonObject = {"start_timeout": seconds} if seconds != START_TIMEOUT else {}
        if server.url:
            headers: JsonObject = {"headers": dict(server.headers)} if server.headers else {}
            return {"url": server.url, **headers, **patience}
        written: dict[str, Json] = {"command": server.command, **patience}
        if server.args:
            written["args"] = list(server.args)
        if server.env:
            written["env"] = dict(server.env)
        if server.cwd != self._folder:
            written["cwd"] = Path(os.path.relpath(server.cwd, self._folder)).as_posix()
        return written

    def _guardrail(self, rail: Guardrail) -> JsonObject:
        """What differs from the defaults; `on` always."""
        bare = Guardrail(on=rail.on, span=rail.span)
        stated = (each.name for each in fields(Guardrail) if each.compare)
        values = {name: getattr(rail, name) for name in stated}
        return {
            name: self._plain(value)
            for name, value in values.items()
            if name == "on" or value != getattr(bare, name)
        }

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
