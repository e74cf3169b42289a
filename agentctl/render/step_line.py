"""One step of an execution on one line: what it was, how it came out, how often it was tried."""

from __future__ import annotations

from typing import Final, assert_never

from rich.text import Text

from agentctl.journal.summary import StepView
from agentctl.jsontypes import as_list, as_object, as_text, canonical
from agentctl.render.decisions import answer_words
from agentctl.render.event_lines import EMPTY_REPLY, arguments_text, asked_for
from agentctl.render.story import error_text, shortened_text
from agentctl.render.visible import one_line

_STATES: Final = {
    "started": ("…", "cyan"),
    "completed": ("✓", "green"),
    "failed": ("✗", "red"),
    "skipped": ("-", "yellow"),
}


def step_line(step: StepView, *, decides: bool = False) -> Text:
    """`decides`: the model's decision is told next, so that its reply in JSON needs no words here."""
    mark, colour = ("✗", "red") if _told_an_error(step) else _STATES[step.status]
    line = Text().append(f"{mark} ", style=colour).append(f"{_what(step)} {_outcome(step, decides)}".rstrip())
    return line.append(f" ({step.tries} tries)", style="dim") if step.tries > 1 else line


def _what(step: StepView) -> str:
    detail = step.detail
    match step.kind:
        case "model":
            reply = as_object(detail.get("out"))
            closing = "closing " if step.step.endswith("/synthesis") else ""
            return f"{closing}model {one_line(as_text(reply.get('model')) or as_text(detail.get('model')))}"
        case "tool":
            return f"{one_line(as_text(detail.get('tool')))}({arguments_text(detail.get('arguments'))})"
        case "function":
            return (
                f"function {one_line(as_text(detail.get('function')))}" if "function" in detail else "a draw"
            )
        case "wait":
            return (
                f"asked a person: {one_line(as_text(as_object(detail.get('request')).get('question')), 200)}"
            )
        case "timer":
            return "waited"
        case _:
            assert_never(step.kind)


def _outcome(step: StepView, decides: bool) -> str:
    match step.status:
        case "started":
            return "waits for an answer" if step.kind == "wait" else "has not come back"
        case "failed":
            return f"failed: {one_line(error_text(step.detail.get('error')), 200)}"
        case "skipped":
            return "was not made again; its effect is unknown"
        case "completed":
            return _result(step, decides)
        case _:
            assert_never(step.status)


def _result(step: StepView, decides: bool) -> str:
    detail = step.detail
    out = as_object(detail.get("out"))
    match step.kind:
        case "model":
            calls = [as_text(as_object(call).get("name")) for call in as_list(out.get("calls"))]
            said = one_line(as_text(out.get("text")), 120)
            if decides and not calls and said.startswith("{"):
                return "decided"
            shorter = f" ({shortened_text(detail)})" if detail.get("shortened") else ""
            replied = f"replied: {said}" if said else EMPTY_REPLY
            return (asked_for(calls) if calls else replied) + shorter
        case "tool":
            again = " (recorded earlier)" if detail.get("reused") else ""
            return f"gave {one_line(as_text(out.get('text')), 120) or 'nothing'}{again}"
        case "function":
            return f"gave {one_line(canonical(detail.get('out')), 120)}"
        case "wait":
            return f"answer: {one_line(answer_words(detail.get('answer')), 120)}"
        case "timer":
            return ""
        case _:
            assert_never(step.kind)


def _told_an_error(step: StepView) -> bool:
    done = step.kind == "tool" and step.status == "completed"
    return done and as_object(step.detail.get("out")).get("error") is True
