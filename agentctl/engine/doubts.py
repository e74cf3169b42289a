"""Tool calls that may have had an effect already: whether a person must say if one is made, and what about.

Three ways lead there: the process stopped during the call, or during the same call of an agent that the
team has no more; or the team was edited after it and now asks for it with other arguments.
"""

from __future__ import annotations

from dataclasses import dataclass

from agentctl.engine.revisions import Revisions
from agentctl.engine.steps import Call
from agentctl.journal.journal import Journal
from agentctl.journal.records import Record
from agentctl.jsontypes import Json, JsonObject, as_object, as_text, canonical

_NEWEST = ("tool.started", "tool.failed", "tool.completed", "tool.skipped")


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """`since` is the `seq` of the record that it is about; `rests` is what the model gets where it rests."""

    since: int
    request: JsonObject
    rests: Json


def doubt(
    call: Call, path: str, asked: str, journal: Journal, revisions: Revisions, elsewhere: Record | None = None
) -> Doubt | None:
    """None where nothing stands in the way of the call: it is harmless, new, or a person wants it.

    `elsewhere` is the start of the same call in a place that the team has no more.
    """
    if call.in_doubt is None:
        return None
    newest = journal.last(path, _NEWEST)
    if newest is None and elsewhere is not None:
        return _under_way(call, elsewhere, None)
    if newest is None or newest.seq < revisions.redone(path) or newest.ev == "tool.failed":
        return None
    started = journal.last(path, ("tool.started",))
    same = as_text(newest.data.get("in")) == asked
    earlier = as_object(started.data.get("arguments")) if started and not same else None
    if newest.ev == "tool.started":
        return _under_way(call, newest, earlier)
    if "refused" in newest.data:
        return None
    return _made_before_the_edit(call, newest, earlier)


def _under_way(call: Call, newest: Record, earlier: JsonObject | None) -> Doubt:
    question = f"'{call.args.get('tool')}' was under way when the process stopped. Call it again?"
    return Doubt(since=newest.seq, request=_request(call, question, earlier), rests=call.in_doubt)


def _made_before_the_edit(call: Call, newest: Record, earlier: JsonObject | None) -> Doubt:
    tool = call.args.get("tool")
    question = f"'{tool}' was called here before the run was revised, with other arguments. Call it again?"
    gave = as_text(as_object(newest.data.get("out")).get("text"))
    given = canonical(earlier) if earlier is not None else "other arguments"
    text = (
        f"This call was not made. Earlier in this run '{tool}' was called in its place with {given}; "
        f"a person decided not to call it again. It gave: {gave}"
    )
    return Doubt(
        since=newest.seq, request=_request(call, question, earlier), rests={"text": text, "error": True}
    )


def _request(call: Call, question: str, earlier: JsonObject | None) -> JsonObject:
    request: dict[str, Json] = {
        "kind": "in_doubt",
        "question": question,
        "agent": call.args.get("agent"),
        "tool": call.args.get("tool"),
        "arguments": call.args.get("arguments"),
        "choices": ["rerun", "skip"],
    }
    return request if earlier is None else {**request, "earlier": earlier}
