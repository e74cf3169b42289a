"""JSON text that a model wrote into its one value: what has two meanings, or is no JSON, is refused.

Python's own reading takes the last of two equal keys, and NaN and infinities for numbers.
"""

from __future__ import annotations

import json
import math

from agentctl.jsontypes import Json, same_json


def sound_json(text: str) -> Json:
    """Raises ValueError (what is wrong with it, in words for the model) or RecursionError."""
    value: Json = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_finite)
    return value


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        for key, value in pairs:
            if not same_json(found[key], value):
                raise ValueError(f'the key "{key[:50]}" stands in it twice, with different values')
    return found


def _no_number(name: str) -> Json:
    raise ValueError(f"{name} is no number in JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text[:50]} is too large a number")
    return number
