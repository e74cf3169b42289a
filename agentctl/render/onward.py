"""Commands within a text, so that they find the runs where the command that prints them has found them."""

from __future__ import annotations

import re
import shlex
from typing import Final

_COMMAND: Final = re.compile(
    r"\bagentctl (?:(?:resume|show|cancel) [A-Za-z0-9][A-Za-z0-9._-]*+|runs\b(?: (?:rm|prune)\b)?+)"
    r"(?! --runs-dir)"
)


def in_place(text: str, runs_dir: str | None) -> str:
    """The text with `--runs-dir` in every command about runs that does not say where they are."""
    if runs_dir is None:
        return text
    where = f" --runs-dir {shlex.quote(runs_dir)}"
    return _COMMAND.sub(lambda found: found[0] + where, text)
