"""A server's `usage` object into `Usage`: cached tokens part of the input, reasoning part of the output.

What was written to a cache is counted as litellm tells it of Anthropic's models.
"""

from __future__ import annotations

from agentctl.jsontypes import Json, JsonObject, as_object
from agentctl.models.messages import Usage


def usage_from(counted: JsonObject) -> Usage:
    """Counts as OpenAI's protocol writes them, and as those who write it otherwise do."""
    read = _count(counted.get("prompt_tokens"))
    written = _count(counted.get("completion_tokens"))
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
    )


def _count(value: Json) -> int:
    return int(value) if isinstance(value, int | float) and value > 0 else 0
