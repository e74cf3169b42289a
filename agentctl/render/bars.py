"""When something was at work, as a bar in a column that stands for the whole run."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final

from rich.text import Text

_WIDEST: Final = 30
_NARROWEST: Final = 10
_WORDS: Final = 40
"""Cells that words keep beside the narrowest bar."""
_THICK, _THIN = "━", "─"


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Both in ms of the run's work."""

    at: float
    ms: float


def room_for_bars(width: int) -> int:
    """The cells that bars take of `width`; 0 where words need them all."""
    if width < _WORDS + _NARROWEST:
        return 0
    return min(_WIDEST, max(_NARROWEST, (width - _WORDS) // 2))


def bar(span: Span, whole: float, cells: int, *, thick: bool) -> Text:
    """`cells` wide; at least one of them is marked. `whole` is the run's time in ms."""
    start, end = _place(span.at, whole, cells), _place(span.at + span.ms, whole, cells)
    first = min(int(start), cells - 1)
    marked = max(min(ceil(end), cells) - first, 1)
    text = Text(" " * first)
    text.append((_THICK if thick else _THIN) * marked, style="green" if thick else "cyan")
    return text.append(" " * (cells - first - marked))


def _place(at: float, whole: float, cells: int) -> float:
    return at / whole * cells if whole > 0 else 0.0
