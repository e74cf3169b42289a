"""Syntax rules about the document as a whole: directives, its begin and end, its depth."""

from __future__ import annotations

import re
from typing import Final

from agentctl.document.events import DEEPEST
from agentctl.document.trouble import Fault, Trouble, word_at

_CONFLICT: Final = re.compile(r"(?:<{7}|={7}|>{7})(?: |$)")
_FOREIGN: Final = re.compile(r"[ \t]*(?:(?P<fence>```[\w-]*)|\{%.*%\})[ \t]*$")
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


def conflict(trouble: Trouble) -> tuple[Fault, ...]:
    """The marks that a merge leaves where both sides changed a file: the first side is read on."""
    source = trouble.source
    marks = [(row, source.line(row)[:7]) for row in range(source.rows) if _CONFLICT.match(source.line(row))]
    if not {"<<<<<<<", "======="} <= {mark for _, mark in marks}:
        return ()
    first, last = marks[0][0], marks[-1][0]
    other = next(row for row, mark in marks if mark == "=======")
    start, end = source.line_bounds(first)
    second = (source.line_bounds(other)[0], source.line_bounds(last)[1])
    message = "this is the mark of a merge that was not settled"
    hint = "keep one of the two sides, and delete the lines with `<<<<<<<`, `=======` and `>>>>>>>`"
    return (
        Fault(code="yaml-syntax", message=message, hint=hint, start=start, end=end, drop=(start, end)),
        Fault(
            code="yaml-syntax",
            message="the other side of the merge begins here",
            hint=hint,
            start=second[0],
            end=second[0] + 7,
            drop=second,
        ),
    )


def foreign_lines(trouble: Trouble) -> tuple[Fault, ...]:
    """The fences of Markdown, and templates that another tool would fill in."""
    source = trouble.source
    faults = []
    for row in range(source.rows):
        found = _FOREIGN.match(source.line(row))
        if found is not None:
            bounds = source.line_bounds(row)
            is_fence = found["fence"] is not None
            faults.append(
                Fault(
                    code="yaml-syntax" if is_fence else "yaml-template",
                    message="this is the fence of a block in Markdown, and no YAML"
                    if is_fence
                    else f"`{found[0].strip()}` is a template that nothing fills in here",
                    hint="delete the line",
                    start=bounds[0] + len(found[0]) - len(found[0].lstrip()),
                    end=bounds[0] + len(found[0].rstrip()),
                    drop=bounds,
                )
            )
    return (
        tuple(faults)
        if any(fault.drop and fault.drop[0] <= trouble.at <= fault.drop[1] for fault in faults)
        else ()
    )
