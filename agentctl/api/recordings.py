"""A run as a recording: what was asked and answered in it, in the form that can be replayed and edited."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from agentctl.api.equip import team_secrets
from agentctl.api.retracing import sent_to_models
from agentctl.api.written import write_target
from agentctl.document import dump
from agentctl.engine.calls import ANSWER
from agentctl.errors import FatalToolError, error_kind
from agentctl.journal.records import Record
from agentctl.journal.redact import Redactor
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.models.messages import Message, Reply
from agentctl.models.recording import RecordedCall, RecordedTool, Recording, Sent
from agentctl.models.recording_json import recording_json
from agentctl.spec.read import team_environ
from agentctl.spec.team import Team


async def recorded(team: Team, header: JsonObject, records: Sequence[Record], *, path: str) -> Recording:
    """The recording of a run of `team` (its inputs filled in); calls that cannot be traced are left out.

    What a person answered to an agent stands among the answers alone, for the call gives just that.
    """
    asked = await sent_to_models(team, header, records)
    starts = {record.step: record.data for record in records if record.ev == "tool.started"}
    answers: dict[str, Json] = {
        record.step: record.data.get("answer")
        for record in records
        if record.ev == "wait.completed" and "/in-doubt-" not in record.step
    }
    return Recording(
        path=path,
        team=team.root.name,
        question=as_text(header.get("request")),
        calls=tuple(_calls(records, asked)),
        tools=tuple(tool for tool in _tools(records, starts) if f"{tool.step}/{ANSWER}" not in answers),
        draws={record.step: record.data.get("out") for record in records if record.ev == "draw.completed"},
        listings={
            record.step: record.data.get("out") for record in records if record.ev == "listing.completed"
        },
        answers=answers,
    )


def write_recording(recording: Recording, team: Team, path: Path) -> None:
    """Redacted, readable and sorted. Raises `OutputError` where it cannot be written."""
    environ = team_environ(team.folder, os.environ)
    redactor = Redactor(team_secrets(team, environ).values())
    write_target(path, dump(redactor.redact(recording_json(recording))), "the recording")


def _calls(records: Iterable[Record], asked: Mapping[str, JsonObject]) -> Iterable[RecordedCall]:
    """The newest outcome of every call; a failure only where no reply came after it."""
    newest: dict[str, Record] = {}
    for record in records:
        replied = record.ev == "model.completed"
        if replied or (_model_failed(record) and record.step not in newest):
            newest[record.step] = record
    for record in newest.values():
        args = asked.get(as_text(record.data.get("in")))
        if args is not None:
            yield _call(record, args)


def _model_failed(record: Record) -> bool:
    """What the model said no to; a call that the run had no budget for was not made."""
    code = as_text(as_object(record.data.get("error")).get("code"))
    return record.ev == "model.failed" and code.startswith("model-")


def _call(record: Record, args: JsonObject) -> RecordedCall:
    sizes = as_list(record.data.get("pieces"))
    failed = record.ev == "model.failed"
    return RecordedCall(
        step=record.step,
        sent=Sent(
            agent=as_text(args.get("agent")),
            messages=tuple(Message.from_json(message) for message in as_list(args.get("messages"))),
            tools=tuple(as_text(as_object(tool).get("name")) for tool in as_list(args.get("tools"))),
            schema=as_object(args["schema"]) if args.get("schema") else None,
        ),
        reply=Reply() if failed else Reply.from_json(record.data.get("out")),
        error=_error(as_object(record.data.get("error"))) if failed else None,
        pieces=tuple(size for size in sizes if isinstance(size, int)),
    )


def _error(error: JsonObject) -> JsonObject:
    """`{kind, message, status?, hint?}` of a model's recorded error."""
    found: dict[str, Json] = {"kind": error_kind(as_text(error.get("code"))), "message": error.get("message")}
    return {**found, **{key: error[key] for key in ("status", "hint") if key in error}}


def _tools(records: Iterable[Record], starts: Mapping[str, JsonObject]) -> Iterable[RecordedTool]:
    """Calls that were made; what was refused or taken over from an earlier attempt is not among them."""
    newest = {record.step: record for record in records if record.ev in ("tool.completed", "tool.failed")}
    for step, record in newest.items():
        if record.data.get("refused") is True or "reused" in record.data:
            continue
        out, error = as_object(record.data.get("out")), as_object(record.data.get("error"))
        if error and error.get("code") != FatalToolError.code:
            continue
        started = starts.get(step, {})
        yield RecordedTool(
            step=step,
            agent=as_text(started.get("agent")),
            tool=as_text(started.get("tool")),
            arguments=as_object(started.get("arguments")),
            text=as_text((error or {"message": out.get("text")}).get("message")),
            error=out.get("error") is True,
            fatal=bool(error),
            state=as_object(record.data.get("state")),
        )
