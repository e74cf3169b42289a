"""What an execution of a run that goes on is at, in a few words, and those words cut to size."""

from __future__ import annotations

import math
from typing import Final

from rich.cells import cell_len, set_cell_size

from agentctl.jsontypes import as_list, as_text
from agentctl.render.amounts import duration, plural
from agentctl.render.decisions import decision_words
from agentctl.render.event_lines import call_text
from agentctl.render.live_tree import Past, busy_acts
from agentctl.render.story import Act, Execution
from agentctl.render.visible import one_line

_WRITES: Final = "writes: "
_LEAST: Final = 8


def doing_now(execution: Execution, now: float) -> str:
    """Its answer or failure where it has ended, else what it does, else what it decided last."""
    if execution.state == "done":
        return one_line(execution.answer, 200)
    if execution.error:
        return one_line(execution.error, 200)
    busy = busy_acts(execution)
    if busy:
        return ", ".join(act_words(act, now) for act in busy)
    decisions = [act for act in execution.acts.values() if act.kind == "decision"]
    return _decided(decisions[-1], execution.agent) if decisions else ""


def act_words(act: Act, now: float) -> str:
    """`look(what='tides')`, `writes: …`, `rate limited, 4 s, then attempt 2`, `asks openai/gpt-4o`."""
    match act.kind:
        case "wait":
            return f"waits for a person: {one_line(act.text, 200)}"
        case "model":
            written = (
                f"{_WRITES}{one_line(act.text[-400:], 400)}" if act.text else f"asks {one_line(act.title)}"
            )
            return waiting_words(act, now) or written
        case "timer":
            left = _left(act, now)
            return f"goes on in {left}" if left else "waits before it goes on"
        case "tool":
            return call_text(act)
        case _:
            return one_line(act.title)


def past_words(past: Past) -> str:
    """`look(what='tides')`, `look(what='tides'), after 2 earlier calls`."""
    called = call_text(past.act)
    return f"{called}, after {plural(past.earlier, 'earlier call')}" if past.earlier else called


def waiting_words(act: Act, now: float) -> str:
    """What a running call waits for, if anything: `rate limited, 4 s, then attempt 2`."""
    note, left = one_line(act.note, 200), _left(act, now)
    if not act.attempt:
        return note
    return f"{note}, {left}, then attempt {act.attempt}" if left else f"{note}, now attempt {act.attempt}"


def _left(act: Act, now: float) -> str:
    """`4 s`, whole seconds, since it is counted down; nothing once it is over."""
    left = (act.goes_on or now) - now
    if left <= 0:
        return ""
    return f"{math.ceil(left)} s" if left < 60 else duration(left * 1000)


def _decided(act: Act, agent: str) -> str:
    chosen = [as_text(name) for name in as_list(act.data.get("chosen"))]
    reason = as_text(act.data.get("reason"))
    return one_line(decision_words(chosen, reason, agent=agent, step=act.step), 200)


def clipped(text: str, cells: int) -> str:
    """The start of `text`, or its end where it is being written, within so many cells."""
    if cell_len(text) <= cells:
        return text
    if cells < _LEAST:
        return ""
    if text.startswith(_WRITES):
        return f"{_WRITES}…{_tail(text, cells - len(_WRITES) - 1)}"
    return f"{set_cell_size(text, cells - 1).rstrip()}…"


def _tail(text: str, cells: int) -> str:
    start, used = len(text), 0
    while start > 0 and (used := used + cell_len(text[start - 1])) <= cells:
        start -= 1
    return text[start:]
