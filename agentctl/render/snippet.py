"""The source lines a diagnostic points at, with a gutter and a marker under the exact characters.

Takes the file's text and a span; knows nothing of diagnostics, files or terminals.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from agentctl.diagnostics import Span
from agentctl.journal.redact import MASK, Redactor
from agentctl.render.visible import visible

_TAB: Final = "    "
_KEYS: Final = Redactor()
_LONGEST_MARKER: Final = 60
_LINE_END: Final = re.compile("\r\n|\r|\n")  # as the YAML reader counts lines
_SECRET: Final = re.compile(
    r"""(?i:api_?-?key\w*|password|secret|token|authorization)["']?\s*[:=]\s*["']?([^\s"'#,{}\[\]$]{8,})"""
)
_PRIVATE: Final = "\uf8ff"
_NAME: Final = re.compile(r"[A-Z][A-Z0-9_]*|[a-z_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """One line cut in three: what stands before the marked part, the marked part, and what follows."""

    before: str
    marked: str
    after: str

    def cut(self, width: int) -> _Line:
        """The line within `width` cells, the start of the marked part kept in sight."""
        marked = _fit_start(self.marked, min(width, max(_LONGEST_MARKER, width // 2)))
        room = max(width - cell_len(marked), 0)
        after = _fit_start(self.after, max(room - cell_len(self.before), room // 3))
        return _Line(before=_fit_end(self.before, room - cell_len(after)), marked=marked, after=after)


def snippet(source: str, span: Span, *, width: int, style: str) -> list[Text]:
    """One line of context, the marked line, its marker, one line of context; empty when out of the file."""
    lines = _lines(source)
    if not 1 <= span.line <= len(lines):
        return []
    gutter = len(str(span.line + 1))
    room = max(width - gutter - 4, 16)
    marked = _marked(_masked(lines[span.line - 1]), span).cut(room)
    found = [_context(lines, span.line - 1, gutter, room)]
    whole = (marked.before + marked.marked + marked.after).rstrip()
    found.append(_row(str(span.line), gutter).append(whole))
    found.append(_marker(marked, gutter, style, open_ended=span.end_line > span.line))
    found.append(_context(lines, span.line + 1, gutter, room))
    return [row for row in found if row is not None]


@lru_cache(maxsize=8)
def _lines(source: str) -> Sequence[str]:
    """A report shows many lines of a file, which is split once."""
    return tuple(_LINE_END.split(source))


def _marked(line: str, span: Span) -> _Line:
    start = min(span.column - 1, len(line))
    end = span.end_column - 1 if span.end_line == span.line else len(line.rstrip())
    end = min(max(end, start), len(line))
    return _Line(before=_shown(line[:start]), marked=_shown(line[start:end]), after=_shown(line[end:]))


def _masked(line: str) -> str:
    """What stands under the name of a key or password, and is no name of a variable, in private signs."""
    for found in _SECRET.finditer(line):
        if not _NAME.fullmatch(found[1]):
            start, end = found.span(1)
            line = line[:start] + _PRIVATE * (end - start) + line[end:]
    return line


def _shown(part: str) -> str:
    """Safe for a terminal and for a log: what looks like a key of a provider is masked."""
    part = re.sub(f"{_PRIVATE}+", MASK, _KEYS.text(part))
    return visible(part.replace("\t", _TAB))


def _row(number: str, gutter: int) -> Text:
    return Text(no_wrap=True).append(f"{number:>{gutter}} | ", style="dim cyan")


def _context(lines: Sequence[str], number: int, gutter: int, room: int) -> Text | None:
    if not 1 <= number <= len(lines) or not lines[number - 1].strip():
        return None
    text = _fit_start(_shown(_masked(lines[number - 1])).rstrip(), room)
    return _row(str(number), gutter).append(text, style="dim")


def _marker(line: _Line, gutter: int, style: str, *, open_ended: bool) -> Text:
    marker = "^" * max(cell_len(line.marked), 1) + ("…" if open_ended else "")
    return _row("", gutter).append(" " * cell_len(line.before)).append(marker, style=style)


def _fit_start(text: str, cells: int) -> str:
    if cell_len(text) <= cells:
        return text
    fitting = _prefix(text, cells - 1)
    return f"{fitting}…" if cells > 0 else ""


def _fit_end(text: str, cells: int) -> str:
    if cell_len(text) <= cells:
        return text
    return f"…{_prefix(text[::-1], cells - 1)[::-1]}" if cells > 0 else ""


def _prefix(text: str, cells: int) -> str:
    used = 0
    for index, character in enumerate(text):
        used += cell_len(character)
        if used > cells:
            return text[:index]
    return text
