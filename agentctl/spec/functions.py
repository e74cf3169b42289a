"""Functions and script files named in a team file, each with the folder where its resolution begins.

A path may say that folder itself: in `./sub/./tools.py:lookup` it is `./sub`. A resolved team is written
so, since what an included file names begins in that file's folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, TypeAlias

from agentctl.document.nodes import Node
from agentctl.spec.reading import TeamFile
from agentctl.spec.settings import FunctionRef, is_file
from agentctl.spec.strategies import Manual, RoundRobin, Router, Sequential, Strategy
from agentctl.spec.team import Team
from agentctl.spec.values import text

FunctionPlace: TypeAlias = Literal["by", "choose", "stop_if", "when", "guardrail", "tool guardrail"]
_FUNCTION: Final = re.compile(
    r"(?P<where>\w+(\.\w+)*|[^\n]*[/\\][^\n]*|[^\n]*\.py):(?P<name>[^\W\d]\w*(\.[^\W\d]\w*)*)"
)
_ANCHOR: Final = "/./"


def read_function(node: Node | None, file: TeamFile) -> FunctionRef | None:
    """`module:function`, or `./file.py:function` relative to the file."""
    written = text(node)
    if node is None or written is None or not _FUNCTION.fullmatch(written):
        return None
    folder, target = split_folder(written, file.folder)
    if is_file(target.rpartition(":")[0]) and not target.startswith((".", "/")):
        target = f"./{target}"
    return FunctionRef(target=target, folder=folder, span=node.span, pointer=node.pointer)


def split_folder(written: str, folder: Path) -> tuple[Path, str]:
    """The folder where the resolution of `written` begins, and what is left of it."""
    place, anchor, rest = written.rpartition(_ANCHOR)
    return (Path(os.path.normpath(folder / place)), rest) if anchor else (folder, written)


def joined_folder(target: str, folder: Path, team_folder: Path) -> str:
    """`target`, which begins in `folder`, as it is written in a file of `team_folder`."""
    if folder == team_folder:
        return target
    try:
        place = Path(os.path.relpath(folder, team_folder)).as_posix()
    except ValueError:  # on Windows, another drive
        place = folder.as_posix()
    place = place if place.startswith((".", "/")) else f"./{place}"
    return f"{place}{_ANCHOR}{target.removeprefix('./')}"


def all_functions(team: Team) -> list[FunctionRef]:
    """What a team names in Python and is no tool: `named_functions`, and the classes of `output`."""
    classes = (agent.output for agent in team.agents() if isinstance(agent.output, FunctionRef))
    return [*(ref for _, ref in named_functions(team)), *classes]


def named_functions(team: Team) -> Iterator[tuple[FunctionPlace, FunctionRef]]:
    """Each function that a team names and that is no tool, with the place that will call it."""
    for agent in team.agents():
        approvals = (entry.approve for entries in (agent.tools, agent.mcp_tools) for entry in entries)
        yield from (("when", told) for told in approvals if isinstance(told, FunctionRef))
        for rail in agent.guardrails:
            if rail.function is not None:
                yield "tool guardrail" if rail.on == "tool" else "guardrail", rail.function
        if agent.strategy is not None:
            yield from _of_strategy(agent.strategy)


def _of_strategy(strategy: Strategy) -> Iterator[tuple[FunctionPlace, FunctionRef]]:
    match strategy:
        case Router(by=FunctionRef() as function):
            yield "by", function
        case Manual(choose=FunctionRef() as function):
            yield "choose", function
        case Sequential(stop_if=stop_if) | RoundRobin(stop_if=stop_if):
            if stop_if is not None and stop_if.function is not None:
                yield "stop_if", stop_if.function
        case _:
            pass
