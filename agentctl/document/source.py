"""The text of one file and the arithmetic of places in it: character offsets become lines and columns.

Line breaks are `\\n` alone here (`encoding` turns the others into it), so that all stages count alike.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from agentctl.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Source:
    """One decoded file; `path` is as it should be shown to the person."""

    path: str
    text: str
    _starts: list[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = [0]
        found = self.text.find("\n")
        while found >= 0:
            starts.append(found + 1)
            found = self.text.find("\n", found + 1)
        object.__setattr__(self, "_starts", starts)

    def span(self, start: int, end: int) -> Span:
        """The span of the characters `start` to `end` (exclusive), both counted from 0."""
        row = bisect_right(self._starts, start) - 1
        end_row = row if end == start else bisect_right(self._starts, end) - 1
        return Span(
            path=self.path,
            line=row + 1,
            column=start - self._starts[row] + 1,
            end_line=end_row + 1,
            end_column=end - self._starts[end_row] + 1,
        )

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column that count from 1; a place outside is moved inside."""
        row = min(max(line, 1), len(self._starts)) - 1
        return min(self._starts[row] + max(column, 1) - 1, len(self.text))

    def row(self, offset: int) -> int:
        """The line of an offset, counted from 0."""
        return bisect_right(self._starts, offset) - 1

    def line_bounds(self, row: int) -> tuple[int, int]:
        """Start and end offset of a line counted from 0, its line break excluded."""
        start = self._starts[row]
        end = self._starts[row + 1] - 1 if row + 1 < len(self._starts) else len(self.text)
        return start, end

    def line(self, row: int) -> str:
        start, end = self.line_bounds(row)
        return self.text[start:end]

    @property
    def rows(self) -> int:
        return len(self._starts)
