"""All chosen cases run, several at once, with their results in the order of the files."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from agentctl.testing.choose import chosen
from agentctl.testing.results import Item, Result, Summary
from agentctl.testing.run_case import run_case
from agentctl.testing.script_use import ScriptUse
from agentctl.testing.sessions import session


async def run_all(
    items: Sequence[Item],
    *,
    expression: str = "",
    parallel: int = 4,
    folder: Path,
    on_result: Callable[[Result], None] = lambda _: None,
) -> Summary:
    """Runs of failing cases are kept below `folder`, in place of those of earlier tests.

    `on_result` is told each result as soon as all before it are there. Cancelled, it gives what there is.
    """
    began = time.monotonic()
    picked = chosen(items, expression)
    use = ScriptUse(items)
    room = asyncio.Semaphore(max(1, parallel))

    async def one(item: Item) -> Result:
        async with room:
            return await run_case(item, use.ran, keep_in=folder)

    results: list[Result] = []
    interrupted = False
    with session(folder):
        tasks = [asyncio.create_task(one(item)) for item in picked]
        try:
            for task in tasks:
                results.append(await task)
                on_result(results[-1])
        except asyncio.CancelledError:
            interrupted = True
            for task in tasks[len(results) :]:
                if task.done() and not task.cancelled() and task.exception() is None:
                    results.append(task.result())
                    on_result(results[-1])
        finally:
            for task in tasks:
                task.cancel()
    return Summary(
        results=results,
        deselected=len(items) - len(picked),
        unfinished=len(picked) - len(results),
        interrupted=interrupted,
        seconds=time.monotonic() - began,
    )
