"""A server's `usage` object into `Usage`: cached tokens part of the input, reasoning part of the output.

What was written to a cache is counted as litellm tells it of Anthropic's models.
"""

from __future__ import annotations

import math
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_object
from agentctl.models.messages import Usage

_LONGEST: Final = 16


def usage_from(counted: JsonObject) -> Usage:
    """Counts as OpenAI's protocol writes them, and as those who write it otherwise do.

    What is no count (null, words, less than nothing, a request of no tokens) is 0, and `counted` False.
    """
    read, written = _count(counted.get("prompt_tokens")), _count(counted.get("completion_tokens"))
    known = is_count(counted.get("completion_tokens")) and read > 0
    details = as_object(counted.get("prompt_tokens_details"))
    cached = _count(details.get("cached_tokens")) or _count(counted.get("prompt_cache_hit_tokens"))
    stored = _count(details.get("cache_creation_tokens"))
    hour = _count(as_object(details.get("cache_creation_token_details")).get("ephemeral_1h_input_tokens"))
    reasoning = _count(as_object(counted.get("completion_tokens_details")).get("reasoning_tokens"))
    if reasoning and _count(counted.get("total_tokens")) == read + written + reasoning:
        written += reasoning  # some servers count reasoning beside the output, not in it
    cached = min(cached, read)
    stored = min(stored, read - cached)
    return Usage(
        input=read,
        output=written,
        cached=cached,
        reasoning=min(reasoning, written),
        stored=stored,
        stored_hour=min(hour, stored),
        counted=known,
    )


def is_count(value: Json) -> bool:
    """Whether a server says a number of tokens with it, be it in quotes."""
    if isinstance(value, str):
        return value.isascii() and value.isdecimal() and len(value) < _LONGEST
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
    )


def _count(value: Json) -> int:
    return int(value) if isinstance(value, int | float | str) and is_count(value) else 0
