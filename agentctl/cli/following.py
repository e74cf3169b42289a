"""A run that another process works on, watched until it ends or the watcher has seen enough."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Final

from agentctl.journal.records import Record
from agentctl.journal.tail import Tail
from agentctl.render.events_live import LiveDisplay
from agentctl.render.story import Story
from agentctl.render.terminal import can_animate, is_terminal
from agentctl.render.told_once import Told, ToldOnce

_EVERY: Final = 0.2
"""Seconds between looks."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def follow_to_the_end(tail: Tail) -> None:
    """On stdout: the live view on a terminal, else a line an event. Raises KeyboardInterrupt when stopped."""
    with _interruptible():
        if is_terminal(sys.stdout) and can_animate():
            _watch(tail)
        else:
            _print(tail)


def _watch(tail: Tail) -> None:
    display = LiveDisplay(sys.stdout)
    try:
        first = True
        for news in _looks(tail):
            events = [record.as_json() for record in news]
            if first:
                display.recall(events)
                display.advance(max(time.time() - news[-1].ts, 0) if news else 0)
                first = False
            else:
                for event in events:
                    display.event(event)
    finally:
        display.close()


def _print(tail: Tail) -> None:
    story = Story()
    lines = ToldOnce(story)
    for news in _looks(tail):
        for record in news:
            event = record.as_json()
            story.take(event)
            _say(lines.lines(event))
    _say(lines.rest())


def _say(lines: Iterable[Told]) -> None:
    for line in lines:
        print(line.text, flush=True)


def _looks(tail: Tail) -> Iterator[Sequence[Record]]:
    """What is new at each look, the last one after the run's process had let go of it."""
    while True:
        news, live = tail.news()
        yield news
        if not live:
            return
        time.sleep(_EVERY)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Inside, a signal is an exception, so that the terminal is left as it was; a second one is not heard."""
    before = {number: signal.signal(number, _interrupted) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupted(_number: int, _frame: FrameType | None) -> None:
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt
