"""Takes the thoughts that a model writes at the start of its text, in `<think>…</think>`, out of its reply.

Thoughts that never end are given back as text: it may be an answer that only begins like some.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_TAGS: Final = ("<think>", "<thinking>", "<thought>")


@dataclass(slots=True)
class Thinking:
    """Takes the pieces of one reply's text in order. `rest` is what is held back so far.

    With `thought`, white space before the text belongs to the thoughts.
    """

    rest: str = ""
    thought: bool = False
    _over: bool = False

    def without(self, piece: str) -> str:
        """What of the piece, and of what was held back before it, belongs to the reply."""
        if self._over or not piece:
            return piece
        self.rest += piece
        begun = self.rest.lstrip()
        tag = next((tag for tag in _TAGS if begun.startswith(tag)), None)
        if tag is not None:
            _, end, after = begun.partition(tag.replace("<", "</"))
            if not end:
                return ""
            self.rest, self.thought = "", True
            return self.without(after)
        if any(tag.startswith(begun) for tag in _TAGS):
            return ""
        text = begun if self.thought else self.rest
        self.rest, self._over = "", True
        return text


def without_thoughts(text: str) -> str:
    """A whole text without the thoughts at its start."""
    thinking = Thinking()
    return thinking.without(text) + thinking.rest


def after_thoughts(text: str) -> str:
    """What stands behind thoughts whose beginning the model's own template wrote."""
    return text.rpartition("</think>")[2]
