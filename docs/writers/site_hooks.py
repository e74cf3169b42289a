"""What mkdocs does beside its own: names of files above code, drawings that take the colours of the page."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Final

_DOCS: Final = Path(__file__).resolve().parents[1]
_NAMED_FENCE: Final = re.compile(r"^(`{3,})(\w+) ([^\n`]+)$", re.MULTILINE)
_DRAWING: Final = re.compile(r'<img alt="([^"]*)" src="[^"]*?(drawings/\w+\.svg)"\s*/?>')
_OWN_COLOUR: Final = re.compile(r' color="#222"|<style>.*?</style>\n?')


def on_page_markdown(markdown: str, **_: object) -> str:
    """A name after the language of a code block becomes its title; elsewhere Markdown ignores it."""
    return _NAMED_FENCE.sub(lambda found: f'{found[1]}{found[2]} title="{escape(found[3])}"', markdown)


def on_page_content(html: str, **_: object) -> str:
    """A drawing becomes a part of the page, since a picture does not know whether the page is dark."""
    return _DRAWING.sub(_drawn, html)


def _drawn(found: re.Match[str]) -> str:
    svg = _OWN_COLOUR.sub("", (_DOCS / found[2]).read_text(encoding="utf-8"))
    named = svg.replace("<svg ", f'<svg role="img" aria-label="{found[1]}" ', 1)
    return f'<span class="drawing">{named}</span>'
