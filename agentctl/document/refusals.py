"""The words for what is refused in well-formed YAML: depth, copies, aliases, tags, documents."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Final

from agentctl.diagnostics import Report, Span, nearest

TYPOGRAPHIC: Final = {
    "\u201c": "\u201d\u201c",
    "\u2018": "\u2019\u2018",
    "\u201e": "\u201c\u201d",
    "\u201a": "\u2018\u2019",
    "\u00ab": "\u00bb",
    "\u201d": "\u201d",
    "\u2019": "\u2019",
}
"""The quotes of prose, each with those that it may be closed by."""
_MOST_COMPARED: Final = 500


def too_deep(report: Report, span: Span, *, deepest: int, pointer: str) -> None:
    report.error(
        "yaml-too-deep",
        f"the file nests more than {deepest} levels here; nothing from here on is read",
        span,
        hint="move the inner agents into a file of their own and name it with `{file: …}`",
        pointer=pointer,
    )


def too_many_values(report: Report, span: Span, *, most: int) -> None:
    report.error(
        "yaml-too-big",
        f"the file holds more than {most:,} keys and values; nothing from here on is read",
        span,
        hint="move agents into files of their own and name them with `{file: …}` under `agents`",
    )


def too_many_copies(report: Report, span: Span, *, most: int, pointer: str) -> None:
    report.error(
        "yaml-alias-bomb",
        f"the aliases of this file expand to more than {most:,} values; nothing from here on is read",
        span,
        hint="write out what is needed: aliases of anchors that hold aliases multiply",
        pointer=pointer,
    )


def wrong_alias(
    report: Report, span: Span, name: str, *, inside: bool, known: Collection[str], pointer: str
) -> None:
    """`inside`: the alias stands in the very value that its anchor names."""
    if inside:
        message, hint = f"`*{name}` stands inside the value it names, `&{name}`", "take it out of that value"
    else:
        message = f"`*{name}` names an anchor, and no `&{name}` comes before it"
        near = nearest(name, known) if len(known) <= _MOST_COMPARED else None
        hint = f'did you mean `*{near}`? If it is text, write it in quotes: "*{name}…"'
        hint = hint if near else f'if it is text, write it in quotes: "*{name}…"'
    report.error("yaml-alias", message, span, hint=hint, pointer=pointer)


def typographic_quotes(report: Report, span: Span, text: str, *, pointer: str) -> None:
    report.error(
        "yaml-quote",
        f"{text[0]} and {text[-1]} are no quotes to YAML, but part of the text",
        span,
        hint=f"write straight quotes: {json.dumps(text[1:-1], ensure_ascii=False)}",
        pointer=pointer,
    )


def unquoted_template(report: Report, span: Span, text: str, *, pointer: str) -> None:
    mark = "'" if '"' in text else '"'
    report.error(
        "yaml-template",
        f"`{text}` is not in quotes, so that YAML reads its braces as a mapping",
        span,
        hint=f"write it in quotes: {mark}{text}{mark}",
        pointer=pointer,
    )


def cut_by_commas(report: Report, span: Span, text: str, number: str | None, *, pointer: str) -> None:
    """`number`: the text without its commas, where they group digits."""
    mark = "'" if '"' in text else '"'
    report.error(
        "yaml-bracket",
        f"inside `{{ … }}` a comma ends a value, and `{text}` is cut at it",
        span,
        hint=f"write `{number}`" if number else f"write it in quotes: {mark}{text}{mark}",
        pointer=pointer,
    )


def wrong_tag(report: Report, span: Span, fault: str, *, pointer: str) -> None:
    report.error(
        "yaml-tag",
        fault,
        span,
        hint="delete the tag; if it is the beginning of a text, write the text in quotes",
        pointer=pointer,
    )


def no_json_number(report: Report, span: Span, fault: str, *, pointer: str) -> None:
    report.error(
        "yaml-number", fault, span, hint="write another number, or quotes if text is meant", pointer=pointer
    )


def too_many_faults(report: Report, span: Span, *, most: int) -> None:
    report.error(
        "yaml-too-many-faults",
        f"the file has more than {most:,} faults; nothing from here on is read",
        span,
        hint="mend what is told, and validate again",
    )


def too_many_syntax_faults(report: Report, span: Span) -> None:
    report.error(
        "yaml-too-many-faults",
        "the file has more mistakes of syntax than are told; what comes after them, and what the file means, "
        "is not checked",
        span,
        hint="mend what is told, and validate again",
    )


def second_document(report: Report, span: Span) -> None:
    report.error(
        "yaml-many-documents",
        "a second document begins here; a team file holds one",
        span,
        hint="delete the '---', or move what follows into a file of its own",
    )
