"""The tools of every agent for a person: name, where from, what is special, description, parameters."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from rich.text import Text

from agentctl.jsontypes import JsonObject, as_list, as_object, as_text
from agentctl.render.visible import one_line, visible

_DESCRIPTION = 200


def tool_list(agents: Sequence[JsonObject]) -> list[Text]:
    """Takes what `list_tools` gives."""
    return [line for agent in agents for line in _agent(agent)]


def _agent(agent: JsonObject) -> Iterator[Text]:
    yield Text(one_line(as_text(agent.get("agent"))), style="bold")
    tools = as_list(agent.get("tools"))
    for tool in tools:
        yield from _tool(as_object(tool))
    for problem in as_list(agent.get("problems")):
        yield Text().append("  error: ", style="bold red").append(visible(as_text(problem)))
    if not tools and not as_list(agent.get("problems")):
        yield Text("  no tools", style="dim")


def _tool(tool: JsonObject) -> Iterator[Text]:
    special = ["idempotent"] if tool.get("idempotent") is True else []
    approve = tool.get("approve")
    if approve == "always":
        special.append("needs approval")
    elif isinstance(approve, dict):
        special.append(f"needs approval when {one_line(as_text(approve.get('when')))} says so")
    line = Text().append(f"  {one_line(as_text(tool.get('name')))}", style="cyan")
    line.append(f"  {one_line(as_text(tool.get('source')))}", style="dim")
    yield line.append(f"  {', '.join(special)}" if special else "")
    description = one_line(as_text(tool.get("description")), _DESCRIPTION)
    if description:
        yield Text(f"    {description}")
    yield from _parameters(as_object(tool.get("parameters")))


def _parameters(schema: JsonObject) -> Iterator[Text]:
    required = as_list(schema.get("required"))
    for name, each in as_object(schema.get("properties")).items():
        shape = as_object(each)
        words = one_line(_type(shape), 80) + ("" if name in required else ", optional")
        described = one_line(as_text(shape.get("description")), _DESCRIPTION)
        yield Text(f"    {one_line(name)} ({words})" + (f": {described}" if described else ""))


def _type(schema: JsonObject) -> str:
    """`string`, `one of "a", "b"`, `array of string`; what is put together, as its schema."""
    if "enum" in schema:
        return "one of " + ", ".join(json.dumps(word, ensure_ascii=False) for word in as_list(schema["enum"]))
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(_type(as_object(each)) for each in as_list(schema[key]))
    kind = schema.get("type")
    if kind == "array":
        return f"array of {_type(as_object(schema.get('items')))}"
    if isinstance(kind, list):
        return " or ".join(as_text(each) for each in kind)
    return as_text(kind) or as_text(schema.get("$ref")).rpartition("/")[2] or "any value"
