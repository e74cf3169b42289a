"""What a call cost and what a model can do, by the team file's `price` or litellm's list; unknown is None."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agentctl.jsontypes import JsonObject, as_number, as_text
from agentctl.models.messages import Usage
from agentctl.models.price_file import entry
from agentctl.spec.settings import ModelSettings

_UNBOUNDED: Final = ("offline", "script:", "recording:")
_MILLION: Final = 1_000_000
_ABOVE: Final = re.compile(r"input_cost_per_token_above_(\d+)k_tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """USD per token."""

    input: float
    output: float
    cached: float
    reasoning: float
    stored: float
    stored_hour: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What the list says of a model; None where it does not say."""

    calls: bool | None
    schemas: bool | None
    max_input_tokens: int | None
    mode: str | None


def cost(settings: ModelSettings, usage: Usage | None) -> float | None:
    """USD for one call; None when the price, or what was used, is not known."""
    if usage is None or not usage.counted:
        return None
    rates = rates_of(settings, usage.input)
    if rates is None:
        return None
    return (
        (usage.input - usage.cached - usage.stored) * rates.input
        + usage.cached * rates.cached
        + (usage.stored - usage.stored_hour) * rates.stored
        + usage.stored_hour * rates.stored_hour
        + (usage.output - usage.reasoning) * rates.output
        + usage.reasoning * rates.reasoning
    )


def rates_of(settings: ModelSettings, input_tokens: int = 0) -> Rates | None:
    """The rates that hold for a call of that many input tokens; the file's `price` before litellm's list."""
    if settings.price is not None:
        read, written = settings.price.input / _MILLION, settings.price.output / _MILLION
        return Rates(
            input=read, output=written, cached=read, reasoning=written, stored=read, stored_hour=read
        )
    found = entry(settings.id)
    if found is None:
        return None
    tier = as_text(settings.params.get("service_tier"))
    ends = [f"_above_{most}k_tokens" for most in _thresholds(settings.id) if input_tokens > most * 1000]
    return _rates(found, [*ends, *([f"_{tier}"] if tier else []), ""])


@lru_cache(maxsize=256)
def abilities(model: str) -> Abilities:
    """What the list says that a model can do."""
    found = entry(model)
    return Abilities(
        calls=_says(found, "supports_function_calling"),
        schemas=_says(found, "supports_response_schema"),
        max_input_tokens=_whole(found, "max_input_tokens"),
        mode=as_text((found or {}).get("mode")) or None,
    )


def window(model: str) -> int | None:
    """How many tokens a request to the model may have; None where that is not known, or has no bound."""
    return None if model.startswith(_UNBOUNDED) else abilities(model).max_input_tokens


def _rates(found: JsonObject, ends: list[str]) -> Rates | None:
    """Rates by the first of the given endings of their keys that the entry has."""

    def rate(key: str) -> float | None:
        return next((number for end in ends if (number := _number(found, key + end)) is not None), None)

    read, written = rate("input_cost_per_token"), rate("output_cost_per_token")
    if read is None or written is None:
        return None
    cached, reasoning = rate("cache_read_input_token_cost"), rate("output_cost_per_reasoning_token")
    stored, hour = rate("cache_creation_input_token_cost"), rate("cache_creation_input_token_cost_above_1hr")
    stored = read if stored is None else stored
    return Rates(
        input=read,
        output=written,
        cached=read if cached is None else cached,
        reasoning=written if reasoning is None else reasoning,
        stored=stored,
        stored_hour=stored if hour is None else hour,
    )


@lru_cache(maxsize=256)
def _thresholds(model: str) -> tuple[int, ...]:
    """Thousands of input tokens above which other rates hold, the highest first."""
    keys = entry(model) or {}
    return tuple(sorted((int(match[1]) for key in keys if (match := _ABOVE.fullmatch(key))), reverse=True))


def _number(found: JsonObject, key: str) -> float | None:
    return as_number(found.get(key))


def _whole(found: JsonObject | None, key: str) -> int | None:
    number = _number(found, key) if found is not None else None
    return None if number is None else int(number)


def _says(found: JsonObject | None, key: str) -> bool | None:
    """In the list an ability that is not stated is one that the model lacks."""
    return None if found is None else found.get(key) is True
