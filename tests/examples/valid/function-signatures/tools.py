from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any


def look_up(word: str) -> str:
    """Look a word up."""
    return word


async def enough(conversation: Sequence[Mapping[str, str]], most: int = 3) -> bool:
    return len(conversation) >= most


def any_way(*given: object, **named: object) -> str:
    return "billing"


class Chooser:
    def choose(self, conversation: list[dict[str, str]], agents: dict[str, str]) -> str | None:
        return None


class Condition:
    def __call__(self, tool: str, arguments: Any) -> bool:
        return True


def limited(text: Annotated[str, "the answer"], *, most: int) -> bool | str:
    return len(text) <= most or "too long"


def unhinted(tool, arguments):
    return True


def judge(answer: str, run: Mapping[str, object], *, strict: bool = False) -> str:
    return ""


chooser = Chooser()
condition = Condition()
short_enough = partial(limited, most=1_000)
