"""Lines of words with columns of numbers at their right, as many of them as the width has room for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

_GAP: Final = 2
_PLACES: Final = 3
_LEAST_LEFT: Final = 40
"""Cells that stay for words, before a column behind the first is given up."""


def columns(lines: Iterable[Sequence[str]], width: int) -> list[int]:
    """The widths of the columns for lines of time, tokens and cost; 0 for one that is empty."""
    numbers = list(lines)
    found: list[int] = []
    for place in range(_PLACES):
        widest = max((cell_len(line[place]) for line in numbers if len(line) > place), default=0)
        left = width - sum(_GAP + cells for cells in (*found, widest) if cells)
        if place and left < _LEAST_LEFT:
            break
        found.append(widest)
    return found


def in_columns(numbers: Sequence[str], widths: Sequence[int]) -> str:
    """Each number at the right of its column."""
    padded = [*numbers, *[""] * _PLACES]
    return "".join(
        f"{'':{_GAP + cells - cell_len(number)}}{number}"
        for number, cells in zip(padded, widths, strict=False)
        if cells
    )


def cut(line: Text, width: int) -> Text:
    """The line itself, shortened to so many cells."""
    line.truncate(max(width, 1), overflow="ellipsis")
    return line
