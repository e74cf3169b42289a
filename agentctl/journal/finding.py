"""Where runs are kept, what they are called, and which one a person means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from agentctl.diagnostics import nearest
from agentctl.errors import RunNotFound, UsageError

PLACE: Final = Path(".agentctl") / "runs"
_RUN_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_SHOWN: Final = 10
_ALIKE: Final = 0.75
"""How near another id must be to be meant: ids share their form, and so some of their letters."""


def valid_run_id(run_id: str) -> bool:
    return _RUN_ID.fullmatch(run_id) is not None


def make_run_id(team: str, now: datetime, entropy: int) -> str:
    """Sorts by time and is easy to say: `20261129-131502-support-k3f9`, in UTC."""
    letters = ""
    for _ in range(4):
        entropy, index = divmod(entropy, len(_LETTERS))
        letters += _LETTERS[index]
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", team)[:60]
    return f"{now.astimezone(UTC):%Y%m%d-%H%M%S}-{name}-{letters}"


def find_runs_dir(
    start: Path, explicit: Path | None, environ: Mapping[str, str], *, creating: bool = False
) -> Path:
    """The folder of runs: as given, as `AGENTCTL_RUNS_DIR` says, else `.agentctl/runs`.

    That is looked for in `start` and its parents; a new run, and one that is nowhere, goes to `start`.
    """
    if explicit is not None:
        return start / explicit.expanduser()
    named = environ.get("AGENTCTL_RUNS_DIR")
    if named:
        return start / Path(named).expanduser()
    if not creating:
        for folder in (start, *start.absolute().parents):
            if (folder / PLACE).is_dir():
                return folder / PLACE
    return start / PLACE


def list_runs(runs_dir: Path) -> list[Path]:
    """Every run directory there, by name; also one that may not be looked into, so that it can be named.
    Raises `UsageError` where the folder of runs cannot be read."""
    try:
        paths = sorted(runs_dir.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UsageError(
            f'"{runs_dir}" cannot be read: {error.strerror}', hint="name another folder with --runs-dir"
        ) from error
    return [path for path in paths if valid_run_id(path.name) and _is_run(path)]


def _is_run(path: Path) -> bool:
    try:
        return (path / "run.json").exists()
    except OSError:
        return path.is_dir()


def bytes_in(folder: Path) -> int:
    """What its files hold; one that goes away meanwhile counts nothing."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total


def left_over(runs_dir: Path, before: float) -> list[Path]:
    """What killed processes left of runs they were making or removing, untouched since that Unix time."""
    found = []
    for pattern in (".new-*", ".removed-*"):
        for path in runs_dir.glob(pattern):
            with suppress(OSError):
                if path.stat().st_mtime < before:
                    found.append(path)
    return found


def find_run(runs_dir: Path, id_or_prefix: str) -> Path:
    """The run of that id, or the only one whose id begins so. Raises `RunNotFound`."""
    names = [path.name for path in list_runs(runs_dir)]
    if id_or_prefix in names:
        return runs_dir / id_or_prefix
    matching = [name for name in names if id_or_prefix and name.startswith(id_or_prefix)]
    if len(matching) == 1:
        return runs_dir / matching[0]
    if matching:
        newest = sorted(matching, reverse=True)[:_SHOWN]
        listed = "".join(f"\n  {name}" for name in newest) + ("\n  …" if len(matching) > _SHOWN else "")
        raise RunNotFound(
            f'"{id_or_prefix}" begins the id of {len(matching)} runs:{listed}', hint="give more of the id"
        )
    near = nearest(id_or_prefix, names, cutoff=_ALIKE)
    raise RunNotFound(
        f'there is no run "{id_or_prefix}" in "{runs_dir}"',
        hint=f'did you mean "{near}"?' if near else "list the runs with: agentctl runs",
    )
