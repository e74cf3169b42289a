"""The JSON Schema of team files, made ready for use.

One agent is checked at a time: the sub-agents of an agent are only seen to be mappings, since each is
checked by itself. So depth costs nothing, and one broken agent hides no other.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

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
def entry_checker(definition: Literal["agent", "include"]) -> Checker:
    """For an item of `agents`, an agent or the name of its file; its own sub-agents are left out."""
    return Checker(_one_agent_schema(), definition)


@cache
def agent_keys() -> frozenset[str]:
    """What may stand in an agent."""
    return _keys("agent")


@cache
def include_keys() -> frozenset[str]:
    """What may stand in an item of `agents` that names a file."""
    return _keys("include")


def _keys(definition: str) -> frozenset[str]:
    definitions = as_object(team_schema()["$defs"])
    return frozenset(as_object(as_object(definitions[definition])["properties"]))


def _one_agent_schema() -> JsonObject:
    team = team_schema()
    definitions = as_object(team["$defs"])
    agents = {**as_object(definitions["agents"]), "items": {"title": "a mapping", "type": "object"}}
    return {**team, "$defs": {**definitions, "agents": agents}}
