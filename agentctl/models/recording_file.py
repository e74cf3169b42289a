"""A recording's YAML into a `Recording` and back. A file that is no recording is one `UsageError`.

A call that goes on from an earlier one says `continues` and holds the new messages only, so that a file
grows with what happened, and an edited reply is also what later calls are sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from agentctl.diagnostics import Report
from agentctl.document import Node, Object, locate, plain, read_document
from agentctl.errors import UsageError
from agentctl.jsonschemas import Checker, Problem
from agentctl.jsontypes import Json, JsonObject, as_list, as_object, as_text
from agentctl.models.messages import Message, Reply, Usage
from agentctl.models.recording import RecordedCall, RecordedTool, Recording, Sent
from agentctl.models.recording_json import message_from, reply_from
from agentctl.schemafiles import schema

_SHOWN: Final = 8


def read_recording(file: Path, *, shown: str) -> Recording:
    """`shown` is the path as it was given. Raises `UsageError` for a missing or invalid file."""
    root = _root(file, shown)
    value = as_object(plain(root))
    calls: dict[str, RecordedCall] = {}
    for index, item in enumerate(as_list(value.get("calls"))):
        line = locate(root, ("calls", index)).span.line
        call = _call(_with_schema(as_object(item), value, line, shown), calls, line, shown)
        calls[call.step] = call
    tools = [
        _tool(as_object(item), locate(root, ("tools", index)).span.line)
        for index, item in enumerate(as_list(value.get("tools")))
    ]
    return Recording(
        path=shown,
        team=as_text(value.get("team")),
        question=as_text(value.get("question")),
        calls=tuple(calls.values()),
        tools=tuple(tools),
        draws=as_object(value.get("draws")),
        listings=as_object(value.get("listings")),
        answers=as_object(value.get("answers")),
    )


def _root(file: Path, shown: str) -> Object:
    try:
        data = file.read_bytes()
    except OSError as error:
        cause = error.strerror or str(error)
        raise UsageError(
            f'recording "{shown}" cannot be read: {cause} ("{file}")',
            hint="make one with `agentctl run --record FILE`",
        ) from error
    report = Report()
    document = read_document(data, path=shown, report=report)
    if document is None or report.errors or not isinstance(document.root, Object):
        raise _invalid(shown, [f"line {found.span.line}: {found.message}" for found in report])
    root = document.root
    mistakes = [_told(problem, root) for problem in Checker(schema("recording")).problems(plain(root))]
    if mistakes:
        raise _invalid(shown, mistakes)
    return root


def _with_schema(call: JsonObject, whole: JsonObject, line: int, shown: str) -> JsonObject:
    """The call with the schema itself, where it names one of `schemas`."""
    named, schemas = call.get("schema"), as_object(whole.get("schemas"))
    if not isinstance(named, str):
        return call
    if named not in schemas:
        raise _invalid(shown, [f'line {line}: "schema" names "{named}", which is none of `schemas`'])
    return {**call, "schema": schemas[named]}


def _call(
    value: Mapping[str, Json], before: Mapping[str, RecordedCall], line: int, shown: str
) -> RecordedCall:
    step, earlier = as_text(value.get("step")), as_text(value.get("continues"))
    if step in before:
        raise _invalid(shown, [f'line {line}: the step "{step}" stands there twice'])
    if earlier and earlier not in before:
        raise _invalid(shown, [f'line {line}: "continues" names "{earlier}", which stands nowhere before it'])
    opening = _spoken(before[earlier]) if earlier else ()
    added = tuple(message_from(as_object(message)) for message in as_list(value.get("sent")))
    error = value.get("error")
    return RecordedCall(
        step=step,
        sent=Sent(
            agent=as_text(value.get("agent")),
            messages=(*opening, *added),
            tools=tuple(as_text(name) for name in as_list(value.get("tools"))),
            schema=as_object(value["schema"]) if value.get("schema") else None,
        ),
        reply=reply_from(as_object(value.get("reply"))) if error is None else Reply(usage=Usage()),
        error=as_object(error) if error is not None else None,
        pieces=tuple(size for size in as_list(value.get("pieces")) if isinstance(size, int)),
        line=line,
    )


def _spoken(call: RecordedCall) -> tuple[Message, ...]:
    """What was sent, and the reply to it, which is where the next call goes on."""
    reply = call.reply
    return (*call.sent.messages, Message(role="assistant", text=reply.text, calls=reply.calls))


def _tool(value: Mapping[str, Json], line: int) -> RecordedTool:
    return RecordedTool(
        step=as_text(value.get("step")),
        agent=as_text(value.get("agent")),
        tool=as_text(value.get("tool")),
        arguments=as_object(value.get("arguments")),
        text=as_text(value.get("result")),
        error=value.get("error") is True,
        fatal=value.get("fatal") is True,
        state=as_object(value.get("state")),
        line=line,
    )


def _told(problem: Problem, root: Node) -> str:
    node = locate(root, problem.path)
    entry = node.entry(problem.key) if isinstance(node, Object) else None
    span = entry.key_span if entry else node.span
    return f"line {span.line}: {problem}"


def _invalid(shown: str, mistakes: list[str]) -> UsageError:
    more = [f"and {len(mistakes) - _SHOWN} more"] if len(mistakes) > _SHOWN else []
    told = "\n  ".join([*mistakes[:_SHOWN], *more])
    return UsageError(
        f'recording "{shown}" is not valid:\n  {told}',
        hint="its format is described by schemas/recording.schema.json",
    )
