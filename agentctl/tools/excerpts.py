"""The tool that reads on in a result that was too long to be shown whole, from where it was cut."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Final

from agentctl.jsontypes import JsonObject, digest
from agentctl.tools.results import shortened
from agentctl.tools.tool import Tool, ToolContext, ToolResult

READ_OUTPUT: Final = "read_output"
READS: Final = f"builtin:{READ_OUTPUT}"
"""Where the tool comes from."""
PART: Final = 20_000
"""Characters that one call gives."""

_CUT_BEGINS: Final = "[Cut: "
_CUT: Final = re.compile(r'^\[Cut: [^\n\]]*: id "(out-[0-9a-f]{10})", from offset \d+\.\]$', re.MULTILINE)
_DESCRIPTION: Final = "Read on in the result of an earlier call that was too long to be shown whole."


def output_id(step: str) -> str:
    """The id of the result of a step, the same whenever it is made."""
    return f"out-{digest(step)[:10]}"


def outputs_in(texts: Iterable[str]) -> tuple[str, ...]:
    """The ids that results were cut under, as `cut` told them."""
    cut = (text for text in texts if _CUT_BEGINS in text)  # most are not, and each is looked at every turn
    return tuple(dict.fromkeys(output for text in cut for output in _CUT.findall(text)))


def reader_name(taken: Collection[str]) -> str:
    """What the tool is called beside tools of these names."""
    name, nth = READ_OUTPUT, 2
    while name in taken:
        name, nth = f"{READ_OUTPUT}_{nth}", nth + 1
    return name


def cut(full: str, limit: int, output: str, reader: str = READ_OUTPUT) -> str:
    """At most `limit` characters of `full`, and how to read what is left out: the words for the model, whose
    tool for that is called `reader`."""
    short = shortened(full, limit)
    same = next((at for at, (one, other) in enumerate(zip(short, full, strict=False)) if one != other), limit)
    return (
        f"{short}\n[Cut: the whole result has {len(full):,} characters. Read what is left out with the tool "
        f'{reader}: id "{output}", from offset {same}.]'
    )


def read_output_tool(name: str, outputs: Collection[str], read: Callable[[str], str | None]) -> Tool:
    """`outputs` are the ids that may be read; `read` gives a whole result by its id."""
    parameters: JsonObject = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "enum": sorted(outputs), "description": "The result's id."},
            "offset": {"type": "integer", "minimum": 0, "description": "The character to begin at, from 0."},
        },
        "required": ["id"],
        "additionalProperties": False,
    }

    def check(arguments: JsonObject) -> str | None:
        offset = arguments.get("offset", 0)
        if arguments.get("id") not in outputs:
            return f"There is no result with this id to read on in; there are: {', '.join(sorted(outputs))}."
        if not isinstance(offset, int) or isinstance(offset, bool) or offset < 0:
            return "`offset` must be a whole number of 0 or more."
        return None

    async def call(arguments: JsonObject, _context: ToolContext) -> ToolResult:
        output, offset = str(arguments.get("id")), arguments.get("offset", 0)
        full = read(output)
        if full is None:
            return ToolResult(text=f"The result '{output}' is not kept any more.", error=True)
        return ToolResult(text=excerpt(full, offset if isinstance(offset, int) else 0))

    return Tool(
        name=name,
        description=_DESCRIPTION,
        parameters=parameters,
        search_text="",
        source=READS,
        idempotent=True,
        approve=False,
        check=check,
        call=call,
        folder=Path(),
    )


def excerpt(full: str, offset: int) -> str:
    """The part of a result from `offset` on, and where the next one begins."""
    part = full[offset : offset + PART]
    if not part:
        return f"[There is nothing at offset {offset}: the whole result has {len(full):,} characters.]"
    end = offset + len(part)
    rest = f"Go on from offset {end}." if end < len(full) else "This is its end."
    return f"{part}\n[Characters {offset} to {end} of {len(full):,}. {rest}]"
