"""Syntax rules about the document as a whole: directives, its begin and end, its depth."""

from __future__ import annotations

from typing import Final

from agentctl.document.events import DEEPEST
from agentctl.document.trouble import Fault, Trouble, word_at

_NOT_ALLOWED: Final = ("not allowed in this context", "not allowed here")


def too_deep(trouble: Trouble) -> tuple[Fault, ...]:
    """The parser itself gives up on deep brackets before the composer sees them."""
    if "nesting depth" not in trouble.problem:
        return ()
    return (
        Fault(
            code="yaml-too-deep",
            message=f"the file nests more than {DEEPEST} levels here; nothing from here on is read",
            hint="if it is text, write it in quotes",
            start=trouble.at,
            end=trouble.at + 1,
        ),
    )


def directive(trouble: Trouble) -> tuple[Fault, ...]:
    """A line that begins with `%`, which YAML takes for an order to the parser."""
    source = trouble.source
    start, end = source.line_bounds(source.row(trouble.since))
    if trouble.since != start or not source.text.startswith("%", start):
        return ()
    return (
        Fault(
            code="yaml-indicator",
            message="a line that begins with '%' is a directive, and this one is not known",
            hint="delete the line; a key that begins with '%' stands in quotes",
            start=start,
            end=start + len(source.text[start:end].rstrip()),
        ),
    )


def behind_end(trouble: Trouble) -> tuple[Fault, ...]:
    """Text behind `...`, or behind a whole document in brackets or quotes."""
    if "document start" not in trouble.problem:
        return ()
    start, end = word_at(trouble.source, trouble.at)
    return (
        Fault(
            code="yaml-many-documents",
            message="the document has ended before this, and a team file holds one",
            hint="delete what follows, or the '...' or closing bracket that ends the document",
            start=start,
            end=end,
        ),
    )


def beside_mark(trouble: Trouble) -> tuple[Fault, ...]:
    """`--- name: x`: a mapping or list on the line of the mark that begins the document."""
    source = trouble.source
    start, _ = source.line_bounds(trouble.row)
    if not trouble.problem.endswith(_NOT_ALLOWED) or not source.text.startswith("--- ", start):
        return ()
    return (
        Fault(
            code="yaml-syntax",
            message="a mapping or a list cannot begin on the line of '---'",
            hint="begin it on the next line, or delete the '---'",
            start=start,
            end=start + 3,
        ),
    )
