"""A team file into a frozen `Team`, with every mistake of it and of the files it includes in one report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agentctl.diagnostics import Report, Span
from agentctl.document.envfile import load_env_file
from agentctl.document.nodes import Node
from agentctl.errors import UsageError
from agentctl.spec.agents import Beside, read_agent
from agentctl.spec.files import open_team
from agentctl.spec.find import find_team
from agentctl.spec.includes import in_file
from agentctl.spec.inputs import check_uses, read_inputs
from agentctl.spec.lost_texts import check_texts
from agentctl.spec.mcp_servers import check_servers
from agentctl.spec.overrides import with_models
from agentctl.spec.paths import absolute, real
from agentctl.spec.reading import Reading, TeamFile
from agentctl.spec.reply_kinds import is_a_team
from agentctl.spec.rules import RULES
from agentctl.spec.schema import document_checker
from agentctl.spec.shape import check_shape
from agentctl.spec.team import Agent, Team
from agentctl.spec.templates import check_templates
from agentctl.spec.wrapped import unwrapped

if TYPE_CHECKING:
    from agentctl.spec.cases import Case

__all__ = ["find_team", "read_team", "team_environ"]

ENV_FILE: Final = ".env"


def team_environ(folder: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """`environ` with what the `.env` beside the team file adds to it; `environ` wins.

    Raises `UsageError` where there is such a file and it cannot be read.
    """
    path = folder / ENV_FILE
    return {**load_env_file(path), **environ} if path.is_file() else dict(environ)


def told_environ(folder: Path, environ: Mapping[str, str], shown: str, report: Report) -> dict[str, str]:
    """As `team_environ`; a file that cannot be read is reported, and left out. `shown` is the team file."""
    try:
        return team_environ(folder, environ)
    except UsageError as error:
        path = str(Path(shown).parent / ENV_FILE)
        start = Span(path=path, line=1, column=1, end_line=1, end_column=1)
        report.sources.setdefault(path, "")
        report.error("unreadable-file", error.message, start, hint=error.hint)
        return dict(environ)


def read_team(
    source: Path | str | bytes,
    *,
    environ: Mapping[str, str],
    report: Report,
    shown: str | None = None,
    folder: Path | None = None,
    models: Mapping[str, str] | None = None,
) -> Team | None:
    """Reads a team: a file, or its text with the `folder` it is taken to stand in.

    `shown` is the path that diagnostics name. `models` are those of the command line, by agent (see
    `with_models`), so that a team without a model can be given one. Where the report has errors the
    team is incomplete; None where there is nothing to go by.
    """
    path = absolute(source) if isinstance(source, Path) else None
    shown = shown or (str(source) if isinstance(source, Path) else "<text>")
    data = _data(source, shown, report)
    if data is None:
        return None
    folder = absolute(folder or (path.parent if path else Path()))
    known = told_environ(folder, environ, shown, report)
    reading = Reading(report=report, environ=known, folder=folder, shown=shown)
    above = (real(path),) if path else ()
    team = _read(data, TeamFile(reading=reading, shown=shown, folder=folder, above=above), models or {})
    if team is not None:
        for rule in RULES:
            rule(team, report)
        check_uses(reading, team)
        check_servers(reading, team)
    return team


def _data(source: Path | str | bytes, shown: str, report: Report) -> bytes | None:
    if isinstance(source, bytes):
        return source
    if isinstance(source, str):
        return source.encode("utf-8", "surrogatepass")
    try:
        return source.read_bytes()
    except OSError as error:
        report.sources[shown] = ""
        start = Span(path=shown, line=1, column=1, end_line=1, end_column=1)
        message = f'"{shown}" cannot be read: {error.strerror}'
        report.error("unreadable-file", message, start, hint="check the path and its permissions")
        return None


def _read(data: bytes, file: TeamFile, models: Mapping[str, str]) -> Team | None:
    root = open_team(data, file.shown, file.reading.environ, file.report)
    if root is None or not is_a_team(root, file.report):
        return None
    root = unwrapped(root, file.report)
    file.reading.documents[file.shown] = root
    root = check_shape(root, document_checker(), file.report)
    file = in_file(root, file)
    inputs = file.reading.inputs = read_inputs(root.get("inputs"), file)
    check_templates(root, file)
    check_texts(root, file)
    agent = read_agent(root, file, None, beside=Beside())
    tests = _cases(root.get("tests"), file, agent)
    team = Team(
        root=agent,
        path=file.shown,
        folder=file.folder,
        inputs=inputs,
        tests=tests,
        models=tuple(file.reading.models),
        documents=file.reading.documents,
    )
    return with_models(team, models) if models else team


def _cases(node: Node | None, file: TeamFile, agent: Agent) -> tuple[Case, ...]:
    if node is None:
        return ()
    from agentctl.spec.read_cases import read_cases

    return read_cases(node, file, [below.name for below in agent.walk()])
