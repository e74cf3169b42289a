"""Reads the pages of `docs/`: their code blocks, each with its language, its name and its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
# These have tests of their own, and examples that go on below others.
ELSEWHERE: Final = {"diagnostics.md", "testing.md"}
_FENCE: Final = re.compile(r"^```(\w+)(?: ([^\n]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXIT: Final = re.compile(r"\s+# exits with (\d+)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A code block; `name` is what stands after the language, such as a file's path."""

    language: str
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A line that is run, and what it prints where the page shows it; `...` stands for anything."""

    line: str
    exit_code: int = 0
    prints: str | None = None


def pages() -> list[Path]:
    return sorted(DOCS.rglob("*.md"))


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [Block(language=found[1], name=found[2] or "", text=found[3]) for found in _FENCE.finditer(text)]


def commands(block: Block) -> Iterator[Command]:
    """Those of a block: every line of `sh`, every line of `console` that begins with `$`."""
    if block.language == "sh":
        for line in block.text.splitlines():
            yield _command(line, None)
    if block.language == "console":
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            line, _, prints = part.partition("\n")
            yield _command(line, prints)


def _command(line: str, prints: str | None) -> Command:
    found = _EXIT.search(line)
    code = int(found[1]) if found else 0
    return Command(line=_EXIT.sub("", line), exit_code=code, prints=prints)


def fits(pattern: str, text: str) -> bool:
    """Whether `text` is `pattern`, in which `...` stands for anything, also for several lines."""
    parts = [re.escape(part) for part in pattern.strip().split("...")]
    return re.fullmatch(".*".join(parts), text.strip(), re.DOTALL) is not None
