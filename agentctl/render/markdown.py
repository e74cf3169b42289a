"""Markdown for a terminal, with headings at the left and nothing of the text lost."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Heading, Markdown, MarkdownElement

_CODE_THEME: Final = "ansi_dark"


class _Heading(Heading):
    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        text = self.text.copy()
        text.justify = "left"
        yield text


class _Markdown(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "heading_open": _Heading}


def markdown(text: str) -> Markdown:
    """`text` without control characters."""
    found = _Markdown(text, code_theme=_CODE_THEME, hyperlinks=False)
    for token in found.parsed:
        if token.type == "html_block":
            token.type, token.tag = "code_block", "code"
        for part in token.children or ():
            if part.type == "html_inline":
                part.type = "text"
            elif part.type == "softbreak":
                part.type = "hardbreak"
            elif part.type == "image":
                part.type, part.content = "text", f"![{part.content}]({part.attrs.get('src', '')})"
    return found
