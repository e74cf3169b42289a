"""Step paths: a step's place in the team's work, from which its record is found again."""

from __future__ import annotations

import re
from typing import Final

_ATTEMPT: Final = re.compile(r"~[0-9]+(?=/|$)")
_OWN_ATTEMPT: Final = re.compile(r"~[0-9]+$")
_LAST: Final = re.compile(r"(/plan-[0-9]+)?/[^/]*$|^[^/]*$")


def attempt_path(base: str, attempt: int) -> str:
    """The path of the n-th attempt of a delegation; the first has no mark."""
    return base if attempt == 1 else f"{base}~{attempt}"


def base_path(execution: str) -> str:
    """The path of a delegation, whichever of its attempts this is."""
    return _OWN_ATTEMPT.sub("", execution)


def any_attempt(path: str) -> str:
    """The path without the marks of attempts: the same for every attempt of one call."""
    return _ATTEMPT.sub("", path)


def parent(execution: str) -> str:
    """The execution that delegated to this one; empty for the root. Only for ids of executions."""
    return _LAST.sub("", execution)
