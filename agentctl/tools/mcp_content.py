"""What a server's tool gave, as the text that a model is shown and the files that no text can hold."""

from __future__ import annotations

import base64
import binascii
import json
import mimetypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from agentctl.jsontypes import Json, as_object, canonical, to_json
from agentctl.tools.results import NO_VALUE, value_text
from agentctl.tools.tool import Attachment

if TYPE_CHECKING:
    from mcp_types import CallToolResult, ContentBlock

_SUFFIXES: Final = {"image/jpeg": ".jpg", "audio/mpeg": ".mp3", "audio/wav": ".wav", "text/plain": ".txt"}
"""Where the system's table is missing or names an odd one first."""


def result_parts(result: CallToolResult) -> tuple[str, tuple[Attachment, ...]]:
    """Text as it is, files by their label, and structured content where no text says the same already."""
    reader = _Reader()
    parts = [part for block in result.content if (part := reader.part(block))]
    structured = to_json(result.structured_content)
    if structured is not None and not _is_said(structured, parts):
        parts.append(value_text(structured))
    return "\n".join(parts) or NO_VALUE, tuple(reader.files)


class _Reader:
    def __init__(self) -> None:
        self.files: list[Attachment] = []

    def part(self, block: ContentBlock) -> str:
        match block.type:
            case "text":
                return block.text
            case "image" | "audio":
                return self._file(block.type, block.mime_type, block.data)
            case "resource_link":
                told = f" ({block.description})" if block.description else ""
                return f"[resource {block.name}: {block.uri}{told}]"
            case "resource":
                found = block.resource
                text = getattr(found, "text", None)
                if isinstance(text, str):
                    return f"[resource {found.uri}]\n{text}"
                blob = getattr(found, "blob", "")
                return f"[resource {found.uri}]\n{self._file('file', found.mime_type, str(blob))}"

    def _file(self, kind: str, mime: str | None, encoded: str) -> str:
        mime = mime or "application/octet-stream"
        try:
            data = base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError):
            return f"[{kind}: {mime}, not readable: it is no base64]"
        label = f"{kind} {len(self.files) + 1}"
        suffix = _SUFFIXES.get(mime) or mimetypes.guess_extension(mime) or ".bin"
        self.files.append(Attachment(label=label, suffix=suffix, data=data))
        return f"[{label}: {mime}, {len(data):,} bytes]"


def _is_said(structured: Json, parts: Sequence[str]) -> bool:
    """Whether a text is the structured content, or all that it wraps under one key, such as `result`."""
    wraps = isinstance(structured, dict) and len(structured) == 1
    inner = next(iter(as_object(structured).values())) if wraps else structured
    wanted = {canonical(structured), canonical(inner)}
    for text in ("\n".join(parts), *parts):
        if canonical(text) in wanted or canonical(_read(text)) in wanted:
            return True
    return isinstance(inner, list) and [canonical(_read(text)) for text in parts] == [
        canonical(i) for i in inner
    ]


def _read(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except ValueError:
        return text
    return value
