"""The lengths of the pieces in which a reply's text streamed, so that it can be replayed as it was."""

from __future__ import annotations

from agentctl.jsontypes import Json, JsonObject, as_object, as_text
from agentctl.models.model import Notify


class Pieces:
    """Passes on what happens during a model call and counts its pieces of text."""

    def __init__(self, notify: Notify) -> None:
        self._notify = notify
        self._sizes: list[int] = []

    def __call__(self, event: JsonObject) -> None:
        if event.get("ev") == "model.restarted":
            self._sizes.clear()
        elif event.get("ev") == "model.text":
            self._sizes.append(len(as_text(event.get("text"))))
        self._notify(event)

    def beside(self, out: Json) -> JsonObject:
        """For the record of the reply `out`: nothing where the text came as one, or is redacted there."""
        whole = len(as_text(as_object(out).get("text")))
        return {"pieces": list(self._sizes)} if len(self._sizes) > 1 and sum(self._sizes) == whole else {}
