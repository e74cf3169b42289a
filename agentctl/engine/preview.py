"""A pass over a run that does nothing: which recorded steps a revised run keeps, and which it does again.

It goes over the records with the team as it is to be; whatever would have to be done pauses its branch.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from agentctl.engine.functions import Place, Result, StepFunction, World
from agentctl.engine.pause import Paused
from agentctl.engine.recorder import Recorder
from agentctl.engine.revisions import REVISION
from agentctl.engine.run import Order, Run
from agentctl.engine.steps import Call
from agentctl.errors import AgentctlError
from agentctl.journal.memory import MemoryJournal
from agentctl.journal.records import Record
from agentctl.jsontypes import Json, JsonObject, as_text

_DONE: Final = (
    "model.completed",
    "tool.completed",
    "tool.skipped",
    "function.completed",
    "guardrail.completed",
    "listing.completed",
    "draw.completed",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Steps by what becomes of them, each in the order of the records.

    `again` are asked something else than is on record; `follow` stand behind those and run again where
    the work still comes to them; `gone` are of agents that the team has no more; `new` were never done.
    `questions` are open ones for people.
    """

    kept: tuple[str, ...]
    again: tuple[str, ...]
    follow: tuple[str, ...]
    gone: tuple[str, ...]
    new: tuple[str, ...]
    questions: tuple[str, ...]

    def as_json(self) -> JsonObject:
        return {
            "kept": list(self.kept),
            "again": list(self.again),
            "follow": list(self.follow),
            "gone": list(self.gone),
            "new": list(self.new),
            "questions": list(self.questions),
        }


async def preview(
    order: Order, world: World, records: Sequence[Record], revisions: Sequence[tuple[str, JsonObject]]
) -> Preview:
    """`revisions` are (step, data) of what is to be recorded behind `records`."""
    done = list(dict.fromkeys(record.step for record in records if record.ev in _DONE))
    recorder = Recorder(MemoryJournal(records=records))
    for step, data in revisions:
        await recorder.record(REVISION, step, data)
    run = _Pretence(order, world, recorder)
    with suppress(AgentctlError, Paused):  # how far it comes is all that is asked
        await run.answer()
    met = {*run.stands, *run.due}
    return Preview(
        kept=tuple(step for step in done if step in run.stands),
        again=tuple(step for step in done if step in run.due),
        follow=tuple(step for step in done if step not in met and not run.is_gone(step)),
        gone=tuple(step for step in done if step not in met and run.is_gone(step)),
        new=tuple(step for step in run.due if step not in done),
        questions=tuple(run.people.open),
    )


class _Pretence(Run):
    """`stands` are the steps whose record holds, `due` those that would be done, in order."""

    def __init__(self, order: Order, world: World, recorder: Recorder) -> None:
        super().__init__(order, world, recorder)
        self.stands: dict[str, None] = {}
        self.due: dict[str, None] = {}
        self.functions = {name: _Due(function, self.due) for name, function in self.functions.items()}

    def record(self, ev: str, step: str = "", data: JsonObject | None = None) -> Awaitable[Record]:
        if data is not None and "reused" in data:
            self.stands.update(dict.fromkeys((step, as_text(data.get("reused")))))
        return super().record(ev, step, data)

    def kept(self, step: str, asked: str, call: Call) -> Record | None:
        done = super().kept(step, asked, call)
        if done is not None:
            self.stands.setdefault(step)
        return done

    async def pass_time(self, seconds: float) -> None:  # noqa: ARG002 - the run's
        raise Paused


class _Due:
    """Stands for a function that would be run."""

    def __init__(self, function: StepFunction, due: dict[str, None]) -> None:
        self._function = function
        self._due = due

    def identity(self, args: JsonObject) -> Json:
        return self._function.identity(args)

    def begun(self, args: JsonObject) -> JsonObject:
        return self._function.begun(args)

    async def run(self, args: JsonObject, place: Place) -> Result:  # noqa: ARG002 - the protocol's
        self._due.setdefault(place.step)
        raise Paused
