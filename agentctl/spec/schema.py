"""The JSON Schemas that ship with agentctl, and the one of team files made ready for use.

One agent is checked at a time: the sub-agents of an agent are only seen to be mappings, since each is
checked by itself. So depth costs nothing, and one broken agent hides no other.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from pathlib import Path

from agentctl.errors import UsageError
from agentctl.jsonschemas import Checker
from agentctl.jsontypes import Json, JsonObject, as_object


def schema_text(name: str) -> str:
    """The text of the schema `name` (`team`, `run`, …). Raises `UsageError` where there is none."""
    file = f"{name}.schema.json"
    installed = resources.files("agentctl") / "schemas" / file
    if installed.is_file():
        return installed.read_text(encoding="utf-8")
    source = Path(__file__).parents[2] / "schemas" / file
    if source.is_file():
        return source.read_text(encoding="utf-8")
    raise UsageError(f'there is no schema "{name}"', hint="one of them is `team`")


@cache
def team_schema() -> JsonObject:
    """The JSON Schema of team files."""
    loaded: Json = json.loads(schema_text("team"))
    return as_object(loaded)


@cache
def document_checker() -> Checker:
    """For a team file's document, sub-agents left out."""
    return Checker(_one_agent_schema())


@cache
def entry_checker() -> Checker:
    """For an item of `agents`, its own sub-agents left out."""
    return Checker(_one_agent_schema(), "entry")


def _one_agent_schema() -> JsonObject:
    schema = team_schema()
    definitions = as_object(schema["$defs"])
    agents = {**as_object(definitions["agents"]), "items": {"title": "a mapping", "type": "object"}}
    return {**schema, "$defs": {**definitions, "agents": agents}}
