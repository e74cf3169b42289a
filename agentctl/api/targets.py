"""Files that a command is told to write: whether they can be written, and hold nothing that must stay."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from agentctl.errors import UsageError
from agentctl.spec.find import TEAM_FILE
from agentctl.spec.looks import head, is_like_a_recording, is_like_a_team, is_test_file

STDOUT: Final = "-"


def check_target(path: str | Path, what: str, *, teams: Iterable[str | Path] = ()) -> None:
    """An earlier output is written over, a team or its tests never; `teams` are files that are known to be
    some, whatever they look like. Raises `UsageError`.
    """
    if str(path) == STDOUT:
        raise UsageError(
            f"cannot write {what} to stdout, where other things go",
            hint="name a file; one that is called so is `./-`",
        )
    file = Path(path)
    place = file if file.exists() else file.parent
    if file.is_dir() or not file.parent.is_dir():
        raise UsageError(f"cannot write {what} to '{path}'", hint="name a file in a folder that exists")
    if not os.access(place, os.W_OK):
        raise UsageError(
            f"cannot write {what} to '{path}': '{place}' is not writable", hint="name a file somewhere else"
        )
    if not file.is_file():
        return
    known = file.name == TEAM_FILE or any(Path(team).exists() and file.samefile(team) for team in teams)
    if known or is_like_a_team(head(file)):
        raise _kept(path, what, "a team file")
    if is_test_file(file):
        raise _kept(path, what, "a file of tests")


def check_recording(path: str | Path, *, team: str | Path) -> None:
    """An earlier recording is replaced, and no other file. Raises `UsageError`."""
    check_target(path, "the recording", teams=[team])
    file = Path(path)
    if file.is_file() and file.stat().st_size and not is_like_a_recording(head(file)):
        raise _kept(path, "the recording", "a file that is no recording")


def _kept(path: str | Path, what: str, held: str) -> UsageError:
    return UsageError(
        f"cannot write {what} to '{path}': there is {held}",
        hint="name another file, or remove this one first",
    )
