"""Texts that are read as less, or as something else, than was meant: cut by a `#`, or the path of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from agentctl.document.nodes import Array, Node, Object, Scalar
from agentctl.document.source import Source
from agentctl.spec.reading import TeamFile
from agentctl.spec.values import text

_PROSE: Final = frozenset({"instructions", "description", "examples", "question", "task", "message"})
_PATH: Final = re.compile(r"(?:\.{0,2}/)?[\w-]+(?:[/.][\w-]+)*\.(?:md|txt|prompt|j2|jinja2?|ya?ml)")
_COMMENT: Final = re.compile(r"[ \t]+(#[^\s#][^\n]*)")


def check_texts(root: Object, file: TeamFile) -> None:
    """Tells of them in the file whose root this is."""
    source = Source(root.span.path, file.report.sources.get(root.span.path, ""))
    for key, scalar in _prose("", root):
        written = text(scalar)
        if written is None:
            continue
        if key == "instructions" and _PATH.fullmatch(written):
            message = f'"{written}" is taken as the instructions themselves'
            hint = f"to read them from that file, write `instructions: {{file: {written}}}`"
            file.warning("path-as-text", message, scalar, hint=hint)
        _check_cut(written, scalar, source, file)


def _check_cut(written: str, scalar: Scalar, source: Source, file: TeamFile) -> None:
    """A comment that begins like a number or a tag; others are written with a space behind the `#`."""
    span = scalar.span
    start, end = source.offset(span.line, span.column), source.offset(span.end_line, span.end_column)
    comment = _COMMENT.match(source.text, end)
    if comment is None or start == end or source.text[start] in "\"'|>":
        return
    whole = f"{written}{comment[0]}"
    hint = f'write the text in quotes: "{whole}"' if '"' not in whole else "write the text in quotes"
    message = f'the text ends before "{comment[1]}": a `#` behind a space begins a comment'
    place = source.span(comment.start(1), comment.end(1))
    file.report.warning("cut-text", message, place, hint=hint, pointer=scalar.pointer)


def _prose(key: str, node: Node) -> Iterator[tuple[str, Scalar]]:
    match node:
        case Scalar() if key in _PROSE:
            yield key, node
        case Array(items=below):
            for item in below:
                yield from _prose(key, item)
        case Object(entries=entries):
            for entry in entries:
                if not entry.key.startswith("x-"):
                    yield from _prose(entry.key, entry.value)
        case _:
            pass
