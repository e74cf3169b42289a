"""What a model is told of how a call ended: a value as text, an exception as one line, neither too long."""

from __future__ import annotations

import json
from typing import Final

from agentctl.errors import ToolError
from agentctl.jsontypes import Json
from agentctl.tools.wording import exception_text, said

NO_VALUE: Final = "(The function finished and returned no value.)"
NO_WORDS: Final = "the tool reported an error and gave no reason"


def value_text(value: Json) -> str:
    """Strings as they are; anything else as compact JSON, keys in the order they were given."""
    if value is None:
        return NO_VALUE
    if isinstance(value, str):
        return value
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def error_text(error: BaseException) -> str:
    """The words of a `ToolError` as given; of any other exception its type and what it says."""
    return said(error) or NO_WORDS if isinstance(error, ToolError) else exception_text(error)


def overdue_text(name: str, seconds: float) -> str:
    return (
        f"'{name}' did not finish within {seconds:g} s. It may still be running, "
        "and whether it took effect is unknown."
    )


def unkept_text(name: str, fault: str) -> str:
    return (
        f"'{name}' came to its end, but what it left in `context.state` cannot be kept: {fault}. "
        "The state is as it was before; whatever else the call did is done."
    )


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters: the beginning and the end, and between them how much is left out."""
    if len(text) <= limit:
        return text
    mark = f"\n… {len(text):,} characters in all, the middle is left out …\n"
    room = max(limit - len(mark), 0)
    if not room:
        return text[:limit]
    head = room - room // 3
    return f"{text[:head]}{mark}{text[len(text) - (room - head) :]}"
