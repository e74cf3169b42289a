"""Which files `validate` and `test` read: those that are named, and the team files below folders."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from agentctl.errors import UsageError
from agentctl.spec.likeness import may_be_a_team
from agentctl.spec.looks import head, is_test_file
from agentctl.spec.reply_kinds import file_kind
from agentctl.spec.test_files import team_of

_TEAM_FILE: Final = "team.yaml"
_ENDINGS: Final = (".yaml", ".yml")
_SKIPPED: Final = frozenset({"node_modules", "__pycache__", "venv", "site-packages"})
_MARKS: Final = ("pyvenv.cfg", "journal.jsonl")
"""What stands in a Python environment and in the directory of a run, whose files are not the author's."""
_NAMED: Final = 5
_INCLUDED: Final = re.compile(r"\bfile[\"']?\s*:\s*[\"']?([^\s\"',{}\[\]#]+\.ya?ml)\b")


def team_files(stated: Iterable[str]) -> list[str]:
    """Every file once, in the order given; below folders all that are taken for team files or their tests.

    That is what is called `team.yaml`, what may be meant as a team by the keys at its top, and tests whose
    team is none of those. A file that another one of them includes is read with it, and so are scripts.
    """
    return list(dict.fromkeys(path for item in stated for path in _validated(item)))


def _validated(stated: str) -> list[str]:
    if not Path(stated).is_dir():
        return [stated]
    texts = {path: text for path in _yaml_files(stated) if (text := _team_text(path)) is not None}
    included = {place for path, text in texts.items() for place in _includes(path, text)}
    teams = [path for path in texts if path.name == _TEAM_FILE or os.path.realpath(path) not in included]
    tested = {os.path.realpath(path) for path in teams}
    alone = [path for path in _yaml_files(stated) if is_test_file(path) and _has_no_team(path, tested)]
    if not teams and not alone:
        others = ", ".join(os.path.normpath(path) for path in islice(_yaml_files(stated), _NAMED))
        hint = f"name the team file; passed over: {others}" if others else "name the team file"
        raise UsageError(f'no team file in the folder "{stated}" nor below it', hint=hint)
    return [str(path) for path in sorted((*teams, *alone))]


def searched(stated: Iterable[str], read: Iterable[str]) -> tuple[list[str], list[str]]:
    """The YAML files below the folders among `stated`: those that were `read`, and those passed over."""
    known = {os.path.realpath(path) for path in read}
    below = [path for item in stated if Path(item).is_dir() for path in _yaml_files(item)]
    unread = [str(path) for path in below if os.path.realpath(path) not in known]
    found = [str(path) for path in below if os.path.realpath(path) in known]
    return list(dict.fromkeys(found)), list(dict.fromkeys(unread))


def _yaml_files(folder: str) -> Iterator[Path]:
    for place, names in _walk(folder):
        yield from (place / name for name in names if name.endswith(_ENDINGS))


def _walk(folder: str) -> Iterator[tuple[Path, list[str]]]:
    for place, below, names in os.walk(folder):
        below[:] = sorted(name for name in below if name not in _SKIPPED and not name.startswith("."))
        if place != folder and any(mark in names for mark in _MARKS):
            below.clear()
            continue
        yield Path(place), sorted(names)


def _team_text(path: Path) -> str | None:
    """The text of what looks like a team file. What cannot be read is told only where it is called so."""
    if is_test_file(path):
        return None
    text = head(path)
    if path.name != _TEAM_FILE and not (may_be_a_team(text) and file_kind(path) is None):
        return None
    return text


def _includes(path: Path, text: str) -> Iterator[str]:
    yield from (os.path.realpath(path.parent / found[1]) for found in _INCLUDED.finditer(text))


def _has_no_team(path: Path, tested: set[str]) -> bool:
    return os.path.realpath(team_of(path)) not in tested


def test_targets(stated: Iterable[str]) -> list[str]:
    """Every file once; below folders each `team.yaml`, and the test files whose team has another name."""
    found: list[str] = []
    for item in stated:
        if not Path(item).is_dir():
            found.append(item)
            continue
        below = list(_tested(item))
        if not below:
            message = f'no {_TEAM_FILE} in the folder "{item}" nor below it'
            raise UsageError(message, hint="name the team file")
        found += below
    return list(dict.fromkeys(found))


def _tested(folder: str) -> Iterator[str]:
    alone: list[str] = []
    for place, names in _walk(folder):
        if _TEAM_FILE in names:
            yield str(place / _TEAM_FILE)
        tests = [place / name for name in names if is_test_file(place / name)]
        alone += [str(path) for path in tests if team_of(path).name != _TEAM_FILE]
    yield from alone
