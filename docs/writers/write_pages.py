"""Writes the parts of the documentation that come from the program: `python docs/writers/write_pages.py`.

They are the tables of the team file's keys, of results and of commands, and the drawings of strategies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from command_tables import command_tables
from flows import FLOWS
from headings import RESULT, TEAM, TEAM_VALUES
from schema_tables import Tables

from agentctl.schemafiles import schema

DOCS: Final = Path(__file__).resolve().parents[1]
_BEGIN: Final = "<!-- written by docs/writers/write_pages.py: begin -->\n"
_END: Final = "<!-- written by docs/writers/write_pages.py: end -->\n"
_PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "team-file.md": lambda: Tables(schema=schema("team"), headings=TEAM, values=TEAM_VALUES).text(),
    "command-line.md": lambda: Tables(schema=schema("run"), headings=RESULT, level="###", required="").text(),
    "commands.md": command_tables,
}


def written() -> dict[Path, str]:
    """Each file that is written in part or whole, with what it must say."""
    pages = {DOCS / name: _with_part(DOCS / name, part()) for name, part in _PARTS.items()}
    drawings = {DOCS / "drawings" / f"{flow.name}.svg": flow.svg() for flow in FLOWS}
    return {**pages, **drawings}


def _with_part(page: Path, part: str) -> str:
    pattern = re.compile(f"(?<={re.escape(_BEGIN)}).*(?={re.escape(_END)})", re.DOTALL)
    text, count = pattern.subn(lambda _: f"\n{part}\n", page.read_text(encoding="utf-8"))
    if count != 1:
        raise ValueError(f"'{page.name}' has no place for what is written")
    return text


def main() -> None:
    for path, text in written().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
