"""Which files `validate` and `test` read: those that are named, and the team files below folders."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from agentctl.errors import UsageError
from agentctl.spec.test_files import is_test_file, team_of

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


def test_targets(stated: Iterable[str]) -> list[str]:
    """As `team_files`, with the test files below folders whose team is none of those."""
    found: list[str] = []
    for item in stated:
        alone = list(_test_files(item)) if Path(item).is_dir() else []
        try:
            found += _files(item)
        except UsageError:
            if not alone:
                raise
        found += alone
    return list(dict.fromkeys(found))


def _test_files(folder: str) -> Iterator[str]:
    """Test files of teams that have another name than `team.yaml`."""
    for place, below, names in os.walk(folder):
        below[:] = sorted(name for name in below if name not in _SKIPPED and not name.startswith("."))
        for path in (Path(place) / name for name in sorted(names)):
            if is_test_file(path) and team_of(path).name != _TEAM_FILE:
                yield str(path)
