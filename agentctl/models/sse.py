"""The lines of an HTTP answer into its parts: server-sent events, or one whole JSON text.

Which of the two it is shows in the first line, whatever the content type says.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from agentctl.jsontypes import Json, JsonObject

DONE = "[DONE]"


async def events(lines: AsyncIterator[str]) -> AsyncIterator[tuple[bool, str]]:
    """`(True, data)` for each event, or one `(False, body)` for a body that is no stream of events."""
    whole: list[str] = []
    data: list[str] = []
    streamed = False
    async for line in lines:
        streamed = streamed or line.startswith(("data:", "event:", "id:", "retry:", ":"))
        if not streamed:
            whole.append(line)
        elif line.startswith("data:"):
            data.append(line[5:].strip())
        elif not line.strip() and data:
            yield True, "\n".join(data)
            data = []
    if data:
        yield True, "\n".join(data)
    if not streamed:
        yield False, "\n".join(whole)


def parsed(text: str) -> JsonObject | None:
    """The JSON object in `text`, or None when it is anything else."""
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
