"""A run that is told event by event: a listener turned into an async generator."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine

from agentctl.api.events import Event, Reader
from agentctl.journal.summary import RunView
from agentctl.jsontypes import JsonObject

Start = Callable[[Callable[[JsonObject], None]], Coroutine[None, None, RunView]]


async def streamed(start: Start) -> AsyncGenerator[Event, None]:
    """The events of the run that `start` gives for a listener, the last a `RunFinished`.

    Closed before that, it interrupts the run and waits until that is on record. Raises what the run raises.
    """
    told: asyncio.Queue[JsonObject | None] = asyncio.Queue()
    reader = Reader()
    run = asyncio.ensure_future(start(told.put_nowait))
    run.add_done_callback(lambda _: told.put_nowait(None))
    try:
        while (event := await told.get()) is not None:
            if event.get("ev") != "run.finished":  # told once the whole result is there
                yield reader.read(event)
        yield reader.finished(await run)
    finally:
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
