"""Calls that a person has allowed for the rest of the run: once said, it holds also after a resume."""

from __future__ import annotations

from agentctl.journal.journal import Journal
from agentctl.jsontypes import Json, JsonObject, as_object

ALLOWED: JsonObject = {"approve": True, "by": "an earlier answer: always for this run"}
"""The answer on record where nobody had to be asked again."""


def for_the_run(answer: Json) -> bool:
    """Whether an answer allows every later call of that tool, too."""
    return as_object(answer).get("always") is True


class Allowances:
    """Those on record; every record is read once, however often it is asked."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._read = 0
        self._allowed: list[JsonObject] = []

    def answer(self, request: JsonObject) -> Json:
        """The answer to a question whether a tool may be called, where it was given for the whole run.

        What a guardrail rejects is asked about each time.
        """
        if request.get("kind") != "approve" or request.get("guardrail"):
            return None
        self._read_on()
        return ALLOWED if any(_is_same(each, request) for each in self._allowed) else None

    def _read_on(self) -> None:
        records = self._journal.records
        for at in range(self._read, len(records)):
            record = records[at]
            if record.ev == "wait.completed" and for_the_run(record.data.get("answer")):
                started = self._journal.last(record.step, ("wait.started",))
                self._allowed.append(as_object(started.data.get("request")) if started else {})
        self._read = len(records)


def _is_same(one: JsonObject, other: JsonObject) -> bool:
    return all(one.get(key) == other.get(key) for key in ("kind", "agent", "tool", "guardrail"))
