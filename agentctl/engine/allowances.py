"""Calls that a person has allowed for the rest of the run: once said, it holds also after a resume."""

from __future__ import annotations

from agentctl.journal.journal import Journal
from agentctl.jsontypes import Json, JsonObject, as_object

ALLOWED: JsonObject = {"approve": True, "by": "an earlier answer: always for this run"}
"""The answer on record where nobody had to be asked again."""


def allowed(request: JsonObject, journal: Journal) -> Json:
    """The answer to a question whether a tool may be called, where it was given for the whole run."""
    if request.get("kind") != "approve":
        return None
    for record in journal.records:
        if record.ev != "wait.completed" or as_object(record.data.get("answer")).get("always") is not True:
            continue
        started = journal.last(record.step, ("wait.started",))
        earlier = as_object(started.data.get("request")) if started else {}
        if all(earlier.get(key) == request.get(key) for key in ("kind", "agent", "tool")):
            return ALLOWED
    return None
