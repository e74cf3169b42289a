"""Reads `docs/diagnostics.md`: the paragraph of each code, with its examples and their files."""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[2] / "docs" / "diagnostics.md"
_SECTION: Final = re.compile(r"^### ([a-z0-9-]+)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
_FENCE: Final = re.compile(r"^```(\w+) ([^\n]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEAD: Final = re.compile(r"^```yaml head\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TOOLS: Final = re.compile(r"^```python tools\.py\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """What the page says of one code. `files` lie beside both examples, `tools.py` too."""

    code: str
    words: str
    wrong: bytes | None = None
    right: bytes | None = None
    files: dict[str, bytes] = field(default_factory=dict)

    def write(self, folder: Path, team: bytes) -> Path:
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        (folder / "team.yaml").write_bytes(team)
        return folder / "team.yaml"


def paragraphs() -> list[Paragraph]:
    page = PAGE.read_text(encoding="utf-8")
    head, tools = _HEAD.search(page), _TOOLS.search(page)
    assert head is not None
    assert tools is not None
    return [_paragraph(found[1], found[2], head[1], tools[1]) for found in _SECTION.finditer(page)]


def _paragraph(code: str, body: str, head: str, tools: str) -> Paragraph:
    files = {"tools.py": tools.encode()}
    examples: dict[str, bytes] = {}
    for language, words, text in _FENCE.findall(body):
        name, _, encoding = words.partition(" ")
        if name not in ("wrong", "right"):
            files[name] = text.encode(encoding or "utf-8")
            continue
        text = _printed(text) if language == "python" else text
        begins = re.search(r"^(name:|\S+: .*\nname:)|^- |^# a team", text, re.MULTILINE)
        examples[name] = (text if begins else head + text).encode(encoding or "utf-8")
    return Paragraph(
        code=code,
        words=body.split("```", 1)[0].strip(),
        wrong=examples.get("wrong"),
        right=examples.get("right"),
        files=files,
    )


def _printed(program: str) -> str:
    """What an example that is too long to be written out prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(program, {})
    return printed.getvalue()
