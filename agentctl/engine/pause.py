"""The run, or a branch of it, pauses: its open questions are on record and nothing else is left to do."""

from __future__ import annotations

from collections.abc import Iterable


class Paused(BaseException):
    """Ends the way up to whoever has other work to wait for; a BaseException, so that no strategy takes it
    for a failure. `steps` are those of the open questions."""

    def __init__(self, steps: Iterable[str] = ()) -> None:
        super().__init__()
        self.steps = frozenset(steps)
