"""Which files `validate` reads: those that are named, and the team files below folders."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from agentctl.errors import UsageError

_TEAM_FILE: Final = "team.yaml"
_SKIPPED: Final = frozenset({"node_modules", "__pycache__", "venv", "site-packages"})


def team_files(stated: Iterable[str]) -> list[str]:
    """Every file once, in the order given, folders searched in order of name."""
    return list(dict.fromkeys(path for item in stated for path in _files(item)))


def _files(stated: str) -> Iterator[str]:
    if not Path(stated).is_dir():
        yield stated
        return
    found = False
    for folder, below, names in os.walk(stated):
        below[:] = sorted(name for name in below if name not in _SKIPPED and not name.startswith("."))
        if _TEAM_FILE in names:
            found = True
            yield str(Path(folder) / _TEAM_FILE)
    if not found:
        raise UsageError(f"no {_TEAM_FILE} in the folder '{stated}' nor below it", hint="name the team file")
