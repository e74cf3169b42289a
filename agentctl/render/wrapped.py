"""One line of a tree broken at the width of the terminal, so that no word of it is lost."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

_LEAST: Final = 16
"""Cells for the words, however deep the tree is."""
_PLAIN: Final = Console(width=80, markup=False, highlight=False, emoji=False)


def wrapped(line: Text, *, guide: str, below: str, width: int) -> list[Text]:
    """`line` behind `guide`, its further lines behind `below`; as wide as `width` allows."""
    room = max(width - max(cell_len(guide), cell_len(below)), _LEAST)
    pieces = line.wrap(_PLAIN, room, overflow="fold")
    for piece in pieces:
        piece.rstrip()
    guides = [guide, *[below] * (len(pieces) - 1)]
    return [
        Text().append(one, style="dim").append_text(piece) for one, piece in zip(guides, pieces, strict=True)
    ]
