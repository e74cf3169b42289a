"""Branches at once of which some wait for people: one that is answered goes on while others still work."""

from __future__ import annotations

from agentctl.engine.pause import Paused
from agentctl.engine.people import People


class Resting:
    """Counts the branches of one gathering that are still at work."""

    def __init__(self, people: People, branches: int) -> None:
        self._people = people
        self._working = branches

    def ended(self) -> None:
        """A branch has its outcome."""
        self._stops()

    async def answered(self, pause: Paused) -> bool:
        """For a branch that paused: True as soon as one of its questions has an answer, and it works again;
        False when no other branch is at work any more."""
        self._stops()
        while not self._people.answered(pause.steps):
            if self._working == 0:
                return False
            await self._people.bell.heard()
        self._working += 1
        return True

    def _stops(self) -> None:
        self._working -= 1
        if self._working == 0:
            self._people.bell.ring()
