"""Scripts and recordings that stand in for models: every mistake at its place in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from agentctl.checks.asked_models import asked_models
from agentctl.checks.checked import Checked
from agentctl.diagnostics import Diagnostic, Report, Span, nearest, nearest_file
from agentctl.document.nodes import Object, Scalar
from agentctl.document.read import read_document
from agentctl.errors import UsageError
from agentctl.regexes import regex_hint, regex_problem
from agentctl.spec.cases import Case, Named
from agentctl.spec.models import FILES
from agentctl.spec.paths import real
from agentctl.spec.team import Team
from agentctl.spec.values import items, member

_EVERY: Final = "*"
_HOLDS: Final = {"script": "agents", "recording": "recording"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """A file of replies; `shown` is its path as a person is shown it."""

    path: Path
    shown: str
    kind: Literal["script", "recording"]


def reply_files(checked: Checked, report: Report) -> None:
    """Those of the team's own models; one that is missing is told with the models."""
    named = (
        _file(model, settings.folder, checked.team)
        for settings in asked_models(checked.team.agents())
        for model in (settings.id, *settings.fallbacks)
        if model.startswith(FILES)
    )
    _check(named, checked.team, report)


def case_files(cases: Iterable[Case], team: Team, report: Report) -> None:
    """Those of a team's tests."""
    found: list[_File] = []
    for case in cases:
        for named in case.files:
            file = _file(named.name, case.folder, team)
            found.append(file)
            if not file.path.is_file():
                _tell_missing(named, file, report)
    _check(found, team, report)


def _file(model: str, folder: Path, team: Team) -> _File:
    kind, _, name = model.partition(":")
    path = folder / name
    try:
        below = os.path.relpath(path, team.folder)
    except ValueError:  # on Windows, another drive
        below = str(path)
    shown = os.path.normpath(Path(team.path).parent / below).replace(os.sep, "/")
    return _File(path=path, shown=shown, kind="script" if kind == "script" else "recording")


def _tell_missing(named: Named, file: _File, report: Report) -> None:
    folder = file.path.parent
    near = nearest_file(file.path.name, [each.name for each in folder.glob("*.yaml")])
    named_so = named.name[: len(named.name) - len(file.path.name)]
    hint = f'did you mean "{named_so}{near}"?' if near else f'a {file.kind} is looked for from "{folder}"'
    message = f'there is no {file.kind} "{file.shown}"'
    report.error("model-script", message, named.span, hint=hint, pointer=named.pointer)


def _check(files: Iterable[_File], team: Team, report: Report) -> None:
    """Each once, whoever names it."""
    agents = [agent.name for agent in team.agents()]
    for file in {real(file.path): file for file in files if file.path.is_file()}.values():
        root = _root(file, report)
        if root is not None and file.kind == "script":
            _check_agents(root, agents, report)


def _root(file: _File, report: Report) -> Object | None:
    from agentctl.jsonschemas import Checker
    from agentctl.schemafiles import schema
    from agentctl.spec.shape import check_shape

    own = Report()
    try:
        document = read_document(file.path.read_bytes(), path=file.shown, report=own)
    except OSError as error:
        message = f'the {file.kind} "{file.shown}" cannot be read: {error.strerror}'
        _at_start(file, message, "make it a readable file", report)
        return None
    root = document.root if document is not None and isinstance(document.root, Object) else None
    if root is not None:
        root = check_shape(root, Checker(schema(file.kind)), own, what=file.kind)
        _check_regexes(root, own)
    report.sources.update(own.sources)
    report.found += [_in_own_words(found, file) for found in own.found]
    if not own.errors:
        _try(file, report)
    return root


def _in_own_words(found: Diagnostic, file: _File) -> Diagnostic:
    """What is said of a file without keys speaks of teams."""
    if found.code not in ("yaml-empty", "yaml-root"):
        return found
    return replace(
        found,
        message=found.message.replace("no team", f"no {file.kind}").replace("a team", f"a {file.kind}"),
        hint=f"begin with `{_HOLDS[file.kind]}:`",
    )


def _try(file: _File, report: Report) -> None:
    """Whatever else the reader refuses."""
    from agentctl.models.recording_file import read_recording
    from agentctl.models.script_file import read_script

    try:
        (read_script if file.kind == "script" else read_recording)(file.path, shown=file.shown)
    except UsageError as error:
        _at_start(file, " ".join(error.message.split()), error.hint or "", report)


def _at_start(file: _File, message: str, hint: str, report: Report) -> None:
    report.sources.setdefault(file.shown, "")
    start = Span(path=file.shown, line=1, column=1, end_line=1, end_column=1)
    report.error("model-script", message, start, hint=hint)


def _check_regexes(root: Object, report: Report) -> None:
    for pattern in _regexes(root):
        written = str(pattern.value)
        wrong = regex_problem(written)
        if wrong is not None:
            message, hint = f'"{written}" {wrong}', regex_hint(written)
            report.error("wrong-regex", message, pattern.span, hint=hint, pointer=pattern.pointer)


def _regexes(root: Object) -> Iterator[Scalar]:
    agents = root.get("agents")
    for entry in agents.entries if isinstance(agents, Object) else ():
        for turn in items(entry.value):
            regex = member(member(turn, "when"), "regex")
            if isinstance(regex, Scalar) and isinstance(regex.value, str):
                yield regex


def _check_agents(root: Object, known: list[str], report: Report) -> None:
    """A script may serve several teams, so that an agent of none here is only a warning."""
    agents = root.get("agents")
    for entry in agents.entries if isinstance(agents, Object) and all(known) else ():
        if entry.key == _EVERY or entry.key in known:
            continue
        near = nearest(entry.key, known)
        hint = f'did you mean "{near}"?' if near else f"the agents: {', '.join(known)}"
        message = f'the team has no agent "{entry.key}", so that nobody asks for these replies'
        report.warning("unknown-agent", message, entry.key_span, hint=hint, pointer=entry.value.pointer)
