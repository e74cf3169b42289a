"""The JSON Schema of team files, made ready for use.

One agent is checked at a time: the sub-agents of an agent are only seen to be mappings, since each is
checked by itself. So depth costs nothing, and one broken agent hides no other.
"""

from __future__ import annotations

from functools import cache

from agentctl.jsonschemas import Checker
from agentctl.jsontypes import JsonObject, as_object
from agentctl.schemafiles import schema


@cache
def team_schema() -> JsonObject:
    """The JSON Schema of team files."""
    return schema("team")


@cache
def document_checker() -> Checker:
    """For a team file's document, sub-agents left out."""
    return Checker(_one_agent_schema())


@cache
def cases_checker() -> Checker:
    """For a file of tests."""
    return Checker(schema("test"))


@cache
def entry_checker() -> Checker:
    """For an item of `agents`, its own sub-agents left out."""
    return Checker(_one_agent_schema(), "entry")


def _one_agent_schema() -> JsonObject:
    team = team_schema()
    definitions = as_object(team["$defs"])
    agents = {**as_object(definitions["agents"]), "items": {"title": "a mapping", "type": "object"}}
    return {**team, "$defs": {**definitions, "agents": agents}}
