"""Which cases `-k` means: words joined by `and`, `or`, `not` and brackets, found in names and tags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from agentctl.errors import UsageError
from agentctl.testing.results import Item

_TOKEN: Final = re.compile(r'\s*(\(|\)|"[^"]*"|[^\s()"]+)')
_JOINTS: Final = ("and", "or", "not", "(", ")")


def chosen(items: Sequence[Item], expression: str) -> list[Item]:
    """The items it means; a word stands in the name of a test, its file or its team, or is a tag.

    Raises `UsageError` for an expression that cannot be read.
    """
    if not expression.strip():
        return list(items)
    return [item for item in items if _holds(expression, item)]


def _holds(expression: str, item: Item) -> bool:
    reader = _Reader(expression, item)
    holds = reader.either()
    if reader.tokens:
        raise reader.wrong(f"'{reader.tokens[0]}' stands where `and` or `or` must")
    return holds


@dataclass(slots=True)
class _Reader:
    expression: str
    item: Item
    tokens: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.tokens = _TOKEN.findall(self.expression)

    def either(self) -> bool:
        holds = self.both()
        while self._next("or"):
            holds = self.both() or holds
        return holds

    def both(self) -> bool:
        holds = self.one()
        while self._next("and"):
            holds = self.one() and holds
        return holds

    def one(self) -> bool:
        if self._next("not"):
            return not self.one()
        if self._next("("):
            holds = self.either()
            if not self._next(")"):
                raise self.wrong("a bracket is not closed")
            return holds
        if not self.tokens or self.tokens[0] in _JOINTS:
            raise self.wrong(
                f"a word is missing{f' before {self.tokens[0]!r}' if self.tokens else ' at its end'}"
            )
        word = self.tokens.pop(0).strip('"').casefold()
        tags = [tag.casefold() for tag in self.item.case.tags]
        places = (self.item.case.name, Path(self.item.file).name, self.item.team.root.name)
        return word in tags or any(word in place.casefold() for place in places)

    def wrong(self, message: str) -> UsageError:
        return UsageError(
            f"-k '{self.expression}' cannot be read: {message}", hint='write it as -k "billing and not slow"'
        )

    def _next(self, token: str) -> bool:
        if self.tokens and self.tokens[0] == token:
            self.tokens.pop(0)
            return True
        return False
