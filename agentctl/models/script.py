"""`script:FILE`, a model that replies from a YAML script: a `ModelRequest` into the `Reply` written for it.

The file's format is `schemas/script.schema.json`. It needs no network, and time only where a turn says so.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agentctl.errors import ModelError
from agentctl.jsontypes import digest
from agentctl.models.failures import Refusal, failure, model_error
from agentctl.models.messages import ModelRequest, Reply, ToolCall
from agentctl.models.model import Notify
from agentctl.models.script_file import read_script
from agentctl.models.script_turns import ScriptedError, Turn, sent_text
from agentctl.spec.settings import ModelSettings

_SHOWN: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusedTurn:
    """A turn of the script that no request has taken: its agent (or `*`), and where it stands."""

    agent: str
    index: int
    line: int


class ScriptModel:
    """Replies from a script. Opening it raises `UsageError` for a missing or invalid file."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        name = settings.id.partition(":")[2]
        self._script = read_script(settings.folder / name, shown=name)
        self.file = Path(os.path.normpath(settings.folder / name))
        self._failed: Counter[str] = Counter()
        self._used: set[tuple[str, int]] = set()

    @property
    def id(self) -> str:
        return self._settings.id

    async def reply(self, request: ModelRequest, notify: Notify) -> Reply:
        """Raises `ModelError`: what the script says, or of kind `script` where it has no turn."""
        turn = self._script.turn(request)
        if turn is None:
            raise self._unexpected(request)
        self._used.add((self._script.key(request.agent), turn.index))
        await asyncio.sleep(turn.delay)
        if turn.error is not None and self._fails(turn, turn.error, request):
            await _stream(turn, turn.text[: turn.error.after], notify)
            raise _raised(turn.error, self.id)
        await _stream(turn, turn.text, notify)
        return self._reply(turn, request)

    async def close(self) -> None:
        """There is nothing to close."""

    def unused(self) -> list[UnusedTurn]:
        """The turns that this process has not taken, in file order."""
        found = [
            UnusedTurn(agent=agent, index=turn.index, line=turn.line)
            for agent, turns in self._script.agents.items()
            for turn in turns
            if (agent, turn.index) not in self._used
        ]
        return sorted(found, key=lambda turn: turn.line)

    def _fails(self, turn: Turn, error: ScriptedError, request: ModelRequest) -> bool:
        if error.times is None:
            return True
        sent = [message.as_json() for message in request.messages]
        attempt = digest([request.agent, request.turn, turn.index, sent])
        self._failed[attempt] += 1
        return self._failed[attempt] <= error.times

    def _reply(self, turn: Turn, request: ModelRequest) -> Reply:
        taken = {call.id for message in request.messages for call in message.calls}
        calls = tuple(
            ToolCall(id=call.id or _new_id(taken), name=call.name, arguments=call.arguments)
            for call in turn.calls
        )
        return Reply(
            text=turn.text,
            calls=calls,
            finish=turn.finish or ("calls" if calls else "stop"),
            model=self.id,
            usage=turn.usage,
            cost_usd=self._cost(turn),
        )

    def _cost(self, turn: Turn) -> float | None:
        price = self._settings.price
        if not turn.priced:
            return turn.cost_usd
        if price is None:
            return 0.0
        return (turn.usage.input * price.input + turn.usage.output * price.output) / 1_000_000

    def _unexpected(self, request: ModelRequest) -> ModelError:
        sent = sent_text(request.messages, "last")
        bounded = sent if len(sent) <= _SHOWN else f"{sent[:_SHOWN]}…"
        path, agent = self._script.path, request.agent
        known = self._script.turns_of(agent)
        cause = "whose `when` holds" if any(turn.when for turn in known) else f"of {len(known)} there are"
        return ModelError(
            f'script "{path}" has no turn {request.turn} {cause} for agent "{agent}"; '
            f'the last message sent was: "{bounded}"',
            kind="script",
            hint=f'add the turn under `agents: {agent}:` in "{path}", or `repeat: true` to one before it',
        )


def _new_id(taken: set[str]) -> str:
    number = len(taken) + 1
    while f"call_{number}" in taken:
        number += 1
    taken.add(f"call_{number}")
    return f"call_{number}"


async def _stream(turn: Turn, text: str, notify: Notify) -> None:
    size = turn.cut or max(len(text), 1)
    for start in range(0, len(text), size):
        if start:
            await asyncio.sleep(turn.pace)
        notify({"ev": "model.text", "text": text[start : start + size]})


def _raised(error: ScriptedError, model: str) -> ModelError:
    refusal = Refusal(status=error.status or 0, body=error.message, headers=error.headers)
    meant = failure(refusal, model)
    if error.kind is None:
        return meant
    said = error.message or "so its script says"
    return model_error(error.kind, model, said, status=error.status, wait=meant.retry_after)
