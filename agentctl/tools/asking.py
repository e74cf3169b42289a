"""The builtin `ask_person`: a tool whose call is a question to the person, put by whoever runs the team."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from agentctl.jsontypes import JsonObject, as_text
from agentctl.tools.describing import search_text
from agentctl.tools.tool import Tool, ToolContext, ToolResult

ASK_PERSON: Final = "ask_person"
_DESCRIPTION: Final = (
    "Ask the person you work for a question, when you need something that only they can know or decide. "
    "The answer is theirs, word for word."
)
_PARAMETERS: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "question": {"type": "string", "description": "The question, complete in itself."},
    },
    "required": ["question"],
    "additionalProperties": False,
}


def ask_person_tool(folder: Path) -> Tool:
    return Tool(
        name=ASK_PERSON,
        description=_DESCRIPTION,
        parameters=_PARAMETERS,
        search_text=search_text(ASK_PERSON, _DESCRIPTION, "", _PARAMETERS),
        source=f"builtin:{ASK_PERSON}",
        idempotent=True,
        approve=False,
        check=_check,
        call=_nobody,
        folder=folder,
        asks=True,
    )


def _check(arguments: JsonObject) -> str | None:
    if as_text(arguments.get("question")).strip() and set(arguments) == {"question"}:
        return None
    return f"'{ASK_PERSON}' needs one argument, `question`: a text that is not empty. The call was not made."


async def _nobody(_arguments: JsonObject, _context: ToolContext) -> ToolResult:
    """Called where nobody puts questions; the engine never does."""
    return ToolResult(text="There is nobody to ask.", error=True)
