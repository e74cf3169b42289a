"""How control flows in each strategy, described as boxes and arrows → one SVG each.

Lines and text have the colour of what is around them, so a drawing fits light and dark pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import hypot
from typing import Final

WIDE, HIGH = 118, 38
_STYLE: Final = "@media (prefers-color-scheme: dark) { svg { color: #ddd } }"
_HEAD: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" color="#222" '
    'font-family="system-ui, sans-serif" font-size="13" text-anchor="middle">'
)
_TIP: Final = (
    '<defs><marker id="tip-{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
    'orient="auto-start-reverse"><path d="M0 0 10 5 0 10z" fill="currentColor"/></marker></defs>'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A box with its centre at (`x`, `y`); `round` are people and their words, `faint` who is not run."""

    text: str
    x: float
    y: float
    round: bool = False
    faint: bool = False

    def edge(self, towards_x: float, towards_y: float) -> tuple[float, float]:
        """Where the line from the centre to a point leaves the box."""
        across, down = towards_x - self.x, towards_y - self.y
        scale = min(
            (WIDE / 2 + 3) / abs(across) if across else 1e9,
            (HIGH / 2 + 3) / abs(down) if down else 1e9,
        )
        return self.x + across * scale, self.y + down * scale

    def svg(self) -> str:
        radius = HIGH / 2 if self.round else 5
        faint = ' opacity="0.45" stroke-dasharray="4 3"' if self.faint else ""
        pale = ' opacity="0.6"' if self.faint else ""
        left, top = self.x - WIDE / 2, self.y - HIGH / 2
        return (
            f'<rect x="{left:g}" y="{top:g}" width="{WIDE}" height="{HIGH}" rx="{radius:g}" fill="none" '
            f'stroke="currentColor"{faint}/>'
            f'<text x="{self.x:g}" y="{self.y + 4.5:g}" fill="currentColor"{pale}>'
            f"{escape(self.text)}</text>"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """From one box to another, by their texts; `bend` moves its middle to the left of its way."""

    start: str
    end: str
    label: str = ""
    bend: float = 0
    faint: bool = False

    def svg(self, boxes: dict[str, Box], name: str) -> str:
        start, end = boxes[self.start], boxes[self.end]
        across, down = end.x - start.x, end.y - start.y
        length = hypot(across, down)
        side_x, side_y = down / length, -across / length
        middle_x = (start.x + end.x) / 2 + side_x * self.bend * 2
        middle_y = (start.y + end.y) / 2 + side_y * self.bend * 2
        from_x, from_y = start.edge(middle_x, middle_y)
        to_x, to_y = end.edge(middle_x, middle_y)
        faint = ' opacity="0.45" stroke-dasharray="4 3"' if self.faint else ""
        line = (
            f'<path d="M{from_x:.1f} {from_y:.1f}Q{middle_x:.1f} {middle_y:.1f} {to_x:.1f} {to_y:.1f}" '
            f'fill="none" stroke="currentColor"{faint} marker-end="url(#tip-{name})"/>'
        )
        if not self.label:
            return line
        at_x = (from_x + to_x) / 4 + middle_x / 2
        at_y = (from_y + to_y) / 4 + middle_y / 2
        above = -7 if across * (self.bend or 1) > 0 or self.bend == 0 else 16
        return line + (
            f'<text x="{at_x:.1f}" y="{at_y + above:.1f}" font-size="11.5" font-style="italic" '
            f'fill="currentColor">'
            f"{escape(self.label)}</text>"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    name: str
    height: int
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    width: int = 760

    def svg(self) -> str:
        named = {box.text: box for box in self.boxes}
        parts = [
            _HEAD.format(width=self.width, height=self.height),
            f"<style>{_STYLE}</style>",
            _TIP.format(name=self.name),
            *(box.svg() for box in self.boxes),
            *(arrow.svg(named, self.name) for arrow in self.arrows),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"
