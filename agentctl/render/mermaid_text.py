"""Any text as a label that Mermaid takes for text."""

from __future__ import annotations

from typing import Final

from agentctl.render.visible import one_line

_ESCAPES: Final = str.maketrans(
    {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "#96;", "\\": "#92;"}
)
_LONGEST: Final = 120


def label(*lines: str) -> str:
    """Quoted, each line below the other."""
    escaped = (one_line(line, _LONGEST).translate(_ESCAPES) for line in lines)
    return f'"{"<br/>".join(escaped)}"'


def arrow(start: str, end: str, *words: str) -> str:
    """From one node to another, both by id."""
    return f"  {start} -->|{label(*words)}| {end}" if any(words) else f"  {start} --> {end}"
