"""Names of a server's tools as providers take them: at most 64 letters, digits, `_` and `-`, none twice."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from agentctl.jsontypes import digest

_LONGEST: Final = 64
_MARK: Final = 8
_RESERVED: Final = "transfer_to_"


def offered_name(tool: str, server: str, taken: Collection[str]) -> str:
    """The tool's own name where it fits and is free; else with the server's name before it.

    What had to be changed so much that two could meet ends with a hash of what it was.
    """
    name = _fitted(tool)
    if name in taken or name.startswith(_RESERVED):
        name = _fitted(f"{server}_{tool}")
    wanted, meant = name, f"{server}/{tool}"
    while name in taken:
        name, meant = _marked(wanted, meant), f"{meant}/"
    return name


def _fitted(text: str) -> str:
    name = re.sub(r"[^A-Za-z0-9_-]", "_", text)
    if not re.match(r"[A-Za-z_]", name):
        name = f"_{name}"
    return name if len(name) <= _LONGEST else _marked(name, text)


def _marked(name: str, text: str) -> str:
    return f"{name[: _LONGEST - _MARK - 1]}_{digest(text)[:_MARK]}"
