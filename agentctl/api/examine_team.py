"""What a team lacks to run, and where its settings come from: file, variable, flag or default."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from agentctl.api.findings import Finding, Setting
from agentctl.api.teams import check, read
from agentctl.diagnostics import Diagnostic, Report
from agentctl.engine.limits import Meter
from agentctl.errors import TeamError
from agentctl.models.addresses import provider
from agentctl.models.opening import fallback_settings
from agentctl.models.problems import ModelProblem, model_problems
from agentctl.spec.asked import is_asked, needs_model
from agentctl.spec.read import team_environ
from agentctl.spec.settings import McpServer, ModelSettings
from agentctl.spec.strategies import PlanExecute
from agentctl.spec.team import LimitName, Team

_NAMED: Final = re.compile(r'"([^"]+)"')
_LACKS: Final = ("mcp-missing", "variable-unset")
_AROUND: Final = ("model-key", "model-unknown", "mcp-missing", "mcp-program")
"""Codes of what is told by itself: the file is right."""
_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)")
_SHOWN: Final[Mapping[LimitName, Callable[[float], str]]] = {
    "cost_usd": "{:g} USD".format,
    "time": lambda seconds: f"{seconds / 60:g} minutes" if seconds >= 120 else f"{seconds:g} s",
    "tokens": "{:,.0f} tokens".format,
}


def team_findings(path: str | Path, models: Mapping[str, str]) -> list[Finding]:
    """Everything about one team; where its file cannot be read, that alone."""
    report = Report()
    try:
        team = read(path, report, models=models)
    except TeamError:
        return [*_unset(report), *([_wrong(path, report)] if _faults(report) else [])]
    check(team, report)
    file = [_wrong(path, report)] if _faults(report) else [_fine(path, team, report)]
    environ = team_environ(team.folder, os.environ)
    return [*file, *_models(team, environ), *_servers(team, environ)]


def team_settings(
    path: str | Path, models: Mapping[str, str], limits: Mapping[str, tuple[float, str]]
) -> list[Setting]:
    """The model of every agent and the limits of the whole run; nothing of a file that cannot be read."""
    report = Report()
    try:
        team = read(path, report, models=models)
        stated = read(path, Report())
    except TeamError:
        return []
    environ = team_environ(team.folder, os.environ)
    places = {agent.name: agent.model for agent in stated.agents()}
    found = [
        Setting(
            name=f"model of {agent.name}",
            value=agent.model.id or "(empty)",
            source=_flag(agent.name, models) or _place(places.get(agent.name), report, environ),
        )
        for agent in team.agents()
        if agent.model is not None and needs_model(agent)
    ]
    return found + [_limit(team, name, limits.get(name)) for name in _SHOWN]


def _faults(report: Report) -> list[Diagnostic]:
    """Errors that the file itself is to blame for, not what is around it."""
    return [found for found in report if found.severity == "error" and found.code not in _LACKS]


def _unset(report: Report) -> Iterator[Finding]:
    """Variables that the file wants and that nobody set."""
    for found in report:
        if found.code == "variable-unset":
            name = _NAMED.search(found.message)
            yield Finding(
                about="variable",
                state="missing",
                message=f"{found.span.path}:{found.span.line}: {found.message}",
                mend=f"export {name[1]}=…" if name else found.hint,
            )


def _wrong(path: str | Path, report: Report) -> Finding:
    first, *others = _faults(report)
    more = f", and {len(others)} more" if others else ""
    return Finding(
        about="team",
        state="wrong",
        message=f"{first.span.path}:{first.span.line}: {first.message}{more}",
        mend=f"agentctl validate {shlex.quote(str(path))}",
    )


def _fine(path: str | Path, team: Team, report: Report) -> Finding:
    count = sum(found.code not in _AROUND for found in report)
    if not count:
        return Finding(about="team", message=f"'{team.path}' has no faults")
    words = "1 warning" if count == 1 else f"{count} warnings"
    return Finding(
        about="team",
        state="note",
        message=f"'{team.path}' has {words}",
        mend=f"agentctl validate {shlex.quote(str(path))}",
    )


def _asked(team: Team) -> Iterator[ModelSettings]:
    """Every model that a call may go to, once, also those that stand in when one fails."""
    found = [agent.model for agent in team.agents() if agent.model is not None and needs_model(agent)]
    for agent in team.agents():
        planner = agent.strategy.planner if isinstance(agent.strategy, PlanExecute) else None
        if planner is not None and planner.model is not None and is_asked(agent):
            found.append(planner.model)
    whole = [each for model in found for each in (model, *fallback_settings(model))]
    return iter({(model.id, model.base_url, model.api_key_env): model for model in whole}.values())


def _models(team: Team, environ: Mapping[str, str]) -> Iterator[Finding]:
    for model in _asked(team):
        problems = [found for found in model_problems(model, environ) if model.id in found.message]
        for problem in problems:
            yield Finding(
                about="key" if problem.code == "model-key" else "model",
                state="missing" if problem.blocks else "note",
                message=problem.message,
                mend=_mend(problem, model),
            )
        if not problems:
            yield Finding(about="model", message=_reached(model, environ))


def _mend(problem: ModelProblem, model: ModelSettings) -> str | None:
    if problem.code != "model-key":
        return problem.hint
    keys = provider(model).keys
    names = (model.api_key_env,) if model.api_key_env else keys[0] if keys else ()
    return "export " + " ".join(f"{name}=…" for name in names) if names else problem.hint


def _reached(model: ModelSettings, environ: Mapping[str, str]) -> str:
    """By which variables, never with what stands in them."""
    groups = ((model.api_key_env,),) if model.api_key_env else provider(model).keys
    used = next((group for group in groups if all(environ.get(name) for name in group)), ())
    where = "" if all(name in os.environ for name in used) else ", from .env"
    return f"'{model.id}' with {' and '.join(used)}{where}" if used else f"'{model.id}' needs no key"


def _servers(team: Team, environ: Mapping[str, str]) -> Iterator[Finding]:
    used: dict[str, McpServer] = {
        entry.mcp.name: entry.mcp for agent in team.agents() for entry in agent.mcp_tools
    }
    if used:
        from importlib.util import find_spec

        from agentctl.tools.mcp_servers import INSTALL, MISSING

        if find_spec("mcp") is None:
            mend = INSTALL.removeprefix("install it with: ")
            yield Finding(about="package", state="missing", message=MISSING, mend=mend)
    for server in used.values():
        if server.command:
            yield _program(server, environ)


def _program(server: McpServer, environ: Mapping[str, str]) -> Finding:
    from agentctl.tools.mcp_programs import find_program

    found = find_program(server, environ)
    if isinstance(found, str):
        return Finding(about="server", message=f"'{server.name}' is started by {found}")
    return Finding(about="server", state="missing", message=found.message, mend=found.hint)


def _flag(agent: str, models: Mapping[str, str]) -> str | None:
    if agent in models:
        return f"--model {agent}="
    return "--model" if "" in models else None


def _place(stated: ModelSettings | None, report: Report, environ: Mapping[str, str]) -> str:
    """Where it stands; before that the variable that is read there and won."""
    if stated is None:
        return "default"
    lines = report.sources.get(stated.span.path, "").splitlines()
    line = lines[stated.span.line - 1] if 0 < stated.span.line <= len(lines) else ""
    place = f"{stated.span.path}:{stated.span.line}"
    for name in _VARIABLE.findall(line):
        return f"{name} ({place})" if environ.get(name) else f"{place} ({name} is not set)"
    return place


def _limit(team: Team, name: LimitName, given: tuple[float, str] | None) -> Setting:
    overrides = {name: given[0]} if given else {}
    value = Meter(team.root, None, lambda *_: None, overrides).allowed(name)
    stated = team.root.limits.get(name)
    source = given[1] if given else f"{stated.span.path}:{stated.span.line}" if stated else "default"
    shown = "unlimited" if value == float("inf") else _SHOWN[name](value)
    return Setting(name=f"{name} of the run", value=shown, source=source)
