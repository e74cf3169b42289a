"""litellm's packaged list of models, read entry by entry without importing litellm.

The file is 3.5 MB: to find one entry in its bytes takes 1 ms, to parse all of it 25 ms.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from agentctl.jsontypes import Json, JsonObject, as_object, as_text

_NAME: Final = "model_prices_and_context_window_backup.json"
_SAMPLE: Final = "sample_spec"
_TEXT_MODES: Final = ("chat", "responses", "completion")
_LONGEST_ENTRY: Final = 50_000


def entry(model: str) -> JsonObject | None:
    """What the list says of a model, under its id or its id without the provider; None when nothing."""
    found = _named(model)
    if found is not None:
        return found
    provider, slash, rest = model.partition("/")
    found = _named(rest) if slash else None
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


def _named(model: str) -> JsonObject | None:
    """The entry of exactly that key; of the one it is an alias of, if it is one."""
    found = _exact(model)
    other = as_text(found.get("alias_of")) if found is not None else ""
    return _exact(other) if other else found


@lru_cache(maxsize=256)
def _exact(model: str) -> JsonObject | None:
    data = _data()
    if model == _SAMPLE:
        return None
    if not data.startswith(b'{\n    "'):  # laid out in another way than entry by entry
        found = _all().get(model)
        return None if found is None else as_object(found)
    match = re.search(rb"\n {0,4}" + re.escape(json.dumps(model).encode()) + rb": (?=\{)", data)
    if match is None:
        return None
    text = data[match.end() : match.end() + _LONGEST_ENTRY].decode("utf-8", "replace")
    value: Json = json.JSONDecoder().raw_decode(text)[0]
    return as_object(value)


@lru_cache(maxsize=1)
def _all() -> JsonObject:
    try:
        value: Json = json.loads(_data() or b"{}")
    except ValueError:
        return {}
    return {key: found for key, found in as_object(value).items() if key != _SAMPLE}


@lru_cache(maxsize=1)
def _data() -> bytes:
    """The file's bytes; none when litellm, or the file in it, is missing."""
    spec = find_spec("litellm")
    folders = spec.submodule_search_locations if spec is not None else None
    try:
        return (Path(next(iter(folders or ()), "")) / _NAME).read_bytes()
    except OSError:
        return b""
