"""Which turns of scripts no test has taken: an error once every test that names the script has run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from agentctl.api.rehearsal import script_files
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text, to_json
from agentctl.models.script import UnusedTurn
from agentctl.testing.results import Failure, Item


class ScriptUse:
    """Knows all the cases there are, chosen or not."""

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._waiting: dict[str, set[str]] = {}
        self._unused: dict[str, list[UnusedTurn]] = {}
        self.expect(items)

    def expect(self, items: Iterable[Item]) -> None:
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

    def as_json(self) -> JsonObject:
        """What one of several processes knows: by file, the cases that it has not run and the turns left."""
        return {
            file: {"waiting": sorted(self._waiting.get(file, ())), "unused": to_json(turns)}
            for file, turns in self._unused.items()
        }


def shared_use(told: Sequence[JsonObject]) -> list[Failure]:
    """The failures of scripts whose cases were run by several processes, each of which tells its part."""
    failures = []
    for file in dict.fromkeys(file for one in told for file in one):
        parts = [as_object(one[file]) for one in told if file in one]
        waiting = [set(map(as_text, as_list(part.get("waiting")))) for part in parts]
        turns = [set(map(_turn, as_list(part.get("unused")))) for part in parts]
        left = sorted(set.intersection(*turns), key=lambda turn: turn.line)
        if left and all(waiting) and not set.intersection(*waiting):
            failures.append(_failure(file, left))
    return failures


def _turn(value: Json) -> UnusedTurn:
    found = as_object(value)
    index, line = found.get("index"), found.get("line")
    assert isinstance(index, int), found
    assert isinstance(line, int), found
    return UnusedTurn(agent=as_text(found.get("agent")), index=index, line=line)


def _failure(file: str, turns: Sequence[UnusedTurn]) -> Failure:
    listed = [f"line {turn.line}: turn {turn.index} of {turn.agent}" for turn in turns]
    return Failure(
        what="script",
        expected=f"every turn of {Path(file).name} is used",
        actual=[f"unused: {each}" for each in listed],
        note="take the turn out, or let a test come to it",
    )
