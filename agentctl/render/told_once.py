"""The lines of a run's events without saying the same failure twice.

What ends a run is told whole by its last lines. So the words of a failure are held back until the next event
shows whether they end the run or something comes of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from agentctl.jsontypes import JsonObject, as_list, as_object, as_text
from agentctl.render.event_lines import EventLines
from agentctl.render.story import Story, error_text
from agentctl.render.visible import one_line

_FAILURES: Final = ("model.failed", "tool.failed", "function.failed", "execution.failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A line and the event that it tells of, which is `model.empty` for a reply that said nothing."""

    ev: str
    text: str


class ToldOnce:
    """`puts`: whoever shows the lines also puts a run's questions, or lists them at its end."""

    def __init__(self, story: Story, *, puts: bool = False) -> None:
        self._story = story
        self._lines = EventLines(story)
        self._puts = puts
        self._held: list[Told] = []
        self._words = ""

    def lines(self, event: JsonObject) -> list[Told]:
        """Those that can be told after the next event, which the story has already taken."""
        ev, text = _name(event), self._lines.line(event)
        fails = ev in _FAILURES and event.get("absorbed") is not True
        words = error_text(event.get("error")) if fails else ""
        same = bool(words) and words == self._words
        if ev == "execution.failed" and self._is_root(event):
            held = self._brief() if same else self.rest()
            return [*held, *_told(ev, text)]
        earlier = [] if same else self.rest()
        if words:
            self._words = words
            self._held += _told(ev, text)
            return earlier
        if ev == "wait.started" and self._puts and text is not None:
            text = text.partition(": ")[0]
        return [*earlier, *_told(ev, text)]

    def rest(self) -> list[Told]:
        """What is still held back, whole."""
        held, self._held, self._words = self._held, [], ""
        return held

    def _brief(self) -> list[Told]:
        end = f": {one_line(self._words, 200)}"  # as every one of those lines ends
        return [Told(ev=told.ev, text=told.text.removesuffix(end)) for told in self.rest()]

    def _is_root(self, event: JsonObject) -> bool:
        owner = self._story.execution_of(as_text(event.get("step")))
        return owner is not None and not owner.parent


def _name(event: JsonObject) -> str:
    reply = as_object(event.get("out"))
    said = as_text(reply.get("text")).strip() or as_list(reply.get("calls"))
    ev = as_text(event.get("ev"))
    return "model.empty" if ev == "model.completed" and not said else ev


def _told(ev: str, text: str | None) -> list[Told]:
    return [] if text is None else [Told(ev=ev, text=text)]
