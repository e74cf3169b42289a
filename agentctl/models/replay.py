"""`recording:FILE`, a model that replies what was recorded: a `ModelRequest` into the reply to what was sent.

A request that was not recorded is an error that shows the nearest one and what differs, or is passed to a
live model where there is one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from agentctl.errors import ModelError, error_kind
from agentctl.jsontypes import JsonObject, as_text
from agentctl.models.messages import ModelRequest, Reply, ToolCall
from agentctl.models.model import Model, Notify
from agentctl.models.recording import RecordedCall, Recording, Sent
from agentctl.models.recording_keys import exact_key, loose_key
from agentctl.models.replay_difference import difference


class Tape:
    """A recording's calls, found by what was sent; each is given once, of several that were sent the same
    thing the one of the same step, else the next.
    """

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._exact: defaultdict[str, list[RecordedCall]] = defaultdict(list)
        self._loose: defaultdict[str, list[RecordedCall]] = defaultdict(list)
        self._given: set[str] = set()
        for call in recording.calls:
            self._exact[exact_key(call.sent)].append(call)
            self._loose[loose_key(call.sent)].append(call)

    def take(self, sent: Sent, step: str = "") -> RecordedCall | None:
        """The call to give now, or None where there is none, or none that was not given yet."""
        for found in self._fitting(sent):
            left = [call for call in found if call.step not in self._given]
            if left:
                call = next((call for call in left if call.step == step), left[0])
                self._given.add(call.step)
                return call
        return None

    def times(self, sent: Sent) -> int:
        """How many calls were recorded that were sent this."""
        return max(len(found) for found in self._fitting(sent))

    def _fitting(self, sent: Sent) -> tuple[Sequence[RecordedCall], ...]:
        return self._exact.get(exact_key(sent), ()), self._loose.get(loose_key(sent), ())


class ReplayModel:
    """`live` is asked what was not recorded; without it that is an error."""

    def __init__(self, model: str, tape: Tape, live: Model | None = None) -> None:
        self._id = model
        self._tape = tape
        self._live = live
        self._overflows: dict[str, JsonObject] = {}

    @property
    def id(self) -> str:
        return self._id

    async def reply(self, request: ModelRequest, notify: Notify) -> Reply:
        """Raises `ModelError`: the recorded one, or of kind `script` where nothing was recorded."""
        sent = sent_of(request)
        if request.step in self._overflows:
            raise _raised(self._overflows.pop(request.step))  # shortened, it was too long as well
        call = self._tape.take(sent, request.step)
        if call is None:
            if self._live is not None:
                return await self._live.reply(request, notify)
            raise self._missing(sent, request.turn)
        if call.error is not None:
            if call.error.get("kind") == "context_overflow":
                self._overflows[request.step] = call.error
            raise _raised(call.error)
        _stream(call.reply.text, call.pieces, notify)
        return replace(
            call.reply, calls=_fresh(call.reply.calls, request), model=call.reply.model or self._id
        )

    async def close(self) -> None:
        if self._live is not None:
            await self._live.close()

    def _missing(self, sent: Sent, turn: int) -> ModelError:
        path, times = self._tape.recording.path, self._tape.times(sent)
        often = "once" if times == 1 else f"{times} times"
        told = (
            f'was sent this by agent "{sent.agent}" {often}, and it is sent once more'
            if times
            else f'has no call {turn} of agent "{sent.agent}" with what is sent now: '
            + difference(sent, self._tape.recording.calls)
        )
        return ModelError(
            f'recording "{path}" {told}',
            kind="script",
            hint="record it anew with --record, edit it, or fill the gap with --replay-missing live",
        )


def sent_of(request: ModelRequest) -> Sent:
    return Sent(
        agent=request.agent,
        messages=request.messages,
        tools=tuple(tool.name for tool in request.tools),
        schema=request.schema,
    )


def _stream(text: str, pieces: Sequence[int], notify: Notify) -> None:
    """In the recorded pieces, unless the text was edited since."""
    sizes = pieces if sum(pieces) == len(text) else (len(text),)
    start = 0
    for size in sizes:
        if size:
            notify({"ev": "model.text", "text": text[start : start + size]})
        start += size


def _fresh(calls: Sequence[ToolCall], request: ModelRequest) -> tuple[ToolCall, ...]:
    """The calls as recorded, with new ids where theirs are taken in this conversation, or are none."""
    taken = {call.id for message in request.messages for call in message.calls}
    found: list[ToolCall] = []
    for number, call in enumerate(calls, start=1):
        identity = call.id
        while not identity or identity in taken:
            identity = f"{identity or f'call_{request.turn}_{number}'}_"
        taken.add(identity)
        found.append(replace(call, id=identity))
    return tuple(found)


def _raised(error: JsonObject) -> ModelError:
    status = error.get("status")
    return ModelError(
        as_text(error.get("message")),
        kind=error_kind(as_text(error.get("kind"))),
        status=status if isinstance(status, int) else None,
        hint=as_text(error.get("hint")) or None,
    )
