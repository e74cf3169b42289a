"""Delegations that need one another's answers, each started as soon as what it needs is done.

Which of them run depends on outcomes alone, never on which came first: after a failure all that does not
need the failed one still runs. So a resume comes to the same end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence

from agentctl.engine.pause import Paused
from agentctl.engine.steps import Delegation, Done, Failed, Outcome, Steps
from agentctl.errors import AgentctlError


async def run_graph(
    needs: Mapping[str, Sequence[str]],
    delegation: Callable[[str], Delegation],
    outcomes: dict[str, Outcome],
    steps: Steps,
    limit: int | None = None,
) -> None:
    """Puts every outcome into `outcomes`; what is left out needed one that failed.

    `needs` holds no cycle and names only its own keys; `delegation` is asked when all needs are done.
    """
    room = asyncio.Semaphore(limit or max(1, len(needs)))
    ended = {name: asyncio.Event() for name in needs}
    stopped: list[AgentctlError | Paused] = []

    async def one(name: str) -> None:
        for need in needs[name]:
            await ended[need].wait()
        if all(isinstance(outcomes.get(need), Done) for need in needs[name]):
            async with room:
                try:
                    [outcomes[name]] = await steps.gather([delegation(name)])
                except (AgentctlError, Paused) as stop:
                    stopped.append(stop)
        ended[name].set()

    async with asyncio.TaskGroup() as group:
        for name in needs:
            group.create_task(one(name))
    for stop in sorted(stopped, key=lambda stop: isinstance(stop, Paused)):
        raise stop


def needed_by(name: str, needs: Mapping[str, Sequence[str]]) -> set[str]:
    """All that `name` needs, directly or not."""
    found: set[str] = set()
    open_ = [*needs[name]]
    while open_:
        need = open_.pop()
        if need not in found:
            found.add(need)
            open_ += needs[need]
    return found


def raise_first(outcomes: Mapping[str, Outcome], order: Iterable[str]) -> None:
    """Raises the first failure in that order, if there is one."""
    for name in order:
        outcome = outcomes.get(name)
        if isinstance(outcome, Failed):
            raise outcome.error
