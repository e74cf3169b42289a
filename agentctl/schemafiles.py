"""Finds the JSON Schemas that ship with agentctl: in the wheel beside the code, else in the source tree.

It knows files only: what a schema says and who checks against it is for others.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from agentctl.diagnostics import nearest
from agentctl.errors import UsageError
from agentctl.jsontypes import JsonObject, as_object

_HERE: Final = Path(__file__).resolve().parent
_FOLDERS: Final = (_HERE / "schemas", _HERE.parent / "schemas")


def schema_text(name: str) -> str:
    """The text of `schemas/NAME.schema.json`, as shipped. Raises `UsageError` for an unknown name."""
    for folder in _FOLDERS:
        path = folder / f"{name}.schema.json"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    near = nearest(name, schema_names())
    hint = f'did you mean "{near}"?' if near else f"the schemas are: {', '.join(schema_names())}"
    raise UsageError(f'there is no schema "{name}"', hint=hint)


def schema(name: str) -> JsonObject:
    """The schema of that name, parsed."""
    return as_object(json.loads(schema_text(name)))


def schema_names() -> list[str]:
    """The names that `schema_text` takes, sorted."""
    found = {path.name for folder in _FOLDERS for path in folder.glob("*.schema.json")}
    return sorted(name.removesuffix(".schema.json") for name in found)
