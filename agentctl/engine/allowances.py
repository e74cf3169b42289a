"""Calls that a person has allowed for the rest of the run: once said, it holds also after a resume."""

from __future__ import annotations

from collections.abc import Iterator

from agentctl.journal.journal import Journal
from agentctl.jsontypes import Json, JsonObject, as_object

ALLOWED: JsonObject = {"approve": True, "by": "an earlier answer: always for this run"}
"""The answer on record where nobody had to be asked again."""


def for_the_run(answer: Json) -> bool:
    """Whether an answer allows every later call of that tool, too."""
    return as_object(answer).get("always") is True


def allowed(request: JsonObject, journal: Journal) -> Json:
    """The answer to a question whether a tool may be called, where it was given for the whole run.

    What a guardrail rejects is asked about each time.
    """
    if request.get("kind") != "approve" or request.get("guardrail"):
        return None
    return ALLOWED if any(_is_same(each, request) for each in _allowances(journal)) else None


def _allowances(journal: Journal) -> Iterator[JsonObject]:
    for record in journal.records:
        if record.ev == "wait.completed" and for_the_run(record.data.get("answer")):
            started = journal.last(record.step, ("wait.started",))
            yield as_object(started.data.get("request")) if started else {}


def _is_same(one: JsonObject, other: JsonObject) -> bool:
    return all(one.get(key) == other.get(key) for key in ("kind", "agent", "tool", "guardrail"))
