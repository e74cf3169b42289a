"""What happens during a step, told to whoever listens: redacted, also where a text comes in pieces."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_object, as_text

_HOLD: Final = re.compile(r"(?:[Bb]earer|BEARER)?\s{0,4}[A-Za-z0-9._~+/=:-]{0,400}\Z")
"""The end of a text that may be the beginning of a key: it is held back until it is plain what follows."""


class Told:
    def __init__(self, step: str, redact: Callable[[Json], Json], emit: Callable[[JsonObject], None]) -> None:
        self._step = step
        self._redact = redact
        self._emit = emit
        self._held = ""

    def __call__(self, event: JsonObject) -> None:
        if event.get("ev") != "model.text":
            if event.get("ev") == "model.restarted":
                self._held = ""
            self.end()
            self._give(event)
            return
        text = self._held + as_text(event.get("text"))
        found = _HOLD.search(text)
        cut = found.start() if found else len(text)
        self._held = text[cut:]
        if cut:
            self._give({**event, "text": text[:cut]})

    def end(self) -> None:
        """Gives what is still held back."""
        if self._held:
            text, self._held = self._held, ""
            self._give({"ev": "model.text", "text": text})

    def _give(self, event: JsonObject) -> None:
        self._emit({**as_object(self._redact(event)), "step": self._step})
