"""Which turns of scripts no test has taken: an error once every test that names the script has run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from agentctl.api.rehearsal import script_files
from agentctl.models.script import UnusedTurn
from agentctl.testing.results import Failure, Item


class ScriptUse:
    """Built from all the cases there are, chosen or not."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._waiting: dict[str, set[str]] = {}
        self._unused: dict[str, list[UnusedTurn]] = {}
        for item in items:
            for file in script_files(item.team):
                self._waiting.setdefault(file, set()).add(item.name)

    def ran(self, item: Item, unused: Mapping[str, Sequence[UnusedTurn]]) -> list[Failure]:
        """The failures of the last test of a script: the turns that neither it nor another has taken."""
        failures = []
        for file, turns in unused.items():
            left = self._unused.get(file)
            self._unused[file] = list(turns) if left is None else [turn for turn in left if turn in turns]
            waiting = self._waiting.get(file, set())
            waiting.discard(item.name)
            if not waiting and self._unused[file]:
                failures.append(_failure(file, self._unused[file]))
        return failures


def _failure(file: str, turns: Sequence[UnusedTurn]) -> Failure:
    listed = [f"line {turn.line}: turn {turn.index} of {turn.agent}" for turn in turns]
    return Failure(
        what="script",
        expected=f"every turn of {Path(file).name} is used",
        actual=[f"unused: {each}" for each in listed],
        note="take the turn out, or let a test come to it",
    )
