"""What is wrong with a server's answers, in one line; and answers mended where that can be done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from agentctl.jsontypes import canonical, to_json
from agentctl.tools.wording import exception_text

NO_MCP: Final = "what it answers is not as the Model Context Protocol wants it"
_KINDS: Final = ("text", "image", "audio", "resource", "resource_link")
_CHECKED: Final = re.compile(r"\d+ validation errors? for .*", re.DOTALL)


def fault_text(error: Exception) -> str:
    """One line, also where the library repeats what pydantic says of an answer, which may be whole pages."""
    from pydantic import ValidationError

    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    if isinstance(error, ValidationError):
        found = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in found["loc"])
        return f"{NO_MCP}: {place}: {found['msg']}" if place else f"{NO_MCP}: {found['msg']}"
    text = exception_text(error)
    return NO_MCP if _CHECKED.search(text) else text


def mend(result: Any) -> None:
    """One part of what a server answers hides no other: a tool without a sound schema takes any arguments, of
    one that is unsound otherwise what can be used is kept, what has no name is left out; content of a kind
    that nobody knows is told as its JSON.
    """
    if not isinstance(result, dict):
        return
    if isinstance(result.get("tools"), list):
        result["tools"] = list(_mended(result["tools"]))
    if isinstance(result.get("content"), list):
        result["content"] = [_known(block) for block in result["content"]]


def _known(block: Any) -> Any:
    if isinstance(block, dict) and block.get("type") in _KINDS:
        return block
    return {"type": "text", "text": canonical(to_json(block))}


def _mended(tools: list[Any]) -> Iterator[dict[str, Any]]:
    from mcp_types import Tool
    from pydantic import ValidationError

    for tool in tools:
        if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
            continue
        schema = tool.get("inputSchema")
        sound = {**schema, "type": "object"} if isinstance(schema, dict) else {"type": "object"}
        whole = {**tool, "inputSchema": sound}
        try:
            Tool.model_validate(whole, by_name=False)
        except ValidationError:
            yield {"name": tool["name"], "inputSchema": sound, **_usable(tool)}
        else:
            yield whole


def _usable(tool: dict[str, Any]) -> dict[str, Any]:
    """The description, and the hints that are true or false."""
    found: dict[str, Any] = {}
    if isinstance(tool.get("description"), str):
        found["description"] = tool["description"]
    hints = tool.get("annotations")
    if isinstance(hints, dict):
        found["annotations"] = {name: hint for name, hint in hints.items() if isinstance(hint, bool)}
    return found
