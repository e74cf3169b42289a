"""Everything that a step was given and gave, uncut, as texts with a name each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TypeAlias

from agentctl.journal.summary import StepView
from agentctl.jsontypes import Json, as_list, as_object, as_text
from agentctl.render.story import error_text

Named: TypeAlias = tuple[str, str]


def step_texts(step: StepView) -> Iterator[Named]:
    """Those that are not empty, in the order in which they came about."""
    return ((name, text) for name, text in _texts(step) if text)


def _texts(step: StepView) -> Iterator[Named]:
    detail = step.detail
    out = as_object(detail.get("out"))
    if step.kind == "tool":
        yield "arguments", _pretty(detail.get("arguments"))
    for call in as_list(out.get("calls")) if step.kind == "model" else ():
        made = as_object(call)
        yield "call", f"{as_text(made.get('name'))} {as_text(made.get('arguments'))}"
    if step.kind in ("model", "tool"):
        yield "text", as_text(out.get("text"))
    elif step.status == "completed" and step.kind in ("function", "wait"):
        yield "gave", _pretty(detail.get("answer", detail.get("out")))
    for name in ("printed", "spilled"):
        yield name, as_text(detail.get(name))
    if step.status == "failed":
        yield "error", error_text(detail.get("error"))


def _pretty(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
