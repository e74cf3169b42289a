"""The values that an argument or option may have here: team files, runs, agents, strategies, steps, files.

Told by the option's name, else by its metavar. Read from disk alone; what is wrong there offers nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

from agentctl.cli.completing import Candidate, Place
from agentctl.errors import AgentctlError
from agentctl.journal.summary import RunView, Status
from agentctl.jsontypes import JsonObject, as_list, as_object, as_text

if TYPE_CHECKING:
    from agentctl.spec.team import Team

_YAML: Final = (".yaml", ".yml")
_MOST_RUNS: Final = 200


def candidates(place: Place) -> Iterator[Candidate]:
    name = max(place.parameter.opts, key=len)
    choices = getattr(getattr(place.parameter, "type", None), "choices", None)
    if choices:
        yield from ((str(choice), "") for choice in choices)
        return
    kind = _BY_NAME.get((place.command, name)) or _BY_NAME.get(("", name))
    kind = kind or _BY_METAVAR.get((place.parameter.metavar or "").removesuffix("..."))
    if kind is not None:
        with suppress(AgentctlError, OSError):  # what is wrong there is told when the command runs
            yield from kind(place)


def _teams(place: Place) -> Iterator[Candidate]:
    """Folders that hold a team end here; others are on the way to one, and so end with a slash."""
    for path, shown in _entries(place.incomplete):
        if path.is_dir():
            yield (shown, "a team") if (path / "team.yaml").is_file() else (f"{shown}/", "")
        elif path.suffix in _YAML:
            yield shown, ""


def _files(place: Place) -> Iterator[Candidate]:
    for path, shown in _entries(place.incomplete):
        yield f"{shown}/" if path.is_dir() else shown, ""


def _folders(place: Place) -> Iterator[Candidate]:
    return ((shown, text) for shown, text in _files(place) if shown.endswith("/"))


def _entries(incomplete: str) -> Iterator[tuple[Path, str]]:
    """What is in the folder of a path that begins so, and how it is written there."""
    head, slash, start = incomplete.rpartition("/")
    folder = Path(f"{head}{slash}" or ".").expanduser()
    for path in sorted(folder.iterdir()):
        if path.name.startswith(start) and (start.startswith(".") or not path.name.startswith(".")):
            yield path, f"{head}{slash}{path.name}"


def _runs(place: Place) -> Iterator[Candidate]:
    """The newest, each with what was asked."""
    from agentctl.api.looking import runs_folder
    from agentctl.journal.finding import list_runs
    from agentctl.journal.header import read_header

    paths = list_runs(runs_folder(runs_dir=place.options.get("--runs-dir")))
    for path in sorted(paths, key=lambda path: path.name, reverse=True)[:_MOST_RUNS]:
        if path.name.startswith(place.incomplete):
            with suppress(AgentctlError):
                yield path.name, as_text(read_header(path).get("request"))[:60]


def _runs_and_files(place: Place) -> Iterator[Candidate]:
    yield from _runs(place)
    yield from _files(place)


def _run_teams(place: Place) -> Iterator[Candidate]:
    from agentctl.api.looking import list_runs

    return ((view.team, "") for view in list_runs(runs_dir=place.options.get("--runs-dir")))


def _models(place: Place) -> Iterator[Candidate]:
    """Model ids of the team, and its agents with an `=` after them, then both."""
    team = _team(place)
    agents = [*team.agents()] if team is not None else []
    known = {"offline": "needs no key"}
    for agent in agents:
        if agent.model is not None and agent.model.id:
            known.setdefault(agent.model.id, "")
    name, equals, _ = place.incomplete.partition("=")
    if equals:
        yield from ((f"{name}={model}", text) for model, text in known.items())
        return
    yield from known.items()
    yield from ((f"{agent.name}=", agent.description) for agent in agents)


def _inputs(place: Place) -> Iterator[Candidate]:
    team = _team(place)
    for name, stated in team.inputs.items() if team is not None else ():
        yield f"{name}=", stated.description or ""


def _team(place: Place) -> Team | None:
    """The team of the first argument, as far as it can be read."""
    from agentctl.diagnostics import Report
    from agentctl.spec.find import find_team
    from agentctl.spec.read import read_team

    try:
        path = find_team(Path(place.arguments[0] if place.arguments else "."))
    except AgentctlError:
        return None
    return read_team(path, environ=os.environ, report=Report())


def _executions(place: Place) -> Iterator[Candidate]:
    view = _view(place)
    for execution in view.executions if view else ():
        yield execution.id, as_text(execution.request)[:60]
        yield execution.agent, ""


def _steps(place: Place) -> Iterator[Candidate]:
    """Those of its calls, and of what it waits for."""
    view = _view(place)
    for execution in view.executions if view else ():
        yield from ((step.step, "") for step in execution.steps if step.kind == "tool")
    yield from ((as_text(asked.get("step")), as_text(asked.get("question"))) for asked in _open(view))


def _chosen(place: Place) -> Iterator[Candidate]:
    for asked in _open(_view(place)):
        agents = as_object(asked.get("agents"))
        names = as_list(asked.get("choices")) or list(agents)
        yield from ((as_text(name), as_text(agents.get(as_text(name)))) for name in names)


def _open(view: RunView | None) -> list[JsonObject]:
    return [as_object(asked) for asked in view.waiting_for] if view else []


def _view(place: Place) -> RunView | None:
    from agentctl.api.looking import open_run

    run = place.arguments[0] if place.arguments else None
    if run is None and "--last" not in place.options:
        return None
    return open_run(run, runs_dir=place.options.get("--runs-dir"))


def _statuses(_place: Place) -> Iterator[Candidate]:
    return ((status, "") for status in get_args(Status))


def _strategies(_place: Place) -> Iterator[Candidate]:
    from agentctl.spec.strategies import STRATEGIES

    return ((strategy, "") for strategy in STRATEGIES)


def _schemas(_place: Place) -> Iterator[Candidate]:
    from agentctl.schemafiles import schema_names

    return ((name, "") for name in schema_names())


_Kind = Callable[[Place], Iterator[Candidate]]
_BY_NAME: Final[Mapping[tuple[str, str], _Kind]] = {
    ("", "--model"): _models,
    ("", "--input"): _inputs,
    ("", "--strategy"): _strategies,
    ("", "--status"): _statuses,
    ("", "--choose"): _chosen,
    ("", "--execution"): _executions,
    ("runs", "--team"): _run_teams,
    ("schema", "name"): _schemas,
}
_BY_METAVAR: Final[Mapping[str, _Kind]] = {
    "TEAM": _teams,
    "RUN": _runs,
    "RUN|FILE": _runs_and_files,
    "STEP": _steps,
    "EXECUTION": _executions,
    "FILE": _files,
    "DIR": _folders,
}
