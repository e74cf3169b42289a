"""litellm's packaged list of models, read entry by entry without importing litellm.

The file is 3.5 MB: to find one entry in its bytes takes 1 ms, to parse all of it 25 ms.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_object, as_text

_NAME: Final = "model_prices_and_context_window_backup.json"
_TEXT_MODES: Final = ("chat", "responses", "completion")


def entry(model: str) -> JsonObject | None:
    """What the list says of a model, under its id or its id without the provider; None when nothing."""
    found = _exact(model)
    if found is not None:
        return found
    provider, slash, rest = model.partition("/")
    found = _exact(rest) if slash else None
    return (
        found if found is not None and as_text(found.get("litellm_provider")).startswith(provider) else None
    )


def ids(provider: str) -> list[str]:
    """Every id of a provider that answers in text, as a team file would write it."""
    return [
        model if model.startswith(f"{provider}/") else f"{provider}/{model}"
        for model, value in _all().items()
        if (found := as_object(value)).get("litellm_provider") == provider
        and found.get("mode") in _TEXT_MODES
    ]


def providers() -> set[str]:
    """Every provider that the list names."""
    return {as_text(as_object(found).get("litellm_provider")) for found in _all().values()} - {""}


@lru_cache(maxsize=256)
def _exact(model: str) -> JsonObject | None:
    """The entry of exactly that key, cut out of the file as it is laid out: entries indented by four."""
    data = _data()
    opening = f"\n    {json.dumps(model)}: {{".encode()
    start = data.find(opening)
    if start < 0 or model == "sample_spec":
        return None
    end = data.find(b"\n    }", start + len(opening))
    try:
        value: Json = json.loads(data[start + len(opening) - 1 : end + len(b"\n    }")])
    except ValueError:  # laid out in another way
        value = _all().get(model)
    return as_object(value) or None


@lru_cache(maxsize=1)
def _all() -> JsonObject:
    try:
        value: Json = json.loads(_data() or b"{}")
    except ValueError:
        return {}
    return {key: found for key, found in as_object(value).items() if key != "sample_spec"}


@lru_cache(maxsize=1)
def _data() -> bytes:
    """The file's bytes; none when litellm, or the file in it, is missing."""
    spec = find_spec("litellm")
    folders = spec.submodule_search_locations if spec is not None else None
    try:
        return (Path(next(iter(folders or ()), "")) / _NAME).read_bytes()
    except OSError:
        return b""
