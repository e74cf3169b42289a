"""One process at work on a run: from the records to the run's next end, which is put on record too."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

from agentctl.engine.pause import Paused
from agentctl.engine.recorder import Recorder
from agentctl.engine.run import Run
from agentctl.errors import AgentctlError, JournalError, LimitReached
from agentctl.journal.records import Record
from agentctl.journal.signals import is_taken
from agentctl.jsontypes import Json, JsonObject

_EVERY: Final = 0.25
"""Seconds between looks for signals."""

Command = Callable[[str, Mapping[str, Json], int], str]
"""(step, request, how many are open) → the command line that answers the question. A limit that was reached
is one too: `{kind: limit, more}` asks how to go on, where `more` is the option that raises it."""


async def work(new_run: Callable[[], Run], recorder: Recorder, command: Command) -> Record:
    """The record of how it ended; a cancelled task is an end too: interrupted, or cancelled by a signal."""
    inbox = _Inbox(recorder)
    watch = asyncio.create_task(inbox.watch(asyncio.current_task()))
    try:
        while True:
            run = inbox.run = new_run()
            run.hear = inbox.empty
            try:
                return await _once(run, command)
            except Paused as pause:
                async with inbox.alone:  # no answer may be taken behind the record that lists its question
                    await inbox.take()
                    if not run.people.answered(pause.steps):
                        waiting = run.people.waiting_for(command)
                        return await run.record("run.waiting", data={"waiting_for": waiting})
    except asyncio.CancelledError:
        cancelled = watch.done() and not watch.cancelled() and watch.exception() is None
        return await asyncio.shield(recorder.record("run.cancelled" if cancelled else "run.interrupted"))
    finally:
        watch.cancel()


async def _once(run: Run, command: Command) -> Record:
    try:
        answer = await run.answer()
    except JournalError:
        raise
    except LimitReached as error:
        onward = command("", {"kind": "limit", "more": error.more}, 0)
        told = {**error.as_json(), "command": onward} if onward else error.as_json()
        data: dict[str, Json] = {"error": told}
        if error.answer:
            data["answer"] = error.answer
        return await run.record("run.limit", data=data)
    except AgentctlError as error:
        return await run.record("run.failed", data={"error": error.as_json()})
    answers = answer.answers or {said.agent: said.text for said in answer.said}
    listed: dict[str, Json] = {"answers": answers} if answer.answers or len(answers) > 1 else {}
    left: dict[str, Json] = {"left_out": [*out]} if (out := run.left_out()) else {}
    return await run.record("run.completed", data={**answer.summary(), **listed, **left})


async def take_signals(recorder: Recorder) -> list[Record]:
    """Puts answers of other processes on record; the files go only after that. One whose file would not go
    is not taken twice: by then it might answer another question."""
    taken = []
    for signal in recorder.journal.signals():
        if not is_taken(signal, recorder.journal.records):
            data: JsonObject = {"kind": signal.kind, "value": signal.value, "name": signal.name}
            taken.append(await recorder.record("signal.received", signal.step, data))
        recorder.journal.forget(signal)
    return taken


class _Inbox:
    """What other processes leave for this one; `run` is the pass under way, which is told of answers."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.alone = asyncio.Lock()
        self.run: Run | None = None

    async def empty(self) -> list[Record]:
        async with self.alone:
            return await self.take()

    async def take(self) -> list[Record]:
        """For whoever is alone."""
        taken = await take_signals(self._recorder)
        for record in taken:
            if self.run is not None:
                self.run.took(record)
        return taken

    async def watch(self, worker: asyncio.Task[Record] | None) -> None:
        """Ends when another process asks to cancel, and cancels the work."""
        while True:
            await asyncio.sleep(_EVERY)
            for record in await self.empty():
                if record.data.get("kind") == "cancel" and worker is not None:
                    worker.cancel()
                    return
