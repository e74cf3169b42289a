"""What is missing to run here, or to run a team: packages, keys, programs, a place to write. Asks no model.

Sources of settings come with the call; a value of a key is looked at only to see whether there is one.
"""

from __future__ import annotations

import os
import platform
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Final

from agentctl.api.equip import require_known
from agentctl.api.examine_team import team_findings, team_settings
from agentctl.api.findings import Diagnosis, Finding, Setting
from agentctl.api.looking import as_path
from agentctl.journal.finding import PLACE, find_runs_dir
from agentctl.models.providers import PROVIDERS

_OLDEST: Final = (3, 11)
_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")


def examine(
    team: str | Path | None = None,
    *,
    runs_dir: str | Path | None = None,
    models: Mapping[str, str] | None = None,
    limits: Mapping[str, tuple[float, str]] | None = None,
) -> Diagnosis:
    """Looks at this machine and, where there is one, at a team.

    `models` are those of the command line, by agent; `limits` gives (value, where it comes from) by
    `cost_usd` and `time`. Raises UsageError where there is no such team file or model.
    """
    require_known(models or {})
    folder = find_runs_dir(Path.cwd(), as_path(runs_dir), os.environ, creating=True)
    findings = [_python(), *_packages(), _runs(folder)]
    settings = [Setting(name="runs", value=str(folder), source=_runs_source(runs_dir))]
    if team is None:
        findings += _keys()
    else:
        findings += team_findings(team, models or {})
        settings += team_settings(team, models or {}, limits or {})
    return Diagnosis(findings=tuple(findings), settings=tuple(settings))


def _python() -> Finding:
    found = f"Python {platform.python_version()} at {sys.executable}"
    if sys.version_info[:2] >= _OLDEST:
        return Finding(about="python", message=found)
    needed = ".".join(map(str, _OLDEST))
    return Finding(
        about="python", state="missing", message=f"{found} is too old", mend=f"install Python {needed}"
    )


def _packages() -> Iterator[Finding]:
    """Those that agentctl requires, and the one that only teams with servers need."""
    there = [f"agentctl {_version('agentctl') or 'from a source tree'}"]
    for stated in _required():
        name = _NAME.match(stated)
        found = _version(name[0]) if name else None
        if name and found is not None:
            there.append(f"{name[0]} {found}")
        elif name:
            yield _lacking(name[0], stated)
    yield Finding(about="package", message=", ".join(there))


def _lacking(name: str, stated: str) -> Finding:
    mend = f"pip install '{stated.partition(';')[0].strip()}'"
    message = f"the package '{name}' is not installed"
    if "extra ==" not in stated:
        return Finding(about="package", state="missing", message=message, mend=mend)
    optional = f"{message}; only teams with `mcp_servers` need it"
    return Finding(about="package", state="note", message=optional, mend=mend)


def _required() -> list[str]:
    try:
        return requires("agentctl") or []
    except PackageNotFoundError:
        return []


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _runs(folder: Path) -> Finding:
    """By writing a file that is gone at once: permissions alone tell nothing of full or read-only disks."""
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"x")
    except OSError as error:
        return Finding(
            about="runs",
            state="missing",
            message=f"runs cannot be written to '{folder}': {error.strerror}",
            mend='export AGENTCTL_RUNS_DIR="$HOME/.agentctl/runs"',
        )
    return Finding(about="runs", message=f"runs can be written to '{folder}'")


def _runs_source(runs_dir: str | Path | None) -> str:
    if runs_dir is not None:
        return "--runs-dir"
    return "AGENTCTL_RUNS_DIR" if os.environ.get("AGENTCTL_RUNS_DIR") else f"default ({PLACE} here)"


def _keys() -> Iterator[Finding]:
    """Which providers there are keys for, since without a team nobody can say which is needed."""
    found = False
    for name, reached in PROVIDERS.items():
        group = next((keys for keys in reached.keys if all(os.environ.get(key) for key in keys)), None)
        if group is not None:
            found = True
            yield Finding(about="key", message=f"{' and '.join(group)} of '{name}' set")
    if not found:
        yield Finding(
            about="key",
            state="note",
            message="no key of a language model is set: teams run with the model `offline` alone",
            mend="export OPENAI_API_KEY=…",
        )
