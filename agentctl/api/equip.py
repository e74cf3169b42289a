"""A team made ready to run: its tools imported, its models opened, its secrets known."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agentctl.api.literals import typed_secrets
from agentctl.api.secrets import stated_secrets, words_of
from agentctl.api.teams import broken
from agentctl.api.toolsets import builtin_tools, open_servers, server_secrets, toolsets
from agentctl.checks import check_team, load_tools
from agentctl.checks.checked import place_of
from agentctl.checks.output_types import output_shapes
from agentctl.diagnostics import Report, Span
from agentctl.engine.crew import Crew
from agentctl.errors import UsageError
from agentctl.journal.redact import Redactor
from agentctl.jsontypes import as_object, canonical, to_json
from agentctl.models.model import Model
from agentctl.models.opening import fallback_settings, open_model, warm
from agentctl.models.problems import model_problems, secret_variables
from agentctl.spec.asked import has_loop, is_asked, needs_model
from agentctl.spec.settings import ModelSettings
from agentctl.spec.strategies import PlanExecute
from agentctl.spec.team import Team
from agentctl.tools.importing import Importer

if TYPE_CHECKING:
    from agentctl.tools.mcp_servers import McpServers


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """`models` by agent (and `<agent>.planner`), `functions` by (target, folder), `secrets` by variable."""

    crew: Crew
    models: Mapping[str, Model]
    functions: Mapping[tuple[str, str], Callable[..., object]]
    secrets: Mapping[str, str]
    importer: Importer
    servers: McpServers | None

    async def close(self) -> None:
        if self.servers is not None:
            await self.servers.close()
        self.importer.close()
        for model in {id(model): model for model in self.models.values()}.values():
            await model.close()


def equip(team: Team, report: Report, environ: Mapping[str, str], *, starts: bool = False) -> Equipment:
    """Raises TeamError for what `validate` has errors about, UsageError for a model that cannot be called.

    `report` is that of reading the team. With `starts` its servers are to be used, and one whose program is
    not here is a UsageError too.
    """
    settings = dict(_asked(team))
    for each in _distinct(settings):
        warm(each, environ=environ)
    importer = Importer([team.folder])
    try:
        toolboxes = load_tools(team, importer)
        check_team(team, report, environ=environ, toolboxes=toolboxes, advice=False)
        if report.errors:
            raise broken(report, team.path)
        _require_models(settings, environ)
        if starts:
            _require_programs(team, environ)
    except BaseException:
        importer.close()
        raise
    tools = {
        agent.name: (*toolboxes.tools[place_of(agent)], *builtin_tools(agent, team))
        for agent in team.agents()
    }
    functions = {(ref.target, str(ref.folder)): function for ref, function in toolboxes.functions.items()}
    secrets = {**team_secrets(team, environ), **{typed: typed for typed in typed_secrets(team)}}
    servers = open_servers(team, environ, Redactor(secrets.values()).text)
    crew = Crew(
        team=team,
        tools=tools,
        outputs=output_shapes(team, toolboxes),
        toolsets=toolsets(team, servers),
    )
    return Equipment(
        crew=crew,
        models=_open(settings, environ),
        functions=functions,
        secrets=secrets,
        importer=importer,
        servers=servers,
    )


def require_known(models: Mapping[str, str]) -> None:
    """Raises UsageError for a model id of the command line that no provider has; the file is not to blame."""
    here = Span(path="", line=1, column=1, end_line=1, end_column=1)
    for model in models.values():
        for problem in model_problems(ModelSettings(id=model, folder=Path.cwd(), span=here), os.environ):
            if problem.code == "model-unknown" and problem.severity == "error":
                raise UsageError(f"`--model {model}`: {problem.message}", hint=problem.hint)


def team_secrets(team: Team, environ: Mapping[str, str]) -> Mapping[str, str]:
    """The variables that the team names as keys, with their values, which must not stand anywhere."""
    settings = dict(_asked(team))
    keys = {
        variable: environ[variable]
        for each in _distinct(settings)
        for used in (each, *fallback_settings(each))
        for variable in sorted(secret_variables(used))
        if environ.get(variable)
    }
    found = {**stated_secrets(team, environ), **server_secrets(team, environ), **keys}
    words = words_of(team) if found else frozenset()
    return {variable: value for variable, value in found.items() if value not in words}


def _asked(team: Team) -> Iterator[tuple[str, ModelSettings]]:
    """The models that some call of the run may go to, by the name the engine asks for."""
    for agent in team.agents():
        if agent.model is not None and needs_model(agent):
            yield agent.name, agent.model
        if isinstance(agent.strategy, PlanExecute) and agent.strategy.planner is not None:
            planner = agent.strategy.planner.model
            if planner is not None and is_asked(agent):
                yield f"{agent.name}.planner", planner


def _require_models(settings: Mapping[str, ModelSettings], environ: Mapping[str, str]) -> None:
    """Found before the first call, not during it."""
    for each in _distinct(settings):
        for problem in model_problems(each, environ):
            if problem.severity == "error":
                raise UsageError(problem.message, hint=problem.hint)


def _require_programs(team: Team, environ: Mapping[str, str]) -> None:
    """Found before the first call, too."""
    servers = [entry.mcp for agent in team.agents() if has_loop(agent) for entry in agent.mcp_tools]
    if not servers:
        return
    from agentctl.tools.mcp_programs import program_problem

    for server in servers:
        problem = program_problem(server, environ)
        if problem is not None:
            raise UsageError(problem.message, hint=problem.hint)


def _open(settings: Mapping[str, ModelSettings], environ: Mapping[str, str]) -> dict[str, Model]:
    """One model for all agents with the same settings, so that they share its connections."""
    texts = _texts(settings)
    opened = {texts[id(each)]: open_model(each, environ=environ) for each in _distinct(settings)}
    return {name: opened[texts[id(each)]] for name, each in settings.items()}


def _distinct(settings: Mapping[str, ModelSettings]) -> Iterator[ModelSettings]:
    texts = _texts(settings)
    yield from {texts[id(each)]: each for each in settings.values()}.values()


def _texts(settings: Mapping[str, ModelSettings]) -> dict[int, str]:
    """What each says, by its identity: agents that inherit a model hold the same one."""
    return {key: _text(each) for key, each in {id(each): each for each in settings.values()}.items()}


def _text(settings: ModelSettings) -> str:
    described = as_object(to_json(settings))
    return canonical({key: value for key, value in described.items() if key not in ("span", "pointer")})
