"""The lengths of the pieces in which a reply's text streamed, so that it can be replayed as it was."""

from __future__ import annotations

from agentctl.jsontypes import Json, JsonObject, as_text
from agentctl.models.model import Notify


class Pieces:
    """Passes on what happens during a model call and counts its pieces of text."""

    def __init__(self, notify: Notify) -> None:
        self._notify = notify
        self._sizes: list[Json] = []

    def __call__(self, event: JsonObject) -> None:
        if event.get("ev") == "model.restarted":
            self._sizes.clear()
        elif event.get("ev") == "model.text":
            self._sizes.append(len(as_text(event.get("text"))))
        self._notify(event)

    def beside(self) -> JsonObject:
        """For the record: nothing where the text came as one."""
        return {"pieces": list(self._sizes)} if len(self._sizes) > 1 else {}
